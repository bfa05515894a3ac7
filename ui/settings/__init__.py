"""The settings of a training on the page.

controls.py  the widgets
link.py      what a link says, corrected, and the button that copies one
opening.py   a page as a link opens it
undo.py      changes taken back
"""

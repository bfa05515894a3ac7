"""The settings of a training on the page.

starting.py  the starting point, and what differs from it
controls.py  the widgets
boxes.py     the boxes that hold most of them
effects.py   what settings do to each other
link.py      what a link says, corrected, and the button that copies one
use.py       settings of a run, a preset or a search, put into the widgets
opening.py   a page as a link opens it
pace.py      slow training
undo.py      changes taken back
page_state.py  the settings follow from page to page
"""

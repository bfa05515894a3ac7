"""What pages have in common around their own content.

opening.py          a page begins: its link read, the settings of the page before it taken over
sidebar.py          dataset and settings
first_screen.py     before anything is trained: the ways to a table, what was found in it, what a classifier is
picture.py          a classifier as a picture
presenter.py        presenter mode: its line, its keys, the way in and out
open_in_explore.py  one training of an experiment, shown on the page Explore
"""

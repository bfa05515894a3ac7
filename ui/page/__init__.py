"""What pages have in common around their own content.

opening.py          a page begins: its link read, the settings of the page before it taken over
sidebar.py          dataset and settings
presenter.py        presenter mode: its line, its keys, the way in and out
open_in_explore.py  one training of an experiment, shown on the page Explore
"""

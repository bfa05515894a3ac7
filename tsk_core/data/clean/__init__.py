"""Cleaning: a raw table into one that can be trained on, by a recipe that treats new rows in the same way.

names: column names. gaps: what counts as missing. cells: a column made ready for looking at. numbers, dates, categories: how
text becomes values. roles: what a column is good for. recipe: all that was learned, to be applied again. target: the classes.
"""

from tsk_core.data.clean.gaps import GAPS, LARGEST, without_gap_words
from tsk_core.data.clean.names import tidy_names
from tsk_core.data.clean.recipe import Recipe
from tsk_core.data.clean.roles import ColumnReport
from tsk_core.data.clean.target import bin_edges

__all__ = ["GAPS", "LARGEST", "ColumnReport", "Recipe", "bin_edges", "tidy_names", "without_gap_words"]

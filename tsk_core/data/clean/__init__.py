"""Cleaning: turns a raw table into one that can be trained on, by a pipeline that cleans new rows in the same way.

names: column names. missing: what counts as a missing value. cells: one column prepared for inspection. numbers, dates,
categories: how text becomes values. roles: how each column is used. pipeline: all that was learned, applied to new rows.
learn: learns the pipeline. likely_target: the guess of the target. target: the classes.
"""

from tsk_core.data.clean.cells import LARGEST, normalise_missing
from tsk_core.data.clean.pipeline import CleaningPipeline, tidy_names
from tsk_core.data.clean.roles import ColumnReport
from tsk_core.data.clean.target import bin_edges

__all__ = ["LARGEST", "CleaningPipeline", "ColumnReport", "bin_edges", "normalise_missing", "tidy_names"]

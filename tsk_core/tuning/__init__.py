"""Tuning: good settings found by cross-validation on training rows.

trial.py           a candidate and its scores
strategy.py        what a tuning tries and prefers: a protocol
portfolio.py       the best score: settings that cover many tables
readable.py        a readable rule base: sizes, the curve of accuracy × conditions, what is chosen of it
fold_trainings.py  candidates × folds, trained side by side
work.py            how much a search has done, in seconds of one machine
tuner.py           portfolio, halving, refinement, within a budget of seconds
"""

from tsk_core.tuning.portfolio import TRAININGS, most_accurate
from tsk_core.tuning.readable import SizePoint, curve, shortest
from tsk_core.tuning.trial import Trial

__all__ = ["TRAININGS", "SizePoint", "Trial", "curve", "most_accurate", "shortest"]

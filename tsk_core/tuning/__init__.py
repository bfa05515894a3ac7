"""Tuning: good settings found by cross-validation on training rows."""

from tsk_core.tuning.portfolio import TRAININGS, most_accurate
from tsk_core.tuning.readable import SizePoint, curve, shortest
from tsk_core.tuning.trial import Trial

__all__ = ["TRAININGS", "SizePoint", "Trial", "curve", "most_accurate", "shortest"]

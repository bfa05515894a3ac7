"""The study's algorithms that are not of the MBGD family: where each is, and whether it is there."""

from collections.abc import Callable
from functools import partial
from importlib import import_module

from threadpoolctl import threadpool_limits

from tsk_study.parts import Fit, SplitData


def _run(module: str, name: str, split: SplitData) -> Fit:
    """With one thread: the split is one of many that run side by side."""
    function = getattr(import_module(f"tsk_study.{module}"), name)  # imported when needed: that takes seconds
    with threadpool_limits(1):
        return function(split)


OTHERS: dict[str, Callable[[SplitData], Fit]] = {
    "CART": partial(_run, "other_algorithms", "cart"),
    "RF": partial(_run, "other_algorithms", "forest"),
    "JRip": partial(_run, "weka", "jrip"),
    "PART": partial(_run, "weka", "part"),
    "TSK-FCM-LSE": partial(_run, "other_algorithms", "fcm_lse"),
    "TSK-recommended": partial(_run, "other_algorithms", "recommended"),
    "TSK-tuned": partial(_run, "other_algorithms", "tuned"),
    "TSK-tuned-RCA": partial(_run, "other_algorithms", "tuned_for_rca"),
    "Readable-10": partial(_run, "other_algorithms", "readable_10"),
    "Readable-20": partial(_run, "other_algorithms", "readable_20"),
    "Readable-30": partial(_run, "other_algorithms", "readable_30"),
    "LR": partial(_run, "other_algorithms", "logistic_regression"),
    "LR-weighted": partial(_run, "other_algorithms", "weighted_logistic_regression"),
    "HistGB": partial(_run, "other_algorithms", "histogram_boosting"),
    "EBM": partial(_run, "other_algorithms", "ebm"),
}
"""Name of an algorithm -> what trains it on a split's training rows and predicts its test rows; equal splits give the same."""


def availability(name: str) -> str:
    """One sentence how to get what the algorithm lacks here; empty where it can run."""
    home = {"JRip": "tsk_study.weka", "PART": "tsk_study.weka", "EBM": "tsk_core.evaluate.ebm"}.get(name)
    return import_module(home).missing() if home else ""

"""The study's algorithms that are not of the MBGD family: where each is, and whether it is there."""

from collections.abc import Callable
from functools import partial
from importlib import import_module

from threadpoolctl import threadpool_limits

from tsk_core.study.parts import Fit, SplitData


def _run(module: str, name: str, split: SplitData) -> Fit:
    """With one thread: the split is one of many that run side by side."""
    function = getattr(import_module(f"tsk_core.study.{module}"), name)  # imported when needed: that takes seconds
    with threadpool_limits(1):
        return function(split)


OTHERS: dict[str, Callable[[SplitData], Fit]] = {
    "CART": partial(_run, "classical", "cart"),
    "RF": partial(_run, "classical", "forest"),
    "JRip": partial(_run, "weka", "jrip"),
    "PART": partial(_run, "weka", "part"),
    "TSK-FCM-LSE": partial(_run, "fcm_lse", "fcm_lse"),
    "TSK-recommended": partial(_run, "ours", "recommended"),
    "TSK-tuned": partial(_run, "ours", "tuned"),
    "TSK-tuned-RCA": partial(_run, "ours", "tuned_for_rca"),
    "Readable-10": partial(_run, "readable", "readable_10"),
    "Readable-20": partial(_run, "readable", "readable_20"),
    "Readable-30": partial(_run, "readable", "readable_30"),
    "LR": partial(_run, "classical", "logistic_regression"),
    "LR-weighted": partial(_run, "classical", "weighted_logistic_regression"),
    "HistGB": partial(_run, "classical", "histogram_boosting"),
    "EBM": partial(_run, "ebm", "ebm"),
}
"""Name of an algorithm -> what trains it on a split's training rows and predicts its test rows; equal splits give the same."""


def availability(name: str) -> str:
    """One sentence how to get what the algorithm lacks here; empty where it can run."""
    home = {"JRip": "weka", "PART": "weka", "EBM": "ebm"}.get(name)
    return import_module(f"tsk_core.study.{home}").missing() if home else ""

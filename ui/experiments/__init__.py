"""What the pages Compare and Sweep share: an experiment of this browser, from its start to its points."""

from ui.experiments.options import next_option, unused_settings
from ui.experiments.panel import ExperimentSubject, carry_out, estimate_row, experiment_panel, request, steering
from ui.experiments.runs import Collected, find, linked_plan

__all__ = [
    "Collected", "ExperimentSubject", "carry_out", "estimate_row", "experiment_panel", "find", "linked_plan", "next_option",
    "request", "steering", "unused_settings",
]  # fmt: skip

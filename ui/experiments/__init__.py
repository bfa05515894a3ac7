"""What the pages Compare and Sweep share: an experiment of this browser, from its start to its points.

runs.py       started, and found again by its plan and its table
collected.py  its records merged: points and epochs so far
panel.py      as it goes and at its end, on the page
progress.py   how far it is, how long it takes, and how it ended, in words
options.py    seeds, score and band, in the page and in its link
steering.py   the buttons that start, stop and continue it
switching.py  keys that switch a choice
unused.py     which settings have no effect
"""

from ui.experiments.options import next_option, unused_settings
from ui.experiments.panel import carry_out, estimate_row, experiment_panel, followed, request, steering
from ui.experiments.runs import Collected, find, linked_plan

__all__ = [
    "Collected", "carry_out", "estimate_row", "experiment_panel", "find", "followed", "linked_plan", "next_option", "request",
    "steering", "unused_settings",
]  # fmt: skip

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

from ui.experiments.collected import Collected
from ui.experiments.panel import experiment_panel, followed
from ui.experiments.progress import estimate_row
from ui.experiments.runs import find, linked_plan
from ui.experiments.steering import carry_out, request, steering
from ui.experiments.switching import next_option
from ui.experiments.unused import unused_settings

__all__ = [
    "Collected", "carry_out", "estimate_row", "experiment_panel", "find", "followed", "linked_plan", "next_option", "request",
    "steering", "unused_settings",
]  # fmt: skip

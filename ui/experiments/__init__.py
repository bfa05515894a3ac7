"""What the pages Compare and Sweep share: an experiment of this browser, from its start to its points.

runs.py       started, and found again by its plan and its table
collected.py  the records of an experiment merged: its points and curves so far
sending.py    what the browser lacks of them
progress.py   how far it is, how long it takes, and how it ended, in words
steering.py   the buttons that start, stop and continue it
switching.py  keys that switch a choice
"""

from ui.experiments.collected import Collected
from ui.experiments.progress import estimate_row, progress_row
from ui.experiments.runs import RESUMABLE, collected_of, find, start
from ui.experiments.sending import message, send_all_again
from ui.experiments.steering import carry_out, request, steering
from ui.experiments.switching import next_option

__all__ = [
    "RESUMABLE", "Collected", "carry_out", "collected_of", "estimate_row", "find", "message", "next_option", "progress_row",
    "request", "send_all_again", "start", "steering",
]  # fmt: skip

"""The page Sweep.

axes.py       up to four axes, in the page and in its link
options.py    seeds and score; which metric is drawn, with which band, and how; the plan that all of it makes
words.py      metrics, bands and cells in words
message.py    what the browser draws
panel.py      a sweep as it goes and at its end: progress, sentence, figure
cell_runs.py  the runs of a cell, and a run of it as a run of the page Explore
presenter.py  presenter mode
exports.py    every run and every cell as CSV
"""

from ui.sweep.options import NOTED, Wanted, axes_row, correct_link, joined_note, link_values, options_row, plan_of, read_link
from ui.sweep.panel import open_requested, presenter, sweep_panel

__all__ = [
    "NOTED",
    "Wanted",
    "axes_row",
    "correct_link",
    "joined_note",
    "link_values",
    "open_requested",
    "options_row",
    "plan_of",
    "presenter",
    "read_link",
    "sweep_panel",
]

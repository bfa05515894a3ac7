"""The page Sweep."""

from ui.sweep.options import DRAWN_WITH, Wanted, axes_row, correct_link, joined_note, link_values, options_row, plan_of, read_link
from ui.sweep.panel import open_requested, presenter, sweep_panel

__all__ = [
    "DRAWN_WITH",
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

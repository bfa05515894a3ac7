"""Tuning on the page Explore: settings found by cross-validation.

form.py        the budget and the button, in the sidebar
tuning_run.py  what is known of a tuning: started, found by its table, and sent to the browser
panel.py       a tuning as it goes, and what it found; the button that takes its settings over
sentences.py   what is said about it
"""

from ui.tuning.panel import is_shown, tuning_form, tuning_panel
from ui.tuning.tuning_run import open_linked_tuning

__all__ = ["is_shown", "open_linked_tuning", "tuning_form", "tuning_panel"]

"""Tuning on the page Explore: settings found by cross-validation."""

from ui.tuning.panel import is_shown, tuning_form, tuning_panel
from ui.tuning.tuning_run import open_linked_tuning

__all__ = ["is_shown", "open_linked_tuning", "tuning_form", "tuning_panel"]

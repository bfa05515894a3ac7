"""Presets of the Explore page: each shows one effect with one click, in about a minute."""

from ui.presets.panel import (
    LINK_KEY,
    apply,
    box_is_closed,
    keep_box_closed,
    last_applied,
    matching,
    next_preset,
    of_run,
    open_linked,
    partner_of,
    preset_box,
    preset_text,
    previous_preset,
    shown,
    why,
)
from ui.presets.settings import PRESETS, Preset, counterpart, current, following, preceding

__all__ = [
    "LINK_KEY", "PRESETS", "Preset", "apply", "box_is_closed", "counterpart", "current", "following", "keep_box_closed",
    "last_applied", "matching", "next_preset", "of_run", "open_linked", "partner_of", "preceding", "preset_box", "preset_text",
    "previous_preset", "shown", "why",
]  # fmt: skip

"""Presets of the Explore page: each shows one effect with one click, in about a minute.

settings.py  Preset, PRESETS: data and settings; which preset a page matches, and which comes next
words.py     the texts of each preset
panel.py     the row of presets on the page; ``apply`` sets all widgets and requests training
"""

from ui.presets.panel import apply, last_applied, matching, of_run, preset_row, preset_text, why
from ui.presets.settings import PRESETS, Preset, counterpart, current, following, preceding

__all__ = [
    "PRESETS", "Preset", "apply", "counterpart", "current", "following", "last_applied", "matching", "of_run", "preceding",
    "preset_row", "preset_text", "why",
]  # fmt: skip

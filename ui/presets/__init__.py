"""Presets of the Explore page: settings that show one thing each, in one click and about a minute.

settings    Preset, PRESETS: what is trained, on which data; which preset a page stands at, and which comes next
words       what the page says of each
panel       the row of presets on the page; ``apply`` sets all widgets and asks for training
"""

from ui.presets.panel import apply, at, presets_panel
from ui.presets.settings import PRESETS, Preset, counterpart, current, following

__all__ = ["PRESETS", "Preset", "apply", "at", "counterpart", "current", "following", "presets_panel"]

"""Choosing the data and deciding about it: source → decisions → Dataset → what was found, to be looked at and changed."""

from ui.data.choose import choose
from ui.data.look import look

__all__ = ["choose", "look"]

"""The data part of the page: choose a source, make choices about the table, and show the result in the data panel."""

from ui.data.choose import choose
from ui.data.data_panel import data_panel

__all__ = ["choose", "data_panel"]

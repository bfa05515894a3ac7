"""The data part of the page: choose a source, make choices about the table, and show the result in the data panel."""

from ui.data.choose import choose, say_again
from ui.data.data_check import table_card
from ui.data.data_panel import data_panel
from ui.data.decisions import show_unready
from ui.data.gallery import ways_in
from ui.data.source import how_large, uploader

__all__ = ["choose", "data_panel", "how_large", "say_again", "show_unready", "table_card", "uploader", "ways_in"]

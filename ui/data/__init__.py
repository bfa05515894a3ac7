"""The data part of the page: choose a source, make choices about the table, and show the result in the data panel."""

from ui.data.choose import choose
from ui.data.data_panel import data_panel
from ui.data.decided_before import say_again
from ui.data.table_card import table_card
from ui.data.unready import show_unready
from ui.data.uploading import how_large, uploader
from ui.data.ways_in import ways_in

__all__ = ["choose", "data_panel", "how_large", "say_again", "show_unready", "table_card", "uploader", "ways_in"]

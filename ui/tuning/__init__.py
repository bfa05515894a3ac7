"""The search for good settings on the page Explore.

form.py        the budget and the button, in the sidebar
search.py      what is known of a search: started, found by its table, and sent to the browser
panel.py       a search as it goes, and what it found; the button that takes its settings over
sentences.py  what is said about it
"""

from ui.tuning.form import search_form
from ui.tuning.panel import search_panel
from ui.tuning.search import open_linked_search

__all__ = ["open_linked_search", "search_form", "search_panel"]

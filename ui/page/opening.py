"""A page begins: before any of its widgets is made."""

from ui.platform.engine import get_engine
from ui.settings import page_state
from ui.settings.opening import open_link


def open_page(name: str) -> None:
    """Start the engine, take over the settings of the page before this one, and use the values of the link."""
    get_engine()
    page_state.restore(name)
    open_link()

"""How the browser came to the address that it names."""

from ui.platform.streamlit_internals import get_script_run_ctx

__all__ = ["by_history"]


def by_history() -> bool:
    """Whether Back or Forward led to it. Every press brings an address along, too: the one from before the last change where the
    browser had not heard of that when it was pressed.
    """
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation

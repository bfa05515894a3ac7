"""Files that are made when a download button is pressed.

Streamlit keeps such a file until scripts have ended twice, so that many presses at once would fill the memory. Here one file is
made at a time, and those of earlier presses go first: a browser fetches its file at once.
"""

import threading
from collections.abc import Callable

from ui.platform.streamlit_internals import runtime

__all__ = ["when_pressed"]

_one = threading.Lock()


def when_pressed(make: Callable[[], bytes | str]) -> Callable[[], bytes | str]:
    """What ``st.download_button`` is to call for the content of a file."""

    def made() -> bytes | str:
        with _one:
            if runtime.exists():
                runtime.get_instance().media_file_mgr.remove_orphaned_files()
            return make()

    return made

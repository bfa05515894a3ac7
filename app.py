"""TSK Explorer: the web server's middleware, page config and navigation, nothing else.

Streamlit imports this file once as the server, and runs it as a script for each visitor.
"""

import gc
import logging
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import streamlit as st

from tsk_core.data.reading import warm
from ui.live import close_drawer, provide_client
from ui.live.route import live_routes
from ui.live.watching import watch_routes
from ui.page.presenter import presenting
from ui.platform.assets import styles_file
from ui.platform.engine import get_engine
from ui.platform.turns import page_lock
from ui.platform.visitor import address, log_in_first, log_out_button, visitor
from ui.platform.web import middleware
from ui.platform.web.files import documentation_address, documentation_routes

HERE = Path(__file__).parent

# How long a thread keeps Python while others want it; Python's own value is ten times as long. The thread that sends what scripts
# draw gives Python away with each message: beside the scripts of a full room it waited that long for each one.
SWITCH_SECONDS = 0.0005

# How many objects are made before Python collects garbage among the new ones, and how many such collections come before one of
# older objects, and of all. Pages make many: at Python's own 700, 10, 10, collections took a seventh of the time in a full room.
GARBAGE_THRESHOLDS = 5_000, 20, 20

LOADED = (
    "tsk_core.estimators.classifier",
    *("ui.explore.run_panel", "ui.page.sidebar", "ui.page.sidebar", "ui.presets", "ui.tuning"),
)


def main() -> None:
    """Show the page that the address names."""
    st.set_page_config(
        page_title="TSK Explorer",
        page_icon=HERE / "ui" / "icon.svg",
        layout="wide",
        initial_sidebar_state="collapsed" if presenting() else 240,
    )
    st.html(f'<style>@import url("./app/static/{styles_file()}");</style>')
    log_in_first()
    provide_client()
    close_drawer()
    pages = _pages()
    if (url := st.context.url or "").startswith("http"):  # as the browser sees it; a test without a browser has none
        pages.append(st.Page(documentation_address(url), title="Docs", icon=":material/help:"))
    page = st.navigation(pages, position="top")
    log_out_button()
    page.run()


def _pages() -> list[st.Page]:
    return [
        st.Page(HERE / "pages" / "explore.py", title="Explore", icon=":material/play_circle:", default=True),
        st.Page(HERE / "pages" / "learn.py", title="Learn", icon=":material/school:"),
        st.Page(HERE / "pages" / "compare.py", title="Compare", icon=":material/compare_arrows:"),
        st.Page(HERE / "pages" / "sweep.py", title="Sweep", icon=":material/stacked_line_chart:"),
        st.Page(HERE / "pages" / "paper.py", title="Paper", icon=":material/menu_book:"),
        st.Page(HERE / "pages" / "runs.py", title="Runs", icon=":material/history:"),
    ]


def prepare() -> None:
    """Start the engine and load what the first page and the end of a run need, which takes seconds: a visitor would wait for it.

    In this thread: two threads that import torch and scikit-learn at once may each see modules of the other that are half loaded.
    """
    with suppress(Exception):  # the page says what is wrong
        get_engine()
        warm()  # the process that reads files
    for name in LOADED:
        import_module(name)
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    gc.freeze()  # modules stay: a collection of garbage that looks through them holds up all pages for a quarter of a second


if __name__ == "__main__":
    with page_lock(visitor(), address()):
        main()
else:
    prepare()
    logging.disable(logging.WARNING)  # that no session asks
    st.navigation(_pages())  # else Streamlit runs the page that its first visitor's link names by itself, without this file
    logging.disable(logging.NOTSET)
    app = st.App(__file__, routes=[*documentation_routes(), *live_routes(), *watch_routes()], middleware=middleware())

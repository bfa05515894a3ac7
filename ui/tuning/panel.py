"""A search for good settings on the page: as it goes, then what it found and a button that takes it over."""

import time

import streamlit as st

from tsk_core.config import SETTINGS, START_KEY, TrainConfig
from tsk_core.jobs import Status
from ui.data.choose import Chosen
from ui.live import feed_search, mount
from ui.platform.errors import show_errors
from ui.runs import current_run
from ui.runs.side_tasks import follow, stop
from ui.settings import starting
from ui.text import in_markdown
from ui.tuning import sentences
from ui.tuning.search import OPEN, Search, status_on

__all__ = ["search_panel"]

_BOX = "search_box"  # key of the box


def search_panel(config: TrainConfig | None, test_size: float, chosen: Chosen | None) -> None:
    """The box of the search on the chosen table, if there is one.

    config, test_size: of the page; the split of a search may be another.
    """
    with st.container(), show_errors():  # always there, so that what is below keeps its place
        status = status_on(chosen.dataset) if chosen is not None and chosen.dataset is not None else None
        if status is None:
            return
        search = Search.load(status)
        st.session_state[_BOX] = st.session_state.get(OPEN, False)  # the state of the widget alone is lost on another page
        box = st.expander("Search for good settings", key=_BOX, on_change=_keep_open)
        with box:
            if not search.status.ended:
                follow(search.status.run, _progress)
            elif not box.open:
                return
            elif search.best is None:
                st.warning(in_markdown(search.status.message or "The search ended before any settings had a score."))
                return
            else:
                _found(search, config, test_size)
                feed_search(search.message())
            mount("search", key="search")


def _keep_open() -> None:
    st.session_state[OPEN] = st.session_state[_BOX]


def _progress(status: Status) -> None:
    """While it goes: how far it is, the best so far, and a button that stops."""
    search = Search.load(status)
    tried, training = len(search.trials), current_run.active() is not None
    seconds = _seconds(status, tried)
    with st.container(horizontal=True, vertical_alignment="center"):
        share = min(1.0, seconds / status.max_epochs) if status.max_epochs else 0.0
        st.progress(share, text=in_markdown(sentences.standing(status, seconds, tried, training)))
        keeps = "Keeps the best settings so far."
        st.button("Stop search", disabled=not search.owned, on_click=stop, args=(status.run,), help=keeps)
    st.markdown(in_markdown(sentences.best_text(search.best, search.own)))
    feed_search(search.message())


def _seconds(status: Status, tried: int) -> float:
    """Seconds since the search began: as last reported, and those since."""
    if not tried:
        return 0.0
    known = st.session_state.get("search_clock")
    if known is None or known[:2] != (status.run, status.epoch):
        known = st.session_state.search_clock = (status.run, status.epoch, time.monotonic())
    return status.epoch + time.monotonic() - known[2]


def _found(search: Search, config: TrainConfig | None, test_size: float) -> None:
    """The result in words, and the button."""
    best, values = search.best, _values(search.best["config"])
    st.markdown(in_markdown(sentences.ended_text(best, search.metrics)))
    changes = starting.changes_to(values)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Use these settings", type="primary", disabled=not changes, on_click=_use, args=(search.best["config"],))
        listed = f"Changes {', '.join(changes)}. The seed and the test share stay." if changes else "The page has these settings."
        st.caption(in_markdown(listed))
    st.caption(in_markdown(sentences.honest_text(best, search.own, len(search.trials))))
    seed, share = search.split()
    moved = sentences.split_text((seed, seed if config is None else config.random_state), (share, test_size))
    for note in (*search.metrics.get("notes", ()), moved):
        if note:
            st.caption(in_markdown(note))


def _values(settings: dict) -> dict[str, object]:
    """The value of each widget under these settings, by its key; without test share and seed."""
    known = {name: value for name, value in settings.items() if name in SETTINGS and name not in ("random_state", "device")}
    return starting.values_at("recommended", **known)


def _use(settings: dict) -> None:
    """Set all widgets; a callback, so that it comes before they are drawn."""
    for key, value in _values(settings).items():
        st.session_state[key] = value
    start = starting.nearest(TrainConfig.from_dict(settings), st.session_state.get("data"))
    if start != starting.in_force():
        st.session_state[START_KEY] = start
    starting.keep()
    st.session_state[OPEN] = False
    st.toast("The settings are set. Press Train to use them.")

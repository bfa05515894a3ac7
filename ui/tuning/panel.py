"""Tuning on the page: as it goes, then what it found and a button that takes it over."""

import time

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.jobs import Status
from ui.data.choose import Chosen
from ui.live import feed, mount
from ui.platform import session
from ui.platform.caches import table_key
from ui.platform.errors import show_errors
from ui.runs import current_run
from ui.runs.side_tasks import follow, stop
from ui.settings import starting
from ui.settings.controls import TEST_DEFAULT
from ui.settings.use import use_settings
from ui.text import in_markdown
from ui.tuning import sentences
from ui.tuning.tuning_run import TuningRun, status_on


def tuning_panel(config: TrainConfig | None, test_size: float, chosen: Chosen | None) -> None:
    """The box of the tuning on the chosen table, if there is one.

    config, test_size: of the page; the split of a tuning may be another.
    """
    with st.container(), show_errors():  # always there, so that what is below keeps its place
        status = status_on(chosen.dataset) if chosen is not None and chosen.dataset is not None else None
        if status is None:
            return
        tuning = TuningRun.load(status)
        session.TUNING_BOX.set(session.TUNING_OPEN.get())  # the state of the widget alone is lost on another page
        box = st.expander("Tuning", key=session.TUNING_BOX.name, on_change=_keep_open)
        with box:
            if not tuning.status.ended:
                follow(tuning.status.run, _progress)
            elif not box.open:
                return
            elif tuning.best is None:
                st.warning(in_markdown(tuning.status.message or "Tuning ended before any settings had a score."))
                return
            else:
                _found(tuning, config, test_size)
                feed(tuning.message(), key="tuning_feed")
            mount("search", key="search", calls={"chosen": lambda number: tuning.choose(int(number))})


def is_shown(chosen: Chosen | None) -> bool:
    """Whether the page, as it was drawn last, shows in an open box what a tuning on the chosen table found or is finding."""
    dataset = chosen and chosen.dataset
    return session.TUNING_OPEN.get() and dataset is not None and session.TUNINGS.get().get(table_key(dataset)) is not None


def _keep_open() -> None:
    session.TUNING_OPEN.set(session.TUNING_BOX.get())


def _progress(status: Status) -> None:
    """While it goes: how far it is, the best so far, and a button that stops."""
    tuning = TuningRun.load(status)
    tried, training = len(tuning.trials), current_run.active() is not None
    seconds = _seconds(status)
    with st.container(horizontal=True, vertical_alignment="center"):
        share = min(1.0, seconds / status.max_epochs) if status.max_epochs else 0.0
        st.progress(share, text=in_markdown(sentences.standing(status, seconds, tried, training)))
        keeps = "Keeps the best settings so far."
        st.button("Stop tuning", disabled=not tuning.owned, on_click=stop, args=(status.run,), help=keeps)
    st.markdown(in_markdown(sentences.best_text(tuning.best, tuning.own)))
    feed(tuning.message(), key="tuning_feed")


def _seconds(status: Status) -> float:
    """Seconds since tuning began: as last reported, and those since."""
    if status.state == "queued":
        return 0.0
    known = session.TUNING_CLOCK.get()
    if known is None or known[:2] != (status.run, status.epoch):
        known = status.run, status.epoch, time.monotonic()
        session.TUNING_CLOCK.set(known)
    return status.epoch + time.monotonic() - known[2]


def _found(tuning: TuningRun, config: TrainConfig | None, test_size: float) -> None:
    """The result in words, and the button."""
    best, chosen = tuning.best, tuning.chosen
    st.markdown(in_markdown(sentences.ended_text(best, tuning.metrics, tuning.status)))
    if chosen is not best:
        st.markdown(in_markdown(sentences.chosen_text(chosen)))
    changes = starting.changes_to(chosen.config)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Use these settings", type="primary", disabled=not changes, on_click=_use, args=(chosen.config,))
        listed = f"Changes {', '.join(changes)}. The seed and the test share stay." if changes else "The page has these settings."
        st.caption(in_markdown(listed))
    st.caption(in_markdown(sentences.honest_text(best, tuning.own, len(tuning.trials), tuning.took_shortest)))
    seed, share = tuning.split()
    moved = sentences.split_text((seed, seed if config is None else config.random_state), (share, test_size))
    for note in (*tuning.metrics.get("notes", ()), moved):
        if note:
            st.caption(in_markdown(note))


def _use(config: TrainConfig) -> None:
    """Set all widgets; a callback, so that it comes before they are drawn."""
    use_settings(config, TEST_DEFAULT, keep=starting.SPLIT_KEYS)
    session.TUNING_OPEN.set(False)
    st.toast("The settings are set. Press Train to use them.")

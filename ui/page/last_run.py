"""Whoever comes back begins with their last run, as if its link had been opened, and can start over."""

import streamlit as st

from tsk_core.config import STARTING_POINTS
from tsk_core.data import dataset_names
from tsk_core.errors import TSKError
from ui.data.decisions import reset_decisions
from ui.data.source import LINK, choose_data
from ui.platform.engine import get_engine
from ui.platform.session import Key
from ui.platform.visitor import account, owner, owner_of
from ui.runs import current_run
from ui.runs.current_run import REQUESTED
from ui.settings.controls import TEST_DEFAULT
from ui.settings.opening import use_settings
from ui.settings.starting import SPLIT_KEYS

LAST_RUN = Key[str]("last_run")  # the run that this session began with, as long as that is said; "" for none
_LOOKED_AT = 5  # latest trainings among which one is looked for that can be shown


def open_last_run() -> None:
    """Put the visitor's last run into the address of a new session whose link says nothing; before anything reads the link."""
    if LAST_RUN.is_set():
        return
    LAST_RUN.set("")
    begun = LINK.is_set() or REQUESTED.get() is not None or current_run.get() is not None
    if begun or st.query_params or st.context.is_embedded or not (account() or owner_of(st.context.cookies)):
        return
    store = get_engine().store
    for record in store.ledger.records(owner(), limit=_LOOKED_AT, task="training"):
        try:
            store.open(record.id).about()
        except TSKError:  # deleted meanwhile, or damaged
            continue
        if record.state not in ("failed", "interrupted"):
            LAST_RUN.set(record.id)
            st.query_params["run"] = record.id
            return


def last_run_note() -> None:
    """The sentence, as long as the page shows that run and nobody has hidden it."""
    shown = current_run.get()
    if shown is None or LAST_RUN.get() != shown.id:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", width="content", key="last_run_note"):
        st.markdown("Your last run.", width="content")
        st.button(
            "Start over", type="tertiary", on_click=_start_over, help="Shows the first screen; the page Runs keeps the run."
        )
        st.button("Hide", icon=":material/close:", type="tertiary", key="hide_last_run", on_click=LAST_RUN.set, args=("",))


def _start_over() -> None:
    """The first screen as strangers see it; a callback."""
    LAST_RUN.set("")
    shown = current_run.get()
    if shown is not None and (gallery := shown.data.get("gallery")):
        reset_decisions(f"gallery:{gallery}", shown.data["target"])
    current_run.clear()
    LINK.set({})  # the data are not those of the run any more
    choose_data(dataset_names()[0])
    use_settings(STARTING_POINTS["paper"], TEST_DEFAULT, keep=SPLIT_KEYS)

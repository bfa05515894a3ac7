"""The comparison run: the previous run, a pinned one, or none; and what changed between it and the run shown."""

import pandas as pd
import streamlit as st

from tsk_core.errors import TSKError
from tsk_core.runs import Record
from ui.engine import the_engine
from ui.owner import owner
from ui.runs import current_run
from ui.runs.differences import changed_settings, differences, side_of
from ui.runs.names import name_of, settings_of
from ui.runs.run_view import RunView
from ui.text import in_markdown, shortened

__all__ = ["compare_row", "comparison_run", "fetch_pinned"]

PREVIOUS, NOTHING = "before", "nothing"
_OPTIONS = {PREVIOUS: "the previous run", NOTHING: "nothing"}


def fetch_pinned() -> None:
    """Fetch which runs this browser pinned; once per run of the script, since a run that trains is drawn twice a second."""
    st.session_state.pinned = the_engine().store.records(owner(), pinned=True, task="training")


def comparison_run(run: RunView) -> RunView | None:
    """The run that is drawn dashed behind this one, as chosen in this session; None if there is none."""
    choice = _choice(run)
    if choice == NOTHING:
        return None
    if choice == PREVIOUS:
        return current_run.previous()
    loaded: RunView | None = st.session_state.get("compared_run")
    if loaded is None or loaded.id != choice:
        try:
            loaded = st.session_state.compared_run = RunView.load(choice)
        except TSKError as error:  # deleted meanwhile
            st.session_state.pinned = [record for record in st.session_state.pinned if record.id != choice]
            st.session_state.compare_note = str(error)
            return current_run.previous()
    return loaded


def compare_row(run: RunView, comparison: RunView | None) -> None:
    """One line: what the run is compared with, a box to change it, the table of differences, and a pin for the run shown."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="compare_row"):
        st.caption(in_markdown(_sentence(run, comparison)))
        _choice_box(run)
        box = st.popover("What changed", disabled=comparison is None, key="what_changed", on_change="rerun")
        if comparison is not None and box.open:
            with box:
                _table(comparison, run)
        _pin_button(run)
    if note := st.session_state.get("compare_note"):
        st.warning(in_markdown(note))


def _sentence(run: RunView, comparison: RunView | None) -> str:
    choice = _choice(run)
    if choice == NOTHING:
        return "No comparison."
    if comparison is None:
        return "There is no previous run on this dataset yet."
    pinned = {record.id: name_of(record) for record in _pinned()}
    name = _OPTIONS[PREVIOUS] if choice == PREVIOUS else shortened(pinned[choice], 40)
    changes = ", ".join(map(str, changed_settings(side_of(comparison), side_of(run))))
    return f"Compared with {name} (dashed or outlined): {changes or 'same settings'}."


def _choice_box(run: RunView) -> None:
    options = {**_OPTIONS, **_pinned_names(run)}
    # The choice is not kept in the widget, whose options change with the data and with the pins.
    st.session_state["compare:with"] = _choice(run)
    st.selectbox(
        "Compare with", options, format_func=options.get, key="compare:with", on_change=_store_choice, width=290,
    )  # fmt: skip


def _store_choice() -> None:
    st.session_state.compared_with = st.session_state["compare:with"]
    st.session_state.pop("compare_note", None)


def _choice(run: RunView) -> str:
    """The last choice, if it is possible for this dataset; else the previous run."""
    choice = st.session_state.get("compared_with", PREVIOUS)
    return choice if choice in _OPTIONS or choice in _pinned_names(run) else PREVIOUS


def _pinned_names(run: RunView) -> dict[str, str]:
    """Id -> name of the pinned runs that can be compared with this one."""
    fitting = [record for record in _pinned() if _is_comparable(record, run)]
    return {record.id: f"{record.name or record.id[:4]}: {settings_of(record)}" for record in fitting}


def _is_comparable(record: Record, run: RunView) -> bool:
    same_data = (record.sha256, record.target) == (run.data["sha256"], run.data["target"])
    return same_data and record.id != run.id and record.state in ("finished", "stopped") and record.rca is not None


def _pinned() -> list[Record]:
    return st.session_state.get("pinned", [])


def _pin_button(run: RunView) -> None:
    pinned = any(record.id == run.id for record in _pinned())
    words = "Only the person who started this run can pin it."
    if run.owned:
        words = "The server never deletes a pinned run to free disk space, and later runs can be compared with it here."
    st.button(
        "Unpin" if pinned else "Pin", key="pin", disabled=not run.owned, help=words, on_click=_pin, args=(run.id, not pinned)
    )


def _pin(run: str, pinned: bool) -> None:
    st.session_state.pop("compare_note", None)
    try:
        the_engine().store.pin(run, pinned, owner())
        fetch_pinned()
    except TSKError as error:
        st.session_state.compare_note = str(error)


def _table(comparison: RunView, run: RunView) -> None:
    lines = differences(side_of(comparison), side_of(run))
    rows = [
        {"": line.what, "before": line.before, "now": line.now, "difference": ", ".join(filter(None, line[3:]))} for line in lines
    ]
    st.table(pd.DataFrame(rows).map(in_markdown), border="horizontal", hide_index=True, alt="What changed between the two runs")
    if not run.status.ended:
        st.caption("The run is still training; these are the numbers of its newest epoch.")

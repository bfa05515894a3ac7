"""What the run shown is compared with: the run before it, a pinned one, or nothing; and what changed between the two."""

import pandas as pd
import streamlit as st

from tsk_core.errors import TSKError
from tsk_core.runs.store import Record
from ui import runs
from ui.differences import Side, changed_settings, differences
from ui.engine import the_engine
from ui.owner import owner
from ui.run_list import name_of, settings_of
from ui.runs import Shown
from ui.text import in_markdown, shortened

__all__ = ["compare_row", "ghost_of", "look_up_pins", "side"]

BEFORE, NOTHING = "before", "nothing"
_WORDS = {BEFORE: "the run before", NOTHING: "nothing"}


def look_up_pins() -> None:
    """Which runs this browser pinned; asked once a script run, since a page that is watched is drawn twice a second."""
    st.session_state.pins = the_engine().store.records(owner(), pinned=True, task="training")


def ghost_of(shown: Shown) -> Shown | None:
    """The run that is drawn dashed behind this one, as chosen in this session; None where there is none."""
    wish = _wish(shown)
    if wish == NOTHING:
        return None
    if wish == BEFORE:
        return runs.previous()
    kept: Shown | None = st.session_state.get("compared_run")
    if kept is None or kept.run != wish:
        try:
            kept = st.session_state.compared_run = Shown.opened(wish)
        except TSKError as error:  # removed meanwhile
            st.session_state.pins = [record for record in st.session_state.pins if record.id != wish]
            st.session_state.compare_note = str(error)
            return runs.previous()
    return kept


def compare_row(shown: Shown, ghost: Shown | None) -> None:
    """One line: what it is compared with, another choice, the table of differences, and a pin for the run shown."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="compare_row"):
        st.caption(in_markdown(_sentence(shown, ghost)))
        _choice(shown)
        box = st.popover("What changed", disabled=ghost is None, key="what_changed", on_change="rerun")
        if ghost is not None and box.open:
            with box:
                _table(ghost, shown)
        _pin_button(shown)
    if note := st.session_state.get("compare_note"):
        st.warning(in_markdown(note))


def _sentence(shown: Shown, ghost: Shown | None) -> str:
    wish = _wish(shown)
    if wish == NOTHING:
        return "Compared with nothing."
    if ghost is None:
        return "There is no run before on these data yet."
    pinned = {record.id: name_of(record) for record in _pins()}
    what = "the run before" if wish == BEFORE else shortened(pinned[wish], 40)
    changes = ", ".join(map(str, changed_settings(side(ghost), side(shown))))
    return f"Against {what} (dashed or outlined): {changes or 'nothing changed'}."


def _choice(shown: Shown) -> None:
    options = {**_WORDS, **_names(shown)}
    # Kept apart from the widget, whose options come and go with the data and with pins.
    st.session_state["compare:with"] = _wish(shown)
    st.selectbox(
        "Compare with", options, format_func=options.get, key="compare:with", on_change=_choose, width=290,
    )  # fmt: skip


def _choose() -> None:
    st.session_state.compared_with = st.session_state["compare:with"]
    st.session_state.pop("compare_note", None)


def _wish(shown: Shown) -> str:
    """What was chosen last, where these data have it; else the run before."""
    wish = st.session_state.get("compared_with", BEFORE)
    return wish if wish in _WORDS or wish in _names(shown) else BEFORE


def _names(shown: Shown) -> dict[str, str]:
    """The pinned runs that can be compared with this one, and what they are called."""
    fitting = [record for record in _pins() if _compares(record, shown)]
    return {record.id: f"{record.name or record.id[:4]}: {settings_of(record)}" for record in fitting}


def _compares(record: Record, shown: Shown) -> bool:
    same_data = (record.sha256, record.target) == (shown.data["sha256"], shown.data["target"])
    return same_data and record.id != shown.run and record.state in ("finished", "stopped") and record.rca is not None


def _pins() -> list[Record]:
    return st.session_state.get("pins", [])


def _pin_button(shown: Shown) -> None:
    pinned = any(record.id == shown.run for record in _pins())
    words = (
        "A pinned run is never removed to make room, and can be chosen here to compare later runs with."
        if shown.mine
        else "Only the person who started this run can pin it."
    )
    st.button(
        "Unpin" if pinned else "Pin", key="pin", disabled=not shown.mine, help=words, on_click=_pin, args=(shown.run, not pinned)
    )


def _pin(run: str, pinned: bool) -> None:
    st.session_state.pop("compare_note", None)
    try:
        the_engine().store.pin(run, pinned, owner())
        look_up_pins()
    except TSKError as error:
        st.session_state.compare_note = str(error)


def _table(ghost: Shown, shown: Shown) -> None:
    lines = differences(side(ghost), side(shown))
    rows = [
        {"": line.what, "before": line.before, "now": line.now, "difference": ", ".join(filter(None, line[3:]))} for line in lines
    ]
    st.table(pd.DataFrame(rows).map(in_markdown), border="horizontal", hide_index=True, alt="What changed between the two runs")
    if not shown.status.ended:
        st.caption("The run is still training; its numbers are those of its newest epoch.")


def side(shown: Shown) -> Side:
    """A run as one side of a table of differences."""
    return Side(shown.config, shown.test_size, shown.history, shown.metrics)

"""The runs of this browser as a list, and what can be done with those that are selected."""

from datetime import UTC, datetime

import pandas as pd
import streamlit as st

from tsk_core.config import SETTINGS
from tsk_core.runs.store import Record
from ui import figures, runs
from ui.card import address
from ui.controls import label_of
from ui.engine import the_engine
from ui.guard import errors_said
from ui.owner import owner
from ui.text import in_chart, in_markdown, in_words, shortened

__all__ = ["choose", "compare", "name_of", "one", "room", "settings_of"]

PAGE = 200  # runs a page of the list
_STATES = {
    "queued": "waiting", "running": "training", "finished": "finished", "stopped": "stopped", "failed": "failed",
    "interrupted": "interrupted",
}  # fmt: skip
_SHORT = ("n_rules", "ur_weight", "batch_norm", "batch_size", "random_state")  # settings that fit into a line


def room() -> None:
    """What is kept, and for how long."""
    room = the_engine().store.room()
    st.caption(
        f"{room.bytes / 1e6:,.0f} of {room.bound / 1e6:,.0f} MB are used on this server by everybody's runs. When they are full,"
        " the oldest runs go that nobody pinned. A run's link works for anyone who has it."
    )
    if room.message:
        st.warning(in_markdown(room.message))


def choose() -> list[Record]:
    """The list, newest first; returns the runs that are ticked."""
    store, mine = the_engine().store, owner()
    count = store.count(mine, task="training")
    if not count:
        st.info("Nothing was trained in this browser yet, or its cookie is gone. Press Train on the page Explore.")
        return []
    pages = -(-count // PAGE)
    at = st.number_input("Page", 1, pages, 1, help=f"{count:,} runs.") if pages > 1 else 1
    records = store.records(mine, PAGE, (at - 1) * PAGE, task="training")
    seen = st.dataframe(
        pd.DataFrame([_line(record) for record in records]), key=f"runs:{at}:{st.session_state.get('runs_version', 0)}",
        hide_index=True, width="stretch", height=min(460, 38 + 35 * len(records)), on_select="rerun", selection_mode="multi-row",
        column_config={
            "name": st.column_config.TextColumn(width=150),
            "when": st.column_config.DatetimeColumn(format="distance", width="small"),
            "test RCA": st.column_config.NumberColumn(format="%.3f", width="small"),
            "test BCA": st.column_config.NumberColumn(format="%.3f", width="small"),
            "seconds": st.column_config.NumberColumn(format="%.1f", width="small"),
        },
    )  # fmt: skip
    ticked = [records[row] for row in seen.selection.rows if row < len(records)]
    if not ticked:
        st.caption("Tick a run to open, rename, pin, share or delete it; tick several to compare them.")
    return ticked


def one(record: Record) -> None:
    """What can be done with a single run."""
    st.subheader(in_markdown(shortened(name_of(record), 60)), anchor=False)
    if record.message:
        st.caption(in_markdown(record.message))
    opened, pinned, download, delete = st.columns(4)
    if opened.button("Open", type="primary", width="stretch"):
        runs.put_away()
        st.switch_page("pages/explore.py", query_params={"run": record.id})
    with errors_said():
        if pinned.button(
            "Unpin" if record.pinned else "Pin", width="stretch", help="A pinned run is never removed to make room."
        ):
            _changed(the_engine().store.pin, record.id, not record.pinned)
        if record.state in ("finished", "stopped") and record.rca is not None:
            download.download_button(
                "Download", lambda: the_engine().store.archive(record.id), f"run-{record.id[:8]}.zip", "application/zip",
                on_click="ignore", width="stretch",
            )  # fmt: skip
        with delete.popover("Delete…", width="stretch", disabled=not record.ended):
            st.markdown("Its model, epochs and rules are lost, and its link stops working.")
            if st.button("Delete this run", type="primary"):
                _changed(the_engine().store.remove, record.id)
        name = st.text_input("Name", record.name, max_chars=80, key=f"name:{record.id}", placeholder=name_of(record))
        if name != record.name:
            _changed(the_engine().store.rename, record.id, name)
    st.caption("Link to share")
    st.code(address(f"/?run={record.id}"), language=None, wrap_lines=True)


def compare(records: list[Record]) -> None:
    """Several runs side by side: settings that differ, scores, and accuracy by epoch."""
    st.subheader(f"{len(records)} runs compared", anchor=False)
    settings = [record.settings for record in records]
    differ = [name for name in SETTINGS if len({str(s.get(name)) for s in settings}) > 1]
    titles = [f"{k}: {shortened(name_of(record), 30)}" for k, record in enumerate(records, 1)]
    table = pd.DataFrame(
        {
            title: {
                "data": record.dataset,
                **{label_of(name): str(record.settings.get(name)) for name in differ},
                "test RCA": _score(record.rca),
                "test BCA": _score(record.bca),
                "seconds": "–" if record.seconds is None else f"{record.seconds:.1f}",
            }
            for title, record in zip(titles, records, strict=True)
        }
    )
    st.dataframe(table, width="stretch", column_config={"_index": st.column_config.TextColumn(width=180)})
    if len({(record.sha256, record.target) for record in records}) > 1:
        st.caption("These runs have different data, so their scores do not compare.")
    elif not differ:
        st.caption("These runs have the same settings.")
    dark = st.context.theme.type == "dark"
    histories = {in_chart(title): the_engine().history(record.id) for title, record in zip(titles, records, strict=True)}
    figure = figures.compared_chart({name: epochs for name, epochs in histories.items() if epochs}, dark=dark)
    words = "Test RCA by epoch of each run; the names are those of the table."
    st.plotly_chart(figure, theme=None, width="stretch", alt=words, config={"displayModeBar": False})


def _changed(change, run: str, *values) -> None:
    """Change a run of this browser, and draw the list anew: its rows may have moved, so nothing stays ticked."""
    change(run, *values, owner())
    if change.__name__ == "remove":
        st.session_state.runs_version = st.session_state.get("runs_version", 0) + 1
    st.rerun()


def _line(record: Record) -> dict:
    """A run's line in the list; a phone shows its beginning, the scores too."""
    return {
        "name": name_of(record),
        "test RCA": record.rca,
        "test BCA": record.bca,
        "state": _STATES[record.state] + (", pinned" if record.pinned else ""),
        "data": record.dataset,
        "settings": settings_of(record),
        "seconds": record.seconds,
        "when": datetime.fromtimestamp(record.created, UTC),
    }


def name_of(record: Record) -> str:
    """What its owner calls it, else its dataset and the beginning of its id."""
    return record.name or f"{record.dataset} {record.id[:4]}"


def settings_of(record: Record) -> str:
    """The settings in a line: "R 20, λ 1, BN bn, B 64, seed 3"."""
    values = record.settings
    return ", ".join(f"{SETTINGS[name].symbol or 'seed'} {in_words(values[name])}" for name in _SHORT if name in values)


def _score(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"

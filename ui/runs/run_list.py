"""The runs of this browser as a list, and the actions on the selected ones."""

import hashlib
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from tsk_core.epoch import Epoch
from tsk_core.errors import RunError, TSKError
from tsk_core.runs import Record, same_table
from tsk_core.setting_values import in_words, shown_value
from tsk_core.settings import SETTINGS
from ui.charts.drawn import blank_chart, palette
from ui.platform.drawing import show_errors
from ui.platform.engine import get_engine
from ui.platform.session import Key, Keys
from ui.platform.visitor import owner
from ui.runs import current_run
from ui.runs.differences import split_of
from ui.runs.run_view import differing, kind_of, name_of, settings_of
from ui.runs.side_tasks import conditions, full_address
from ui.text import in_chart, in_markdown, shortened

RUN_NAME = Keys[str]("name:{}")  # run -> the field of its name
RUN_LIST_NOTE = Key[str]("run_list_note", "")  # why a press on the list did nothing; shown once


PAGE = 200  # runs per page of the list
_STATES = {
    "queued": "queued", "running": "running", "finished": "finished", "stopped": "stopped", "failed": "failed",
    "interrupted": "interrupted",
}  # fmt: skip
# Kinds that a page shows by a link.
_OPENED = {"training": "explore", "tuning": "explore", "comparison": "compare", "sweep": "sweep"}
_OF_SEVERAL = ("comparison", "sweep")  # kinds whose trainings differ in their settings: no score is that of the run
_ABOUT_KIND = {
    "tuning": "A tuning, which has no model. “Open” shows what it found and lets you use its settings.",
    "comparison": "A comparison of variants, which has no model. “Open” shows it on the page Compare.",
    "sweep": "A sweep, which has no model. “Open” shows it on the page Sweep.",
    "cross-validation": "A cross-validation, which has no model: the page Explore shows its scores below the run it belongs to.",
    "rule-stability": "A check of how stable rules are, which has no model: the tab Rules of the run it belongs to shows it.",
    "same-size": "A tree and a rule list as large as a run's rules: the tab Rules of the run it belongs to shows their scores.",
}

_DASHES = ("solid", "dash", "dot")


def disk_space() -> None:
    """How much disk space the runs take, and what is deleted when it is full."""
    space = get_engine().store.housekeeping.disk_space()
    st.caption(
        f"The runs of all users take {space.used / 1e6:,.0f} of {space.limit / 1e6:,.0f} MB on this server. When they exceed this"
        " limit, the server deletes the oldest unpinned runs of those who store most. Anyone with the link of a run can open it."
    )
    if space.message:
        st.warning(in_markdown(space.message))


def select_runs() -> list[Record]:
    """The list, newest first; returns the selected runs."""
    store, browser = get_engine().store, owner()
    count = store.ledger.count(browser)
    if not count:
        st.info("This browser has no runs yet, or it deleted its cookie. Press Train on the page Explore.")
        return []
    pages = -(-count // PAGE)
    page = st.number_input("Page", 1, pages, 1, help=f"{count:,} runs.") if pages > 1 else 1
    records = store.ledger.records(browser, PAGE, (page - 1) * PAGE)
    differ = differing(record.settings for record in records if record.task not in (*_OF_SEVERAL, "tuning"))
    table = st.dataframe(
        pd.DataFrame([_line(record, differ) for record in records]), key=_key(records),
        hide_index=True, width="stretch", height=min(460, 38 + 35 * len(records)), on_select="rerun", selection_mode="multi-row",
        placeholder="", column_config={
            "name": st.column_config.TextColumn(width=150),
            "when": st.column_config.DatetimeColumn(format="distance", width="small"),
            "test RCA": st.column_config.NumberColumn(format="%.3f", width="small"),
            "test BCA": st.column_config.NumberColumn(format="%.3f", width="small"),
            "seconds": st.column_config.NumberColumn(format="%.1f", width="small"),
        },
    )  # fmt: skip
    selected = [records[row] for row in table.selection.rows if row < len(records)]
    if not selected:
        st.caption("Select a run to open, rename, pin, share or delete it; select several to compare them.")
    return selected


def _key(records: list[Record]) -> str:
    """Of the table of these runs: where others come or go, rows move, and what was selected would be another run."""
    return f"runs:{hashlib.sha256(''.join(record.id for record in records).encode()).hexdigest()[:12]}"


def run_actions(record: Record) -> None:
    """Open, pin, download, delete, rename or share a run; each press acts on the run that it was drawn for."""
    st.subheader(in_markdown(shortened(name_of(record), 60)), anchor=False)
    if record.message:
        st.caption(in_markdown(record.message))
    training = record.task == "training"
    if not training:
        st.caption(_ABOUT_KIND.get(record.task, f"A {kind_of(record)}, which has no model."))
    left, pinned, download, delete = st.columns(4)
    page = _OPENED.get(record.task)
    if left.button("Open", type="primary", width="stretch", disabled=page is None, key=f"open:{record.id}"):
        if page == "explore":
            current_run.close()
        st.switch_page(f"pages/{page}.py", query_params={"run": record.id})
    with show_errors():
        pinned.button(
            "Unpin" if record.pinned else "Pin", key=f"pin:{record.id}", width="stretch", on_click=_change,
            args=(get_engine().store.housekeeping.pin, record.id, not record.pinned),
            help="The server never deletes a pinned run to free disk space.",
        )  # fmt: skip
        if training and record.has_scores:
            download.download_button(
                "Download", lambda: get_engine().store.archive(record.id, conditions()), f"run-{record.id[:8]}.zip",
                "application/zip", on_click="ignore", width="stretch",
            )  # fmt: skip
        with delete.popover("Delete…", width="stretch", disabled=not record.ended):
            _delete_form(record)
        name = RUN_NAME(record.id)
        name.set(record.name)  # as it is kept: without stray blanks, and as another tab may have set it
        st.text_input("Name", max_chars=80, key=name.name, placeholder=name_of(record), on_change=_rename, args=(record.id,))
        if note := RUN_LIST_NOTE.pop():
            st.error(in_markdown(note))
    if page is None:
        return
    st.caption("Link to share")
    st.code(full_address(f"/{'' if page == 'explore' else page}?run={record.id}"), language=None, wrap_lines=True)


def _delete_form(record: Record) -> None:
    st.markdown("This deletes its model, epochs and rules, and its link stops working.")
    store = get_engine().store
    st.button(
        "Delete this run",
        type="primary",
        on_click=_change,
        args=(store.housekeeping.remove, record.id),
        key=f"delete:{record.id}",
    )
    if record.data_kept:
        st.markdown("Or delete the table that is kept with it: the run stays, and its link then needs the file.")
        st.button(
            "Delete its table",
            on_click=_change,
            args=(store.housekeeping.remove_table, record.id),
            key=f"delete_table:{record.id}",
        )


def compare(records: list[Record]) -> None:
    """Several trainings side by side: settings that differ, scores, and accuracy by epoch; other runs have no epochs."""
    if others := [record for record in records if record.task != "training"]:
        st.info(f"Only trainings can be compared: deselect each {kind_of(others[0])}.")
        return
    st.subheader(f"{len(records)} runs compared", anchor=False)
    differ = differing(record.settings for record in records)
    titles = [f"{k}: {shortened(name_of(record), 30)}" for k, record in enumerate(records, 1)]
    table = pd.DataFrame(
        {
            title: {
                "data": record.dataset,
                **{
                    SETTINGS[name].title: in_words(shown_value(name, record.settings.get(name)))
                    for name in SETTINGS
                    if name in differ
                },
                "state": _STATES[record.state],
                "test RCA": _score(record.rca),
                "test BCA": _score(record.bca),
                "seconds": "–" if record.seconds is None else f"{record.seconds:.1f}",
            }
            for title, record in zip(titles, records, strict=True)
        }
    )
    st.dataframe(table, width="stretch", column_config={"_index": st.column_config.TextColumn(width=180)})
    if text := _what_they_share(records, bool(differ)):
        st.caption(text)
    dark = st.context.theme.type == "dark"
    histories = {in_chart(title): get_engine().history(record.id) for title, record in zip(titles, records, strict=True)}
    figure = _chart({name: epochs for name, epochs in histories.items() if epochs}, dark=dark)
    alt = "Test RCA of each run by epoch; the lines have the names of the table."
    st.plotly_chart(figure, theme=None, width="stretch", alt=alt, config={"displayModeBar": False})


def _chart(histories: dict[str, Sequence[Epoch]], *, dark: bool) -> go.Figure:
    """Test RCA by epoch of several runs, one line per run; keys: the names of the runs, as ``in_chart`` gives them."""
    figure, colours = blank_chart("Epoch", "Test RCA", dark), palette(dark)
    for k, (name, history) in enumerate(histories.items()):
        training = [e for e in history if e.stage == "training"] or list(history)
        line = {"color": colours[k % len(colours)], "dash": _DASHES[k // len(colours) % len(_DASHES)]}
        figure.add_scatter(x=[e.epoch for e in training], y=[e.rca_test for e in training], name=name, mode="lines", line=line)
    return figure


def _what_they_share(records: list[Record], differ: bool) -> str:
    """A sentence where runs have other data, other test rows or the same settings; else "". differ: whether settings do."""
    if not same_table(*records):
        return "These runs have different data, so their scores cannot be compared."
    with suppress(RunError):  # of a run that was deleted meanwhile
        abouts = [get_engine().store.open(record.id).about() for record in records]
        seeds = [record.settings.get("random_state") for record in records]
        splits = {split_of(one["dataset"], seed, one["test_size"]) for one, seed in zip(abouts, seeds, strict=True)}
        if len(splits) > 1:
            return "These runs have different test rows: the seed, the share of test rows or the splitting method differs."
    return "" if differ else "These runs have the same settings."


def _change(method: Callable[..., None], run: str, *values: object) -> None:
    """A callback: change a run of this browser; a refusal is a note below its actions."""
    try:
        method(run, *values, owner())
    except TSKError as error:
        RUN_LIST_NOTE.set(str(error))


def _rename(run: str) -> None:
    _change(get_engine().store.ledger.rename, run, RUN_NAME(run).get() or "")


def _line(record: Record, differ: Collection[str]) -> dict[str, Any]:
    """A row of the list; the first columns, which a phone shows, include the scores. differ: settings that differ in the list."""
    return {
        "name": name_of(record),
        "test RCA": record.rca if record.task not in _OF_SEVERAL else None,
        "test BCA": record.bca if record.task not in _OF_SEVERAL else None,
        "state": _STATES[record.state] + (", pinned" if record.pinned else ""),
        "kind": kind_of(record),
        "data": record.dataset,
        "settings": "" if record.task in (*_OF_SEVERAL, "tuning") else settings_of(record, differ),
        "seconds": record.seconds,
        "when": datetime.fromtimestamp(record.created, UTC),
    }


def _score(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"

"""Any two runs of this browser: what differs in their settings and scores, and where they do not share split or start."""

from typing import Any

import pandas as pd
import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.errors import TSKError
from tsk_core.runs import Record, same_table
from ui.platform.drawing import show_errors
from ui.platform.engine import get_engine
from ui.platform.session import Key
from ui.platform.visitor import owner
from ui.runs import run_list
from ui.runs.differences import differences, paired_scores, same_test_rows, side_of, way_of
from ui.runs.run_view import RunView, name_of, settings_of
from ui.text import in_markdown, shortened

TWO_RUNS = Key[dict[str, Any]]("two_runs", make=dict)  # id of a run -> its RunView


LATEST = 50  # trainings to choose from


def my_runs() -> None:
    """A folded box with two selects; below them the differences."""
    box = st.expander("Any two of my runs", key="my_runs", on_change="rerun")
    if not box.open:
        return
    with box, show_errors():
        newest = get_engine().store.ledger.records(owner(), LATEST, task="training")
        records = {record.id: record for record in newest if record.has_scores}
        if len(records) < 2:
            st.caption("This browser has fewer than two finished runs; train more on the page Explore.")
            return
        first, second = st.columns(2)
        ids = list(records)
        before = first.selectbox("First run", ids, 1, format_func=lambda run: _label(records[run]), key="first_run")
        after = second.selectbox("Second run", ids, 0, format_func=lambda run: _label(records[run]), key="second_run")
        if before == after:
            st.caption("Choose two different runs.")
            return
        _show(records[before], records[after])


def caveats(before: RunView, after: RunView) -> list[str]:
    """A sentence for each thing besides the settings in which the two runs differ."""
    if not same_table(before.data, after.data):
        return ["The two runs have different data, so their scores cannot be compared."]
    caveats = []
    seeds, ways = (before.config.random_state, after.config.random_state), (way_of(before.data), way_of(after.data))
    same_rows = same_test_rows(before, after)
    if ways[0] != ways[1]:
        caveats.append("Their rows are split in different ways: they do not share the test rows.")
    elif seeds[0] != seeds[1]:
        split = "" if same_rows else "another split, "
        state = "initial state" if split else "another initial state"
        caveats.append(f"They have different seeds ({seeds[0]} and {seeds[1]}): {split}{state} and batch order.")
    elif not same_rows:
        caveats.append("They have the same seed but different shares of test rows: they do not share the split.")
    elif _start_of(before.config) != _start_of(after.config):
        caveats.append(
            "They share the split, but not the initial state: the number of rules, separate trainings or initial centres differ."
        )
    return caveats


def _show(before: Record, after: Record) -> None:
    views = _view(before.id), _view(after.id)
    for text in caveats(*views):
        st.warning(in_markdown(text))
    if same_table(before, after):
        paired = paired_scores(*views)
        lines = differences(side_of(views[0]), side_of(views[1]), paired)
        rows = [
            {"": line.what, "first": line.before, "second": line.now, "difference": ", ".join(filter(None, line[3:]))}
            for line in lines
        ]
        table = pd.DataFrame(rows, columns=["", "first", "second", "difference"]).map(in_markdown)
        st.table(table, border="horizontal", hide_index=True, alt="What differs between the runs")
    run_list.compare([before, after])


def _view(run: str) -> RunView:
    """A run, loaded once a session while it is looked at."""
    kept = TWO_RUNS.get()
    if run not in kept:
        while len(kept) > 3:
            del kept[next(iter(kept))]
        try:
            kept[run] = RunView.load(run)
        except TSKError:
            kept.pop(run, None)
            raise
    return kept[run]


def _start_of(config: TrainConfig) -> tuple[object, ...]:
    """What determines the initial state besides seed and rows."""
    return config.n_rules, config.n_parts, config.init


def _label(record: Record) -> str:
    return shortened(f"{name_of(record)}: {settings_of(record)}", 70)

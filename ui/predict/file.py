"""The predictions of a file's rows: a summary, the first rows, and a CSV to download."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from tsk_core import limits
from tsk_core.data import RawTable, ReadOptions, fresh_name, to_csv
from tsk_core.errors import TSKError
from tsk_core.evaluate import Decision
from tsk_core.numbers import counted
from tsk_core.predict import (
    CellCheck,
    decided,
    decision_name,
    fields_of,
    predict_checked,
    true_classes,
    with_decision,
)
from ui.data.source import KINDS, how_large, read_upload
from ui.platform import memory
from ui.platform.engine import get_engine
from ui.runs.cost_threshold import decision_of
from ui.runs.run_view import RunView
from ui.runs.score_texts import cost_text
from ui.text import in_markdown, shortened, shortened_names

# The decision that the tab Mistakes has a cost for, beside the predicted class of new rows.


DECISION_HELP = "What a missed case costs is set on the tab Mistakes."


def decision_text(decision: Decision, probabilities: Mapping[str, float]) -> str:
    """The decision for one row, as Markdown. probabilities: of the two classes."""
    classes, shares = list(probabilities), np.array([list(probabilities.values())])
    (at,) = decision.decide(shares.argmax(1), shares, classes)
    name = shortened_names(classes, 40)[at]
    return f"Decision: **{in_markdown(name)}**, because {in_markdown(cost_text(decision, classes))}."


SHOWN_ROWS = 200
SLOT, PREDICTIONS = "predict", "predictions"  # of ``read_upload`` and of ``memory.keep``


@dataclass(frozen=True)
class Predictions:
    """The predictions of a file's rows. table: what is downloaded; its last ``len(classes) + 3`` columns are new.

    true: the position of each row's class, -1 if it has none that training knew; None without a target column.
    """

    table: pd.DataFrame
    classes: list[str]
    cells: CellCheck
    true: np.ndarray | None

    @property
    def raw_columns(self) -> int:
        """How many columns the file has."""
        return self.table.shape[1] - len(self.classes) - 3

    @cached_property
    def predicted(self) -> np.ndarray:
        """The position of each row's predicted class, (N,)."""
        return pd.Index(self.classes).get_indexer(pd.Index(self.table.iloc[:, self.raw_columns].astype(str)))

    def downloaded(self, decision: Decision | None) -> pd.DataFrame:
        """The table with the decision, where there is one."""
        return self.table if decision is None else with_decision(self.table, self.classes, decision)

    @cached_property
    def misclassified(self) -> np.ndarray:
        """Whether each row's class is known and is not the predicted one, bool (N,)."""
        assert self.true is not None  # asked of a file with a target column alone
        return (self.true >= 0) & (self.true != self.predicted)


def rows_of_file(run: RunView) -> None:
    """The uploader, and below it the predictions of the file."""
    raw = _uploaded(run)
    if raw is None:
        return
    predictions = _predictions(run, raw)
    if isinstance(predictions, str):
        st.error(in_markdown(predictions))
        return
    _summary(predictions, raw)
    _scores(predictions, run)
    decision = decision_of(run)
    _table(predictions, run.data["target"], decision)
    name = f"{shortened(raw.name, 80)}-predicted.csv"
    st.download_button(
        "Download predictions",
        lambda: to_csv(predictions.downloaded(decision)),
        name,
        "text/csv",
        on_click="ignore",
        type="primary",
    )
    first, *_, rule, warning = predictions.table.columns[predictions.raw_columns :]
    weighted = run.trained.classifier.model_.log_prior is not None
    largest = "product of probability and class weight" if weighted else "probability"
    st.caption(
        f"The download has your columns and new ones. {in_markdown(first)}: the class with the largest {largest}; p(…): the"
        f" probability of each class; {in_markdown(rule)}: the number of the rule that contributes most to the predicted class;"
        f" {in_markdown(warning)}: unusual values in the row, and what replaces missing ones."
        " Cells that a spreadsheet would run as a formula get an apostrophe in front."
    )
    if decision is not None:
        because = in_markdown(cost_text(decision, predictions.classes))
        st.caption(f"{in_markdown(decision_name(decision))}: the decision, because {because}. {DECISION_HELP}")


def _uploaded(run: RunView) -> RawTable | None:
    """The file's table. The uploader loses its file when another tab is opened; the table stays in the session."""
    file = st.file_uploader(
        "File with new rows", key="predict_file", max_upload_size=limits.value("upload_mb"), on_change=_clear,
        help=f"{KINDS}. {how_large()} It needs the columns of the training table, in any order. Other columns are ignored.",
    )  # fmt: skip
    if file is not None:
        raw = read_upload(SLOT, file.file_id, file.getvalue(), file.name, ReadOptions())
        if isinstance(raw, str):
            st.error(in_markdown(raw))
            return None
        return raw
    _, raw = memory.kept(SLOT)
    if not isinstance(raw, RawTable):
        st.caption(in_markdown(f"{_expected(run)} {how_large()}"))
        return None
    note, button = st.columns([3, 1], vertical_alignment="center")
    note.caption(f"File: {in_markdown(shortened(raw.name, 60))}")
    button.button("Remove", on_click=_clear, width="stretch")
    return raw


def _expected(run: RunView) -> str:
    columns = [field.column for field in fields_of(run.trained.classifier)]
    names = ", ".join(shortened(name, 200) for name in columns[:8])  # whole: the file has to have them
    more = f" and {len(columns) - 8} more" if len(columns) > 8 else ""
    target = shortened(run.data["target"], 200)
    return f"The table needs the columns {names}{more}. If it also has the target '{target}', the predictions are scored."


def _clear() -> None:
    for name in (SLOT, PREDICTIONS):
        memory.forget(name)


def _predictions(run: RunView, raw: RawTable) -> Predictions | str:
    """The predictions of the table, or the reason why there are none; kept until the run or the file changes."""
    (known, of), predictions = memory.kept(PREDICTIONS)[0] or (None, None), memory.kept(PREDICTIONS)[1]
    if known != run.id or of is not raw:
        memory.forget(PREDICTIONS)
        try:
            predictions = _predict(run, raw)
            memory.keep(PREDICTIONS, (run.id, raw), predictions, predictions.table, raw.frame)
        except TSKError as error:
            return str(error)
    return predictions


def _predict(run: RunView, raw: RawTable) -> Predictions:
    classifier, frame = run.trained.classifier, raw.frame
    classes = [str(name) for name in classifier.classes_]
    limits.check("rows", len(frame), "Rows")
    limits.check("columns", frame.shape[1], "Columns")
    limits.check("predicted_cells", len(frame) * (frame.shape[1] + len(classes)), "Cells in the table of predictions")
    with st.spinner("Predicting…"), memory.one_at_a_time(frame):
        table, cells = predict_checked(classifier, frame)
    true = None
    if (target := run.data["target"]) in frame.columns:
        choices = get_engine().store.choices(run.id)
        true = true_classes(
            classes, frame[target], choices.bins, choices.codes_of(target), merged=choices.rare == "merge",
            not_missing=choices.not_missing.get(target, ()), one_spelling=target in choices.spellings,
        )  # fmt: skip
    return Predictions(table, classes, cells, true)


def _summary(predictions: Predictions, raw: RawTable) -> None:
    """The number of rows of each predicted class, and which cells could not be used."""
    count = len(predictions.table)
    counts = predictions.table.iloc[:, predictions.raw_columns].value_counts()
    names = shortened_names(counts.index, 40)
    most = [f"**{rows:,}** as {in_markdown(name)}" for name, rows in zip(names[:6], counts, strict=False)]
    rest = len(counts) - 6
    more = f" and {rest} more class{'es' * (rest > 1)}" if rest > 0 else ""
    st.markdown(f"**{counted(count, 'row')}** predicted: {', '.join(most)}{more}")
    st.caption(in_markdown(raw.read_options.sentence(raw.kind)))
    cells = predictions.cells
    if notes := cells.sentences(predictions.table.columns[-1]):
        (st.warning if cells.unlike.any() else st.info)("  \n".join(map(in_markdown, notes)))


def _scores(predictions: Predictions, run: RunView) -> None:
    """RCA and BCA, if the file has the true classes."""
    if predictions.true is None:
        return
    from tsk_core.evaluate import accuracy

    known = predictions.true >= 0
    target = in_markdown(f"'{shortened(run.data['target'], 40)}'")
    if not known.any():
        st.caption(f"The column {target} has no class that occurred in training, so the predictions are not scored.")
        return
    score = accuracy(predictions.true[known], predictions.predicted[known])
    wrong = counted(int(predictions.misclassified.sum()), "row") if predictions.misclassified.any() else "no row"
    unknown = len(known) - int(known.sum())
    left_out = f" Not counted: {counted(unknown, 'row')} without a class or with a class that did not occur in training."
    scores = f"RCA **{score.rca:.3f}**, BCA **{score.bca:.3f}**, {wrong} misclassified."
    st.markdown(f"Compared with the column {target}: {scores}{left_out if unknown else ''}")


def _table(predictions: Predictions, target: str, decision: Decision | None = None) -> None:
    """The first rows, beginning with the columns of the prediction."""
    where = np.arange(len(predictions.table))
    some_wrong = predictions.true is not None and predictions.misclassified.any()
    if some_wrong and st.toggle("Only misclassified rows", key="predict_wrong"):
        where = np.flatnonzero(predictions.misclassified)
    rows = where[:SHOWN_ROWS]
    view, columns = _view(predictions, target, rows, decision)
    st.dataframe(view, hide_index=True, width="stretch", height=min(420, 38 + 35 * len(view)), column_config=columns)
    if len(where) > SHOWN_ROWS:
        st.caption(f"The first {SHOWN_ROWS} of {counted(len(where), 'row')}. The download has all rows.")


def _view(
    predictions: Predictions, target: str, rows: np.ndarray, decision: Decision | None
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """The rows to show, and how their first columns are drawn."""
    part = predictions.table.iloc[rows]
    raw, new = part.iloc[:, : predictions.raw_columns], part.iloc[:, predictions.raw_columns :]
    taken = set(raw.columns)
    shares = new.iloc[:, 1:-2].to_numpy()[np.arange(len(part)), predictions.predicted[rows]]
    first = {"row": rows + 1, "predicted": new.iloc[:, 0], "probability": 100 * shares, "rule": new.iloc[:, -2]}
    if decision is not None:
        shown = {"row": rows + 1, "predicted": new.iloc[:, 0], "decision": decided(part, predictions.classes, decision)}
        first = shown | first
    if (predictions.cells.texts != "").any():
        first["warning"] = new.iloc[:, -1]
    if predictions.true is not None:
        signs = np.where(predictions.misclassified[rows], "✗", np.where(predictions.true[rows] >= 0, "✓", ""))
        first = {"row": rows + 1, "right": signs} | first
        raw = raw[[target, *(name for name in raw.columns if name != target)]]
    names = {name: fresh_name(name, taken) for name in first}
    view = pd.DataFrame({names[name]: np.asarray(values) for name, values in first.items()}, index=raw.index)
    columns = {
        names["row"]: st.column_config.NumberColumn(width=50, help="Number of the row in the file."),
        names["predicted"]: st.column_config.TextColumn(width=min(220, 30 + 8 * max(9, *map(len, predictions.classes)))),
        names["probability"]: st.column_config.ProgressColumn(
            format="%.1f%%", min_value=0, max_value=100, width=110, help="Probability of the predicted class."
        ),
        names["rule"]: st.column_config.NumberColumn(
            width=50, help="The rule that contributes most to the predicted class; the tab Rules has its text."
        ),
    }
    if decision is not None:
        help_text = f"The class decided on, because {in_markdown(cost_text(decision, predictions.classes))}."
        columns[names["decision"]] = st.column_config.TextColumn(width=columns[names["predicted"]]["width"], help=help_text)
    if "warning" in names:
        columns[names["warning"]] = st.column_config.TextColumn(width=200, help="What is odd about the row's cells.")
    if "right" in names:
        columns[names["right"]] = st.column_config.TextColumn(width=50, help="Whether the file has the same class.")
    return pd.concat([view, raw], axis=1), columns

"""The rows of a file, predicted: a sentence, the first rows, a CSV to download."""

import threading
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
import streamlit as st

from tsk_core import limits
from tsk_core.data import RawTable, ReadOptions
from tsk_core.data.clean.names import fresh_name
from tsk_core.data.export import to_csv
from tsk_core.errors import TSKError
from tsk_core.predict.new_row import fields_of
from tsk_core.predict.prediction import OddCells, odd_cells, predicted, true_classes
from ui.data.source import KINDS, how_large, read_upload
from ui.engine import the_engine
from ui.runs.run_view import RunView
from ui.text import in_markdown, shortened

__all__ = ["rows_of_file"]

SHOWN_ROWS = 200
SLOT = "predict"  # of ``read_upload``
LARGE = 20_000  # rows; tables above are predicted one after the other, or their memory would add up
_large = threading.Lock()


@dataclass(frozen=True)
class Predictions:
    """A file's rows, decided. table: what is downloaded; its last ``len(classes) + 2`` columns are new.

    true: the position of each row's class, -1 where it has none that training knew; None without a target column.
    """

    table: pd.DataFrame
    classes: list[str]
    odd: OddCells
    true: np.ndarray | None

    @property
    def raw_columns(self) -> int:
        """How many columns the file has."""
        return self.table.shape[1] - len(self.classes) - 2

    @cached_property
    def decided(self) -> np.ndarray:
        """The position of each row's predicted class, (N,)."""
        return pd.Index(self.classes).get_indexer(self.table.iloc[:, self.raw_columns].astype(str))

    @cached_property
    def wrong(self) -> np.ndarray:
        """Whether each row's class is known and another than the one predicted, bool (N,)."""
        return (self.true >= 0) & (self.true != self.decided)


def rows_of_file(shown: RunView) -> None:
    """From the file to its predictions."""
    raw = _uploaded(shown)
    if raw is None:
        return
    found = _predictions(shown, raw)
    if isinstance(found, str):
        st.error(in_markdown(found))
        return
    _said(found, raw)
    _scored(found, shown)
    _table(found, shown.data["target"])
    name = f"{shortened(raw.name, 80)}-predicted.csv"
    st.download_button("Download predictions", lambda: to_csv(found.table), name, "text/csv", on_click="ignore", type="primary")
    first, *_, last = found.table.columns[found.raw_columns :]
    st.caption(
        f"Your columns, then {in_markdown(first)}: the class with the largest probability; p(…): the probability of each class;"
        f" {in_markdown(last)}: the number of the rule that decided, the one that adds most to that class over what it adds to"
        " the others. A cell that a spreadsheet would run as a formula begins with an apostrophe."
    )


def _uploaded(shown: RunView) -> RawTable | None:
    """The file's table. The uploader forgets its file when another tab is opened; what was read of it stays."""
    file = st.file_uploader(
        "File with new rows", key="predict_file", max_upload_size=limits.value("upload_mb"), on_change=_forget,
        help=f"{KINDS}. {how_large()} The columns of training by their names, in any order; others may be there, the target too.",
    )  # fmt: skip
    if file is not None:
        raw = read_upload(SLOT, file.file_id, file.getvalue(), file.name, ReadOptions())
        if isinstance(raw, str):
            st.error(in_markdown(raw))
            return None
        return raw
    _, raw = st.session_state.get(f"read_{SLOT}", (None, None))
    if not isinstance(raw, RawTable):
        st.caption(in_markdown(f"{_wanted(shown)} {how_large()}"))
        return None
    said, button = st.columns([3, 1], vertical_alignment="center")
    said.caption(f"Your file {in_markdown(shortened(raw.name, 60))} is still here.")
    button.button("Forget it", on_click=_forget, width="stretch")
    return raw


def _wanted(shown: RunView) -> str:
    columns = [field.column for field in fields_of(shown.result.classifier)]
    names = ", ".join(shortened(name, 40) for name in columns[:8])
    more = f" and {len(columns) - 8} more" if len(columns) > 8 else ""
    target = shortened(shown.data["target"], 40)
    return f"A table with the columns of training: {names}{more}. With the target '{target}' too, the predictions are scored."


def _forget() -> None:
    for name in (f"read_{SLOT}", "predictions"):
        st.session_state.pop(name, None)


def _predictions(shown: RunView, raw: RawTable) -> Predictions | str:
    """What the run makes of the table, or why it makes nothing; kept until another run or another file comes."""
    kept = st.session_state.get("predictions")
    if kept is None or kept[0] != shown.id or kept[1] is not raw:
        try:
            found = _predict(shown, raw)
        except TSKError as error:
            found = str(error)
        kept = st.session_state.predictions = (shown.id, raw, found)
    return kept[2]


def _predict(shown: RunView, raw: RawTable) -> Predictions:
    classifier, frame = shown.result.classifier, raw.frame
    classes = [str(name) for name in classifier.classes_]
    limits.check("rows", len(frame), "Rows")
    limits.check("columns", frame.shape[1], "Columns")
    limits.check("predicted_cells", len(frame) * (frame.shape[1] + len(classes)), "Cells in the table of predictions")
    with st.spinner("Predicting…"), _large if len(frame) > LARGE else nullcontext():
        table = predicted(classifier, frame)
        odd = odd_cells(classifier, frame)
    true = None
    if (target := shown.data["target"]) in frame.columns:
        true = true_classes(classes, frame[target], the_engine().store.choices(shown.id).bins)
    return Predictions(table, classes, odd, true)


def _said(found: Predictions, raw: RawTable) -> None:
    """How many rows got which class, and what had to be looked past."""
    count = len(found.table)
    counts = found.table.iloc[:, found.raw_columns].value_counts()
    most = [f"**{rows:,}** × {in_markdown(shortened(name, 40))}" for name, rows in counts.head(6).items()]
    more = f" and {len(counts) - 6} more classes" if len(counts) > 6 else ""
    st.markdown(f"**{_many(count, 'row')}** predicted: {', '.join(most)}{more}")
    if raw.read_options:
        st.caption(in_markdown(raw.read_options.sentence(raw.kind)))
    odd, such = found.odd, {kind: f", such as {text}," for kind, text in found.odd.examples.items()}
    notes = []
    if odd.missing:
        notes.append(f"{_many(odd.missing, 'missing value')} {_was(odd.missing)} filled as in training.")
    if odd.unreadable:
        notes.append(
            f"{_many(odd.unreadable, 'cell')}{such['unreadable']} could not be read as in training"
            f" and {_was(odd.unreadable)} treated as missing."
        )
    if odd.unknown:
        notes.append(
            f"{_many(odd.unknown, 'cell')}{such['unknown']} {'has a category' if odd.unknown == 1 else 'have categories'} that"
            f" training did not have; {'it counts' if odd.unknown == 1 else 'they count'} as none of those it had."
        )
    if notes:
        (st.warning if odd.examples else st.info)("  \n".join(map(in_markdown, notes)))


def _scored(found: Predictions, shown: RunView) -> None:
    """RCA and BCA where the file says the classes."""
    if found.true is None:
        return
    from tsk_core.evaluate.metrics import accuracy

    known = found.true >= 0
    target = in_markdown(f"'{shortened(shown.data['target'], 40)}'")
    if not known.any():
        st.caption(f"No row has a class of training in the column {target}, so the predictions are not scored.")
        return
    score = accuracy(found.true[known], found.decided[known])
    wrong = _many(int(found.wrong.sum()), "row") if found.wrong.any() else "no row"
    left = len(known) - int(known.sum())
    without = f" {_many(left, 'row')} without a class, or with one that training did not have, left out." if left else ""
    st.markdown(f"Against the column {target}: RCA **{score.rca:.3f}**, BCA **{score.bca:.3f}**, {wrong} wrong.{without}")


def _table(found: Predictions, target: str) -> None:
    """The first rows, what was decided first."""
    where = np.arange(len(found.table))
    if found.true is not None and found.wrong.any() and st.toggle("Only the wrong rows", key="predict_wrong"):
        where = np.flatnonzero(found.wrong)
    rows = where[:SHOWN_ROWS]
    view, columns = _view(found, target, rows)
    st.dataframe(view, hide_index=True, width="stretch", height=min(420, 38 + 35 * len(view)), column_config=columns)
    if len(where) > SHOWN_ROWS:
        st.caption(f"The first {SHOWN_ROWS} of {_many(len(where), 'row')}; the download has all.")


def _view(found: Predictions, target: str, rows: np.ndarray) -> tuple[pd.DataFrame, dict]:
    """The rows to look at, and how their first columns are drawn."""
    part = found.table.iloc[rows]
    raw, new = part.iloc[:, : found.raw_columns], part.iloc[:, found.raw_columns :]
    taken = set(raw.columns)
    shares = new.iloc[:, 1:-1].to_numpy()[np.arange(len(part)), found.decided[rows]]
    first = {"row": rows + 1, "predicted": new.iloc[:, 0], "probability": 100 * shares, "rule": new.iloc[:, -1]}
    if found.true is not None:
        signs = np.where(found.wrong[rows], "✗", np.where(found.true[rows] >= 0, "✓", ""))
        first = {"row": rows + 1, "right": signs} | first
        raw = raw[[target, *(name for name in raw.columns if name != target)]]
    names = {name: fresh_name(name, taken) for name in first}
    view = pd.DataFrame({names[name]: np.asarray(values) for name, values in first.items()}, index=raw.index)
    columns = {
        names["row"]: st.column_config.NumberColumn(width=50, help="The row's place in the file."),
        names["predicted"]: st.column_config.TextColumn(width=min(220, 30 + 8 * max(9, *map(len, found.classes)))),
        names["probability"]: st.column_config.ProgressColumn(
            format="%.1f%%", min_value=0, max_value=100, width=110, help="Of the predicted class."
        ),
        names["rule"]: st.column_config.NumberColumn(width=50, help="The rule that decided; its sentence is in Rules."),
    }
    if "right" in names:
        columns[names["right"]] = st.column_config.TextColumn(width=50, help="Whether the file says the same class.")
    return pd.concat([view, raw], axis=1), columns


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _was(count: int, one: str = "", several: str = "") -> str:
    return f"{'was' if count == 1 else 'were'} {one if count == 1 else several}".strip()

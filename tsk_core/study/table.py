"""A table of the study, and what tables have in common: rows of averages, a column of splits."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tsk_core.numbers import counted
from tsk_core.study.names import COMPARABLE
from tsk_core.study.statistics import Results, split_counts

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "AVERAGE", "AVERAGE_COMPARABLE", "METRICS", "SPLITS", "Table", "average_note", "fewer_splits_note", "largest",
    "range_of", "smallest", "table", "with_averages", "with_splits",
]  # fmt: skip

METRICS = {"rca": "RCA", "bca": "BCA"}
AVERAGE, AVERAGE_COMPARABLE, SPLITS = "Average", "Average without Abalone", "Splits"


@dataclass(frozen=True, eq=False)
class Table:
    """One table. name: of its files; title, note: what it shows, and what has to be known to read it.

    frame: numbers, NaN where there is none, and columns of text; rows of datasets have their names of DATASETS. bold: which cells
    are printed in bold. beside: what stands beside the numbers, {"SD": …} or {"low": …, "high": …}. These have the frame's shape.
    digits: decimals; None for up to three significant digits.
    """

    name: str
    title: str
    frame: "pd.DataFrame"
    note: str
    bold: "pd.DataFrame"
    beside: "dict[str, pd.DataFrame]" = field(default_factory=dict)
    digits: int | None = 4


def table(
    name: str,
    title: str,
    frame: "pd.DataFrame",
    notes: Iterable[str],
    bold: "Callable[[pd.DataFrame], pd.DataFrame] | None" = None,
    beside: "dict[str, pd.DataFrame] | None" = None,
    digits: int | None = 4,
) -> Table:
    """A table whose note is of these sentences, the empty ones left out. bold: says of the columns of numbers which are bold."""
    numbers = frame.select_dtypes("number")
    marked = bold(numbers) if bold else numbers.ne(numbers)[:0]
    marked = marked.reindex(index=frame.index, columns=frame.columns, fill_value=False)
    shaped = {key: part.reindex(index=frame.index, columns=frame.columns) for key, part in (beside or {}).items()}
    return Table(name, title, frame, " ".join(filter(None, notes)), marked, shaped, digits)


def largest(numbers: "pd.DataFrame") -> "pd.DataFrame":
    """Bold where a number is the largest of its row, as printed; nowhere in a row with a single number."""
    shown = numbers.round(4)
    return shown.eq(shown.max(axis=1), axis=0).where(shown.count(axis=1) > 1, False)


def fewer_splits_note(few: Mapping[str, list[int]], done: str) -> str:
    """What ``fewer_splits`` found, in a sentence; "" where it is nothing. done: about these algorithms, such as "left out"."""
    listed = ", ".join([f"{name} ({range_of(counts)} splits)" for name, counts in few.items()])
    return f"Computed on fewer splits than the others, and {done}: {listed}." if few else ""


def smallest(numbers: "pd.DataFrame") -> "pd.DataFrame":
    """Bold where a number is the smallest of its row."""
    return numbers.eq(numbers.min(axis=1), axis=0)


def with_averages(frame: "pd.DataFrame") -> "pd.DataFrame":
    """With rows of averages over the datasets; an algorithm that lacks one has none."""
    comparable = frame.loc[[name for name in frame.index if name in COMPARABLE]]
    made = frame.copy()
    made.loc[AVERAGE] = frame.mean(skipna=False)
    if 0 < len(comparable) < len(frame):
        made.loc[AVERAGE_COMPARABLE] = comparable.mean(skipna=False)
    return made


def average_note(frame: "pd.DataFrame") -> str:
    """Over how many datasets the averages are, and which algorithms have none."""
    partial = list(frame.columns[frame.isna().any()])
    lacking = f"; there is none for {', '.join(partial)}, computed on only some of them" if partial else ""
    abalone = " The paper does not define Abalone's three classes." if "abalone" in frame.index else ""
    return f"Averages are over {counted(len(frame), 'dataset')}{lacking}.{abalone}"


def with_splits(frame: "pd.DataFrame", results: Results, algorithms: Iterable[str] | None = None) -> "pd.DataFrame":
    """With a last column, how many splits the cells of a row are of; algorithms: those of the cells, None for all."""
    counts = split_counts(results)
    kept = counts if algorithms is None else counts[[name for name in counts if name in set(algorithms)]]
    texts = {name: range_of(row) for name, row in kept.iterrows()}
    return frame.assign(**{SPLITS: [texts.get(name, "") for name in frame.index]})


def range_of(counts: Iterable[int]) -> str:
    """How many splits some means are of, as "30" or "10–30"; those of none do not count."""
    known = [int(count) for count in counts if count]
    low, high = min(known, default=0), max(known, default=0)
    return f"{low}" if low == high else f"{low}–{high}"

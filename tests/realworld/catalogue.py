"""Files like those that people upload, each with a clear signal and always the same content."""

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["TABLES", "Table", "csv_text", "noise", "table"]

Maker = Callable[[], bytes]


@dataclass(frozen=True)
class Table:
    """One file.

    make: returns its bytes. file: its name. target: the class column; classes: its names, in any order.
    rule_words: words (columns, "column is category") that the rules must contain, since they carry the signal.
    left_out: columns that no rule may use: names, row numbers, constants.
    """

    make: Maker
    file: str
    target: str
    classes: tuple[str, ...]
    rule_words: tuple[str, ...]
    left_out: tuple[str, ...] = ()


TABLES: dict[str, Table] = {}


def table(
    file: str, target: str, classes: Sequence[str], rule_words: Sequence[str], left_out: Sequence[str] = ()
) -> Callable[[Maker], Maker]:
    """Add a file to the list under the name of its function."""

    def enter(make: Maker) -> Maker:
        TABLES[make.__name__.replace("_", " ").strip()] = Table(
            make, file, target, tuple(classes), tuple(rule_words), tuple(left_out)
        )
        return make

    return enter


def noise(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def csv_text(rows: Sequence[Sequence[object]], delimiter: str = ",", newline: str = "\r\n", quote_all: bool = False) -> str:
    """Rows in the CSV format of a spreadsheet."""
    text = io.StringIO()
    quoting = csv.QUOTE_NONNUMERIC if quote_all else csv.QUOTE_MINIMAL
    csv.writer(text, delimiter=delimiter, lineterminator=newline, quoting=quoting).writerows(rows)
    return text.getvalue()

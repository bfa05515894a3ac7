"""The list of real-world-shaped files: what people send, with a clear signal in it, the same at each making."""

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

    make: its bytes. file: what its owner calls it. target: the class column; classes: its names, in any order.
    said: words (columns, "column is category") of which each must stand in the rules, being what the signal lies in.
    left_out: columns that no rule may use: names, numbers of rows, the same in every row.
    """

    make: Maker
    file: str
    target: str
    classes: tuple[str, ...]
    said: tuple[str, ...]
    left_out: tuple[str, ...] = ()


TABLES: dict[str, Table] = {}


def table(
    file: str, target: str, classes: Sequence[str], said: Sequence[str], left_out: Sequence[str] = ()
) -> Callable[[Maker], Maker]:
    """Enter a file into the list under its maker's name."""

    def enter(make: Maker) -> Maker:
        TABLES[make.__name__.replace("_", " ").strip()] = Table(make, file, target, tuple(classes), tuple(said), tuple(left_out))
        return make

    return enter


def noise(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def csv_text(rows: Sequence[Sequence[object]], delimiter: str = ",", newline: str = "\r\n", quote_all: bool = False) -> str:
    """Rows as a spreadsheet writes them."""
    text = io.StringIO()
    quoting = csv.QUOTE_NONNUMERIC if quote_all else csv.QUOTE_MINIMAL
    csv.writer(text, delimiter=delimiter, lineterminator=newline, quoting=quoting).writerows(rows)
    return text.getvalue()

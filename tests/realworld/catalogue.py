"""Files like those that people upload, each with a clear signal and always the same content."""

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

Maker = Callable[[], bytes]


@dataclass(frozen=True)
class Table:
    """One file.

    make: returns its bytes. file: its name. target: the class column; classes: its names, in any order.
    rule_words: words (columns, "column is category") that the rules must contain, since they carry the signal.
    left_out: columns that no rule may use: names, row numbers, constants.
    plain: whether pandas, which is told nothing about the file, reads the same cells.
    """

    make: Maker
    file: str
    target: str
    classes: tuple[str, ...]
    rule_words: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    plain: bool = False


TABLES: dict[str, Table] = {}


def table(*about, left_out: Sequence[str] = (), plain: bool = False) -> Callable[[Maker], Maker]:
    """Add a file to the list under the name of its function; ``about``: its name, target, classes and words of its rules."""

    def enter(make: Maker) -> Maker:
        file, target, classes, rule_words = about
        name = make.__name__.replace("_", " ").strip()
        TABLES[name] = Table(make, file, target, tuple(classes), tuple(rule_words), tuple(left_out), plain)
        return make

    return enter


def rows_of(*about, head: Sequence[str], seed: int, rows: int, written: Callable[[list], bytes] | None = None, **more):
    """Add a file of this many rows to the list; the function makes row k. written: the bytes of all rows; None: a CSV file."""

    def enter(row):
        def make() -> bytes:
            rng = noise(seed)
            made = [list(head), *(row(rng, k) for k in range(rows))]
            return written(made) if written else csv_text(made).encode()

        make.__name__ = row.__name__
        table(*about, **more)(make)
        return row

    return enter


def noise(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def comma(number: float) -> str:
    return f"{number:.1f}".replace(".", ",")


def csv_text(rows: Sequence[Sequence[object]], delimiter: str = ",", newline: str = "\r\n", quote_all: bool = False) -> str:
    """Rows in the CSV format of a spreadsheet."""
    text = io.StringIO()
    quoting = csv.QUOTE_NONNUMERIC if quote_all else csv.QUOTE_MINIMAL
    csv.writer(text, delimiter=delimiter, lineterminator=newline, quoting=quoting).writerows(rows)
    return text.getvalue()

"""How values are printed, sorted and cut: class and category names as displayed ("1", never "1.0")."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tsk_core.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

LONGEST = 200  # characters of a name; names stand in every rule of every record of a run

_OTHER = re.compile(r"[^a-z0-9]+")
_LONGEST_IDENTIFIER = 40  # characters
_CUT = re.compile("… #[0-9a-f]{8}$")
_WHOLE = 1e15  # above this, floats no longer hold every whole number


def printed(value: object) -> str:
    """One value as text; whole numbers without ".0", booleans as "True" and "False"."""
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, int | float | np.integer | np.floating) and -_WHOLE < value < _WHOLE and value == int(value):
        return str(int(value))
    return str(value)


def printed_column(column: "pd.Series") -> np.ndarray:
    """A column as an object array of text, None where missing, shape (N,).

    Raises DataError when the cells are not plain values (lists, dictionaries).
    """
    import pandas as pd  # imported here: the process that reads files quotes names but does not load pandas

    if column.dtype == object and pd.api.types.infer_dtype(column, skipna=True).startswith("mixed"):
        # True equals 1; factorize would merge them.
        column = column.map(lambda value: str(bool(value)) if isinstance(value, bool | np.bool_) else value, na_action="ignore")
    try:
        # Each distinct value is printed once; the column may be long.
        codes, values = pd.factorize(column)
    except TypeError:
        raise DataError(f"Column '{column.name}' has cells that are not text or numbers; put one value into each cell.") from None
    names = np.array([*(printed(v) for v in values), None], dtype=object)
    return names[codes]  # code -1, missing, takes the last entry


def sorted_names(names: Iterable[str]) -> list[str]:
    """Distinct names, sorted: as numbers if all are numbers or ranges ("2" before "10 to 15"), else as text."""
    distinct = sorted(set(names))
    try:
        return sorted(distinct, key=lowest)
    except ValueError:
        return distinct


def lowest(name: str) -> float:
    """The number in a name, or the lower end of its range. Raises ValueError for other names."""
    if name.startswith(("<= ", "below ")):
        float(name.split(" ", 1)[1])
        return float("-inf")
    first, sign, last = name.partition(" to ")
    if sign:
        float(last)
    return float(first.removeprefix(">= ").removesuffix(" and above"))


def cut(name: str) -> str:
    """A name of at most ``LONGEST`` characters: a longer one keeps its beginning and gets 8 digits of its SHA-256."""
    if len(name) <= LONGEST:
        return name
    end = f"… #{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:8]}"
    return name[: LONGEST - len(end)] + end


def is_cut(name: str) -> bool:
    """Whether a name comes from ``cut``."""
    return len(name) == LONGEST and _CUT.search(name) is not None


def identifier(name: str) -> str:
    """A name in small ASCII letters, digits and underscores, which begins with a letter; other names may have the same."""
    stem = _OTHER.sub("_", name.lower())[:_LONGEST_IDENTIFIER].strip("_") or "x"
    return stem if stem[0].isalpha() else f"x_{stem}"


def listed(names: Iterable[object], most: int = 5) -> str:
    """Names quoted for a sentence: ``'a', 'b' and 3 more``; each of at most 40 characters."""
    names = list(names)
    shown = [quoted(name) for name in names[:most]]
    if len(names) > most:
        return f"{', '.join(shown)} and {len(names) - most} more"
    return joined(shown)


def joined(words: Iterable[str], last: str = "and") -> str:
    """Words for a sentence: "a", "a and b", "a, b and c"; "" for none. last: the word before the last one."""
    *first, end = list(words) or [""]
    return f"{', '.join(first)} {last} {end}" if first else end


def with_counts(counts: Mapping[str, int], most: int = 5) -> str:
    """Columns with a count for each, the largest first: ``'a' 12, 'b' 3 and 2 more columns``."""
    names = sorted(counts, key=lambda name: counts[name], reverse=True)
    more = f" and {len(names) - most} more columns" if len(names) > most else ""
    return ", ".join(f"{quoted(name)} {counts[name]:,}" for name in names[:most]) + more


def ordered(levels: Sequence[str], most: int = 7) -> str:
    """Ordered categories for a sentence, such as "low < medium < high"; of more than ``most`` the first ones and the last."""
    names = [quoted(name, 30)[1:-1] for name in levels]
    return " < ".join(names if len(names) <= most else [*names[: most - 2], "…", names[-1]])


def quoted(name: object, most: int = 40) -> str:
    """A name or cell for a sentence: in quotes, on one line, cut with "…"; unprintable characters become spaces."""
    text = str(name)
    kept = text if len(text) <= most else f"{text[: most - 1]}…"
    return "'" + "".join(c if c.isprintable() else " " for c in kept) + "'"

"""A table as CSV in which a spreadsheet runs no formula, and back; the two directions are inverse.

A text cell that begins with = + - @, tab or return, after any number of apostrophes, gets one more apostrophe, unless it
is a plain number. Reading removes one apostrophe from such cells. Column names are treated like cells.
"""

import csv
import io
import re

import pandas as pd

__all__ = ["escape_formulas", "unescape_formulas", "to_csv"]

_RUN = r"^'*[=+\-@\t\r]"
_ESCAPED = r"^'+[=+\-@\t\r]"
_BLOCK = 2**18  # cells written at once
_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"


def escape_formulas(frame: pd.DataFrame) -> pd.DataFrame:
    """The table with an apostrophe before each text cell and name that a spreadsheet would run; numbers never change."""
    columns = {k: _prefixed(frame.iloc[:, k]) for k in range(frame.shape[1]) if _is_text(frame.iloc[:, k])}
    names = [f"'{n}" if isinstance(n, str) and re.search(_RUN, n) and not re.fullmatch(_NUMBER, n) else n for n in frame.columns]
    return _replaced(frame, columns).set_axis(names, axis=1)


def unescape_formulas(frame: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """The table without the apostrophes of ``escape_formulas``, and the number of cells and names that had one."""
    columns, count = {}, 0
    for k in range(frame.shape[1]):
        column = frame.iloc[:, k]
        if not _is_text(column):
            continue
        escaped = column.str.contains(_ESCAPED, regex=True, na=False)
        if escaped.any():
            columns[k] = column.mask(escaped, column.str.slice(1))
            count += int(escaped.sum())
    names = [n[1:] if isinstance(n, str) and re.search(_ESCAPED, n) else n for n in frame.columns]
    count += sum(old != new for old, new in zip(frame.columns, names, strict=True))
    return _replaced(frame, columns).set_axis(names, axis=1), count


def to_csv(frame: pd.DataFrame) -> bytes:
    """The table as CSV in UTF-8 with a header, formulas escaped; reading it restores the same cells."""
    # Quotes preserve outer spaces, and a quoted cell that begins with # is not a comment.
    how = {"index": False, "lineterminator": "\n", "quoting": csv.QUOTE_NONNUMERIC}
    content = io.BytesIO()  # in blocks: the text of a large table takes several times its memory
    block = max(1, _BLOCK // max(1, frame.shape[1]))
    for start in range(0, max(1, len(frame)), block):
        content.write(escape_formulas(frame.iloc[start : start + block]).to_csv(header=start == 0, **how).encode())
    return content.getvalue()


def _is_text(column: pd.Series) -> bool:
    return column.dtype == "str" or column.dtype == object or isinstance(column.dtype, pd.CategoricalDtype)


def _prefixed(column: pd.Series) -> pd.Series:
    text = column.astype("str")
    runs = text.str.contains(_RUN, regex=True, na=False) & ~text.str.fullmatch(_NUMBER, na=False)
    return text.mask(runs, "'" + text)


def _replaced(frame: pd.DataFrame, columns: dict[int, pd.Series]) -> pd.DataFrame:
    """The table with some columns replaced, by position because names may repeat."""
    if not columns:
        return frame
    numbered = frame.set_axis(range(frame.shape[1]), axis=1)
    for k, column in columns.items():
        numbered[k] = column
    return numbered.set_axis(frame.columns, axis=1)

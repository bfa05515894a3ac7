"""A table as CSV in which a spreadsheet runs no formula, and back; the two directions are inverse.

A spreadsheet runs what begins with = + - @, also in full width and behind spaces and signs that it drops. Where it splits a line
at semicolons or tabs, as many are set to, or at the line breaks of a cell whose quotes it then does not see, each part of a
cell can begin so. An apostrophe goes before every such beginning, and before a tab or line break at the start of a cell. A cell
that is a plain number stays as it is. Reading removes one apostrophe from each of these places. Column names are treated
like cells.
"""

import csv
import io
import re
from collections.abc import Callable

import pandas as pd

_SIGN = "[=+\\-@\uff1d\uff0b\uff0d\uff20]"
# What a spreadsheet may drop: spaces, control characters, characters without width, and quotation marks.
_DROPPED = '[ "\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\xa0\\xad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]'
_RUNS, _BREAK = rf"'*{_DROPPED}*{_SIGN}", r"'*[\t\r\n]"
_BEGINNING = r"(?:^|(?<=[;\t\r\n]))"
_BEFORE_FORMULA = re.compile(rf"{_BEGINNING}(?={_RUNS})|^(?={_BREAK})")
_APOSTROPHE = re.compile(rf"{_BEGINNING}'(?={_RUNS})|^'(?={_BREAK})")
_MAY_RUN = rf"(?:^|[;\t\r\n]){_RUNS}|^{_BREAK}"  # the same for Arrow, whose patterns cannot look behind
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_BLOCK = 2**18  # cells written at once


def escape_formulas(frame: pd.DataFrame) -> pd.DataFrame:
    """The table with apostrophes in each text cell and name that a spreadsheet would run; numbers never change."""
    text = {k: frame.iloc[:, k].astype("str") for k in range(frame.shape[1]) if _is_text(frame.iloc[:, k])}
    columns = {k: _changed(column, _MAY_RUN, _escaped) for k, column in text.items()}
    return _replaced(frame, columns).set_axis([_escaped(name) for name in frame.columns], axis=1)


def unescape_formulas(frame: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """The table without the apostrophes of ``escape_formulas``, and the number of cells and names that had one."""
    columns, count = {}, 0
    for k in range(frame.shape[1]):
        column = frame.iloc[:, k]
        if not _is_text(column):
            continue
        plain = _changed(column, "'", _unescaped)
        if differ := int((plain != column).sum()) - int(column.isna().sum()):
            columns[k] = plain
            count += differ
    names = [_unescaped(name) for name in frame.columns]
    count += sum(old != new for old, new in zip(frame.columns, names, strict=True))
    return _replaced(frame, columns).set_axis(names, axis=1), count


def runs_as_formula(text: str) -> bool:
    """Whether ``escape_formulas`` changes this cell or name."""
    return _escaped(text) != text


def to_csv(frame: pd.DataFrame, escape: bool = True) -> bytes:
    """The table as CSV in UTF-8 with a header, formulas escaped if wanted; reading it restores the same cells."""
    # Quotes preserve outer spaces, and a quoted cell that begins with # is not a comment.
    content = io.BytesIO()  # in blocks: the text of a large table takes several times its memory
    block = max(1, _BLOCK // max(1, frame.shape[1]))
    for start in range(0, max(1, len(frame)), block):
        rows = frame.iloc[start : start + block]
        rows = escape_formulas(rows) if escape else rows
        text = rows.to_csv(header=start == 0, index=False, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
        content.write(text.encode())
    return content.getvalue()


def _is_text(column: pd.Series) -> bool:
    return column.dtype == "str" or column.dtype == object or isinstance(column.dtype, pd.CategoricalDtype)


def _changed(column: pd.Series, pattern: str, change: Callable[[object], object]) -> pd.Series:
    """The column with those of its cells changed in which the pattern occurs; each distinct one is changed once."""
    matching = column.str.contains(pattern, regex=True, na=False).to_numpy(bool)
    if not matching.any():
        return column
    cells = column[matching]
    changed = column.copy()
    changed[matching] = cells.map({cell: change(cell) for cell in cells.unique()}).to_numpy()
    return changed


def _escaped(cell: object) -> object:
    return _BEFORE_FORMULA.sub("'", cell) if isinstance(cell, str) and not _NUMBER.fullmatch(cell) else cell


def _unescaped(cell: object) -> object:
    return _APOSTROPHE.sub("", cell) if isinstance(cell, str) else cell


def _replaced(frame: pd.DataFrame, columns: dict[int, pd.Series]) -> pd.DataFrame:
    """The table with some columns replaced, by position because names may repeat."""
    if not columns:
        return frame
    numbered = frame.set_axis(range(frame.shape[1]), axis=1)
    for k, column in columns.items():
        numbered[k] = column
    return numbered.set_axis(frame.columns, axis=1)

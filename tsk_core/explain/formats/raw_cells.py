"""Cells that training read otherwise than they stand in the table: comments at the top of code, which takes them as they are."""

from collections.abc import Iterator

from tsk_core.explain.exported import ExportedRules
from tsk_core.explain.formats.names import in_comment

__all__ = ["raw_cell_comments"]

_CONTINUES = "\\"  # a comment of C on the next line


def raw_cell_comments(rules: ExportedRules, sign: str, *, reads_truth: bool) -> str:
    """A line for each such column, after the sign of a comment; "" where there is none.

    reads_truth: whether the code reads "TRUE" as "True".
    """
    notes = list(dict.fromkeys(_notes(rules, reads_truth)))
    return "".join(f"{sign} {in_comment(note, _CONTINUES)}\n" for note in notes)


def _notes(rules: ExportedRules, reads_truth: bool) -> Iterator[str]:
    for column in rules["columns"]:
        name = column["feature"]
        if codes := column.get("codes"):
            yield f"{name}: in the table, {', '.join(codes)} stood for a missing value; pass a missing value in its place."
        if (source := column.get("flag_of")) is not None:
            yield f"{name}: pass yes where {source} is missing, else no."
        if column.get("truth") and not reads_truth:
            yield f"{name}: pass True and False as these words, not as TRUE, true or 1."

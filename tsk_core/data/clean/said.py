"""Findings about columns, alike ones gathered into one."""

from tsk_core.data.finding import Finding
from tsk_core.data.naming import listed

__all__ = ["Said"]


class Said:
    """Collects findings that differ in nothing but the column; each text may hold ``{}`` where the columns are named."""

    def __init__(self) -> None:
        self._columns: dict[tuple[str, str, str, str, str], list[str]] = {}

    def add(self, column: str, found: str, done: str = "", could: str = "", kind: str = "repaired", choice: str = "") -> None:
        """Note one thing about one column; ``{}`` becomes "Column 'a'" or "Columns 'a' and 'b'", said of each."""
        self._columns.setdefault((found, done, could, kind, choice), []).append(column)

    def findings(self) -> list[Finding]:
        """One finding for each kind of remark, in the order in which they first came."""
        return [_finding(*texts, columns) for texts, columns in self._columns.items()]


def _finding(found: str, done: str, could: str, kind: str, choice: str, columns: list[str]) -> Finding:
    named = f"Column{'s' if len(columns) > 1 else ''} {listed(columns)}"
    # Replaced once each: a column's name may hold braces too.
    found, done, could = (text.replace("{}", named, 1) for text in (found, done, could))
    return Finding(found, done, could, kind, tuple(columns), choice)

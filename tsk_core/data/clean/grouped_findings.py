"""Findings about columns, with equal ones grouped into one."""

from tsk_core.data.finding import Finding, Remedy
from tsk_core.data.naming import listed

__all__ = ["GroupedFindings"]


class GroupedFindings:
    """Groups findings that differ only in the column; ``{}`` in a text is replaced by the names of the columns."""

    def __init__(self) -> None:
        self._columns: dict[tuple[str, str, str, str, str, str, tuple[str, str]], list[str]] = {}

    def add(
        self, column: str, fact: str, done: str = "", advice: str = "", kind: str = "repaired", choice: str = "", check: str = "",
        remedy: tuple[str, str] = ("", ""),
    ) -> None:  # fmt: skip
        """Add a finding about one column; ``{}`` becomes "Column 'a'" or "Columns 'a' and 'b'", and "has" after it "have".

        remedy: the label of its button, and the field of ``Choices`` to which that adds the columns.
        """
        self._columns.setdefault((fact, done, advice, kind, choice, check, remedy), []).append(column)

    def findings(self) -> list[Finding]:
        """One finding for each group, in the order of first occurrence."""
        return [_finding(*texts, columns) for texts, columns in self._columns.items()]


def _finding(
    fact: str, done: str, advice: str, kind: str, choice: str, check: str, remedy: tuple[str, str], columns: list[str]
) -> Finding:
    named = f"Column{'s' if len(columns) > 1 else ''} {listed(columns)}"
    if len(columns) > 1:
        fact = fact.replace("{} has ", "{} have ", 1)
    # Replaced once: a column name may contain braces too.
    fact, done, advice = (text.replace("{}", named, 1) for text in (fact, done, advice))
    label, field = remedy
    mended = Remedy(label, {field: tuple(columns)}) if label else None
    return Finding(fact, done, advice, kind, tuple(columns), choice, check, mended)

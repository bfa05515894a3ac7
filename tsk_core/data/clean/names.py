"""Column names that are distinct, not empty, and on one line that is read in one direction."""

import re

import pandas as pd

from tsk_core.data.finding import Finding
from tsk_core.data.naming import LONGEST, cut, quoted

__all__ = ["fresh_name", "tidy_names"]

_UNSEEN = "\u200b\u200c\u200d\u2060\ufeff"  # characters of zero width: a name of only these looks empty
_CONTROLS = re.compile(r"[\x00-\x1f\x7f\x85\u2028-\u202e\u2066-\u2069]")  # they break a line, or change the direction of its text


def tidy_names(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Finding]]:
    """Column names as distinct, non-empty text: " a " -> "a", "" -> "column 3", a second "a" -> "a (2)"; long ones are cut."""
    names: list[str] = []
    findings: list[Finding] = []
    used: set[str] = set()
    long: list[str] = []
    for position, original in enumerate(frame.columns, 1):
        whole = _text(original)
        name = cut(whole)
        if name != whole:
            long.append(name)
        if not name:
            name = f"column {position}"
            findings.append(Finding(f"Column {position} has no name.", f"Named it {quoted(name)}.", columns=(name,)))
        fresh = cut(fresh_name(name, used))
        if fresh != name:
            end = fresh if len(fresh) <= 40 else f"…{fresh[-39:]}"
            findings.append(
                Finding(f"Two columns are named {quoted(name)}.", f"Renamed the later one {quoted(end)}.", columns=(fresh,))
            )
        used.add(fresh)
        names.append(fresh)
    if len(findings) > 3:
        columns = tuple(column for finding in findings for column in finding.columns)
        findings = [Finding(f"{len(findings)} columns have no name or a repeated name.", "Numbered them.", columns=columns)]
    if long:
        which = f"{len(long)} columns have names" if len(long) > 1 else f"Column {quoted(long[0])} has a name"
        findings.append(Finding(f"{which} of more than {LONGEST} characters.", "Truncated.", columns=tuple(long)))
    return frame if list(frame.columns) == names else frame.set_axis(names, axis=1), findings


def fresh_name(name: str, used: set[str]) -> str:
    """``name``, with the first free number appended if a column has it: "a", "a (2)", "a (3)"."""
    fresh, copy = name, 1
    while fresh in used:
        copy += 1
        fresh = f"{name} ({copy})"
    return fresh


def _text(original: object) -> str:
    """A name on one line, without outer spaces; lone surrogates, which cannot be encoded, are replaced."""
    if original is None or original != original:
        return ""
    name = str(original).encode("utf-8", "replace").decode()
    if _CONTROLS.search(name):
        name = " ".join(_CONTROLS.sub(" ", name).split())
    return name.strip().strip(_UNSEEN).strip()

"""What a file is read as: a case is one entry of a table, in which a new kind of file is one entry more.

The tables stand in ``test_reading.py`` (text: encodings, separators, names and cells), ``test_layout.py`` (what stands around the
rows of a text) and ``test_formats.py`` (workbooks, ARFF, Parquet and archives).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import pytest

from tests.data.reading.in_process import read_here
from tsk_core.data import ReadOptions, make_dataset
from tsk_core.errors import DataError


@dataclass(frozen=True)
class Case:
    """A file and what has to come of it; what is not given is not compared.

    content: bytes, or text in UTF-8. given: read options to read it with. names: of all columns. rows: their number.
    cells: those of a column, by its name or position; None where one is missing. options: how the file was read.
    said: texts that its findings contain, unsaid: texts that none contains. kind: of the file, as in ``RawTable``.
    target: the column taken as the class. roles: how columns are used, by name.
    """

    content: bytes | str
    names: Sequence[str] | None = None
    cells: Mapping[str | int, Sequence[object]] = field(default_factory=dict)
    rows: int | None = None
    said: Sequence[str] = ()
    unsaid: Sequence[str] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    kind: str | None = None
    target: str | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    given: Mapping[str, Any] = field(default_factory=dict)


def check(case: Case) -> None:
    """Read the file and compare all that the case expects."""
    raw = read_here(_bytes(case.content), ReadOptions(**case.given))
    findings = "\n".join(f"{finding} {finding.advice}" for finding in raw.findings)
    assert case.names is None or list(raw.frame.columns) == list(case.names)
    assert case.rows in (None, len(raw.frame))
    for place, cells in case.cells.items():
        column = raw.frame.iloc[:, place] if isinstance(place, int) else raw.frame[place]
        assert [None if pd.isna(cell) else cell for cell in column] == list(cells), place
    assert all(text in findings for text in case.said), findings
    assert not [text for text in case.unsaid if text in findings], findings
    assert {name: getattr(raw.read_options, name) for name in case.options} == case.options
    assert case.kind in (None, raw.kind)
    if case.target or case.roles:
        dataset = make_dataset(raw.frame, name="t", findings=raw.findings)
        assert case.target in (None, dataset.target)
        assert {report.name: report.role for report in dataset.columns if report.name in case.roles} == case.roles


def check_refusal(content: bytes | str, text: str, **given: Any) -> None:
    """The file is refused in one sentence that contains the text."""
    with pytest.raises(DataError) as refused:
        read_here(_bytes(content), ReadOptions(**given))
    assert text in str(refused.value)
    assert "\n" not in str(refused.value)


def _bytes(content: bytes | str) -> bytes:
    return content if isinstance(content, bytes) else content.encode()

"""Whether files are read as they are written: ``python -m benchmarks.reading_matrix [--files 2000] [--seed 0]``.

Each file is drawn from encodings × separators × decimal signs × thousands separators × formats of dates × units × quoting ×
words for missing values × line ends × header or none × orders of columns (``benchmarks/traps/written_file.py``), read as an
upload is, and compared cell by cell with the values it holds. Printed: cells and columns compared, and for each kind of
column how many were read wrong. A wrong column of which a finding says how it was read ("… so the month is assumed …") counts by
itself, as "said"; what is wrong without a word is listed, with the style of its file.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from benchmarks.traps.written_file import WrittenFile, drawn_style, written_file
from tsk_core.data import Dataset, make_dataset
from tsk_core.data.clean.pipeline import CleaningStep
from tsk_core.data.reading.process import parse
from tsk_core.data.reading.table import raw_table
from tsk_core.errors import TSKError

SAYS = ("decimal", "comma", "thousands", "assumed")  # what a finding about an ambiguous column says


@dataclass(frozen=True)
class Wrong:
    """A column that is not read as written. kind: of the column; "file" where no table came out. said: whether a finding says
    how it was read. cell, read: the first wrong cell, and what came out.
    """

    kind: str
    said: bool
    cell: str
    read: str


def misread(file: WrittenFile) -> Iterator[Wrong]:
    """Read a file in this process and compare each column."""
    try:
        raw = raw_table(parse(file.content))
        target = raw.frame.columns[file.order.index("class")]
        dataset = make_dataset(raw.frame, target, name="t", findings=raw.findings)
    except (TSKError, IndexError) as error:
        yield Wrong("file", False, "", str(error))
        return
    steps = {step.column: step for step in dataset.cleaning.steps}
    if len(raw.frame) != len(file.values["class"]) or raw.frame.shape[1] != len(file.order):
        yield Wrong("file", False, "", f"{len(raw.frame)} rows, {raw.frame.shape[1]} columns, not {len(file.values['class'])}")
        return
    for kind, column in zip(file.order, raw.frame.columns, strict=True):
        if column == target:
            right, read = dataset.y == file.values[kind], dataset.y
        elif column in steps:
            right, read = _compared(steps[column], dataset, file.values[kind])
        else:
            right, read = np.zeros(len(raw.frame), dtype=bool), np.full(len(raw.frame), "left out", dtype=object)
        if not right.all():
            first = int(np.argmin(right))
            yield Wrong(kind, _is_said(dataset, str(column)), file.cells[kind][first], str(read[first]))


def _compared(step: CleaningStep, dataset: Dataset, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which rows of a feature are right, and the feature."""
    read = dataset.frame[step.feature].to_numpy()
    if values.dtype == object:
        return (read == values) | (pd.isna(read) & pd.isna(values)), read
    if values.dtype.kind in "mM":
        if step.date is None:
            return np.zeros(len(read), dtype=bool), read
        values = step.date.numbers(values)
    if read.dtype.kind not in "fi":
        return np.zeros(len(read), dtype=bool), read
    return np.isclose(read, values, rtol=1e-12, atol=1e-12, equal_nan=True), read


def _is_said(dataset: Dataset, column: str) -> bool:
    """Whether a finding about the column says which of several readings was taken."""
    return any(column in finding.columns and any(word in str(finding) for word in SAYS) for finding in dataset.findings)


def main() -> None:
    """Draw, read, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    columns, cells, counts, lines = Counter[str](), 0, Counter[tuple[str, bool]](), []
    silent = 0
    for number in range(options.files):
        file = written_file(drawn_style(np.random.default_rng([options.seed, number])), number)
        columns.update(["file", *file.order])
        cells += sum(len(file.cells[kind]) for kind in file.order)
        wrong = list(misread(file))
        counts.update((one.kind, one.said) for one in wrong)
        silent += any(not one.said for one in wrong)
        lines += [f"{number}: {one} {file.style}" for one in wrong if not one.said]
    print(f"{options.files:,} files, {cells:,} cells, seed {options.seed}; {silent} files are read wrong without a word\n")
    print(f"{'kind':10}{'columns':>9}{'wrong':>9}{'said':>9}")
    for kind in columns:
        print(f"{kind:10}{columns[kind]:9,}{counts[kind, False]:9,}{counts[kind, True]:9,}")
    print(*lines, sep="\n")


if __name__ == "__main__":
    main()

"""The generated tables of ``benchmarks.data_check`` hold what their answers say, and nothing else."""

import csv
import io
import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from benchmarks.traps.remedies import occurrences
from benchmarks.traps.table import CHECKS
from benchmarks.traps.tables import trap_tables


@pytest.fixture(scope="module")
def tables():
    return trap_tables(0)


def columns(table):
    """Name -> cells as text, with decimal points where the file is written with semicolons."""
    text = table.content.decode("utf-8-sig")
    delimiter = ";" if ";" in text.split("\n", 1)[0] else ","
    names, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    cells = zip(*rows, strict=True)
    return {n: [c.replace(",", ".") if delimiter == ";" else c for c in of] for n, of in zip(names, cells, strict=True)}


def planted(tables, check):
    return [(columns(table), trap, table) for table in tables for trap in table.planted if trap.check == check]


def test_a_quarter_of_the_tables_has_no_trap_and_each_trap_is_planted_often(tables):
    assert sum(not table.planted for table in tables) == 10
    assert max(len({trap.check for trap in table.planted}) for table in tables) == 4
    counts = Counter(trap.check for table in tables for trap in table.planted)
    assert set(counts) == set(CHECKS) and min(counts.values()) >= 8
    assert all(60 <= table.content.count(b"\n") - 1 <= 6_500 for table in tables)


def test_codes_stand_in_their_column_apart_from_its_other_cells(tables):
    for cells, trap, table in planted(tables, "missing code"):
        column = cells[trap.column]
        assert 4 <= occurrences(table, trap) == column.count(trap.code) <= 0.35 * len(column)
        rest = {cell for cell in column if cell not in ("", trap.code)}
        if trap.how != "a word":
            numbers = [float(cell) for cell in rest]
            assert not min(numbers) <= float(trap.code) <= max(numbers)


def told(trap, cell):
    """What a leak's cell says, as something of which each value stands for one class."""
    if trap.how == "class and noise":
        return math.floor((float(cell) + 5) / 10)  # the classes are 10 apart
    if trap.how == "score":
        return float(cell) > 0.5
    return cell != "" if trap.how == "filled after the outcome" else cell


def test_a_leak_tells_the_class_nearly_always(tables):
    for cells, trap, table in planted(tables, "leak"):
        classes, by_value = cells[table.target], defaultdict(Counter)
        for cell, label in zip(cells[trap.column], classes, strict=True):
            by_value[told(trap, cell)][label] += 1
        assert sum(max(counts.values()) for counts in by_value.values()) >= 0.96 * len(classes), trap


def test_repeated_rows_are_there_and_rows_of_other_tables_differ(tables):
    for table in tables:
        numbers = {trap.column for trap in table.planted if trap.check == "id"}
        rows = list(zip(*(cells for name, cells in columns(table).items() if name not in numbers), strict=True))
        repeated = len(rows) - len(set(rows))
        if any(trap.check == "repeated rows" for trap in table.planted):
            assert repeated >= 5
        elif not table.name.endswith("votes"):  # a few categories, whose rows are equal by nature
            assert repeated < 0.01 * len(rows)


def test_no_honest_column_tells_the_class_as_a_leak_does(tables):
    for table in tables[:12]:
        cells, leaks = columns(table), {trap.column for trap in table.planted if trap.check == "leak"}
        classes = np.array(cells[table.target])
        for name in cells.keys() - leaks - {table.target, *(column for check, column in table.debatable if check == "leak")}:
            try:
                values = np.array([float(cell) for cell in cells[name]])
            except ValueError:
                continue
            for label in set(classes):
                area = roc_auc_score(classes == label, values)
                assert max(area, 1 - area) < 0.97, (table.name, name)

"""Tables with planted traps, and tables without: realistic columns, decoys, and the answers.

A set is drawn from a seed, so that a fresh one can be drawn that no check was tuned on.
"""

import csv
import io

import numpy as np

from tests.data.traps.drafts import CHECKS, DOMAINS, EQUAL_ROWS, Draft, TrapTable, written
from tests.data.traps.planting import (
    plant_codes,
    plant_id,
    plant_leak,
    plant_ordinal,
    plant_repeated,
    plant_subject,
    plant_time,
)  # fmt: skip

CLEAN = 10  # of 40 tables
FEW_SUBJECTS = 20
PLANTS = {  # in this order, since later ones need what earlier ones put
    "group": plant_subject, "time": plant_time, "ordinal": plant_ordinal, "leak": plant_leak, "id": plant_id,
    "missing code": plant_codes, "repeated rows": plant_repeated,
}  # fmt: skip


def trap_tables(seed: int, number: int = 40) -> list[TrapTable]:
    """So many tables of 60 to about 5,000 rows; a quarter of them has no trap, the others have one to four kinds."""
    random = np.random.default_rng([seed, 27])
    clean = number * CLEAN // 40
    sizes = [0] * clean + [1 + k % 4 if k % 9 else 2 for k in range(number - clean)]
    kinds: list[str] = []
    tables = []
    for k in random.permutation(number):
        wanted: set[str] = set()
        while len(wanted) < sizes[k]:
            kinds = kinds or random.permutation(CHECKS).tolist()
            wanted.add(kinds.pop())
        tables.append(_table(np.random.default_rng([seed, len(tables)]), f"table {len(tables) + 1}", wanted))
    return tables


def _table(random: np.random.Generator, name: str, wanted: set[str]) -> TrapTable:
    draft = _draft(random, wanted)
    for kind, plant in PLANTS.items():
        if kind in wanted:
            plant(draft)
    _leave_cells_empty(draft)
    _number_rows(draft)
    return TrapTable(
        f"{name}: {draft.domain.name}", _written(draft), draft.domain.target, tuple(draft.planted), frozenset(draft.debatable)
    )


def _draft(random: np.random.Generator, wanted: set[str]) -> Draft:
    """A table with honest columns, whose rows have subjects or times where such traps are wanted."""
    # Rows of a few categories are equal by nature, so they neither have repeated rows nor look alike by subject.
    few = not wanted & {"group", "repeated rows", "missing code"} and random.random() < 0.2
    domain = EQUAL_ROWS if few else DOMAINS[random.integers(len(DOMAINS))]
    rows = int(np.exp(random.uniform(np.log(60), np.log(5_000))))
    names = domain.classes[: random.integers(2, len(domain.classes) + 1)]
    subjects = times = None
    classes = random.choice(len(names), rows, p=random.dirichlet(np.full(len(names), 5.0)))
    if "group" in wanted:
        subjects = _subjects(random, rows)
        of_subject = random.choice(len(names), subjects.max() + 1)
        classes = np.where(random.random(rows) < random.choice([0.0, 0.3]), classes, of_subject[subjects])
    if "time" in wanted:
        times = random.random(rows)
        times = np.sort(times) if random.random() < 0.6 else times
        classes = np.where(random.random(rows) < 0.4 * times, 0, classes)
    for k in range(len(names)):  # each class has rows
        classes[k * 5 : k * 5 + 5] = k
    draft = Draft(domain, random, names, classes, subjects, times)
    columns = random.permutation(len(domain.columns))[: max(5, random.integers(6, 14))]
    strengths = np.append(random.uniform(0.9, 1.15), random.uniform(0, 0.6, len(columns) - 1))  # one is strong, and honest
    for k, strength in zip(columns, random.permutation(strengths), strict=True):
        draft.add_honest(domain.columns[k], float(strength))
    if subjects is not None and subjects.max() < FEW_SUBJECTS:  # whatever differs between these may tell their classes
        draft.debatable |= {("leak", name) for name in draft.columns}
    return draft


def _subjects(random: np.random.Generator, rows: int) -> np.ndarray:
    """The subject of each row: visits in blocks or mixed, about 4 to 40 a subject, and at least six subjects."""
    mean = min(random.choice([4, 10, 40]), rows // 8)
    sizes = 2 + random.poisson(mean - 2, size=rows)
    subjects = np.repeat(np.arange(rows), sizes)[:rows]
    return random.permutation(subjects) if random.random() < 0.4 else subjects


def _leave_cells_empty(draft: Draft) -> None:
    """Honest missing values: in a third of the tables, in up to three columns, in one of them more often for one class."""
    free = [name for name in draft.columns if all(planted.column != name for planted in draft.planted)]
    if draft.random.random() > 0.35 or any(planted.check == "repeated rows" for planted in draft.planted):
        return
    for k, name in enumerate(draft.random.permutation(free)[: draft.random.integers(1, 4)]):
        share = np.full(draft.rows, draft.random.uniform(0.01, 0.12))
        share[(draft.classes == 0) & (k == 0)] *= 2.5
        empty = draft.random.random(draft.rows) < share
        draft.columns[name] = ["" if gone else cell for cell, gone in zip(draft.columns[name], empty, strict=True)]


def _number_rows(draft: Draft) -> None:
    """Fill the columns that number the rows, when these are final."""
    for planted in draft.planted:
        if planted.check == "id":
            start = int(draft.random.integers(1, 50_000))
            counted = planted.how == "counted"
            drawn = draft.random.choice(np.arange(100_000, 9_000_000), draft.rows, replace=False)
            draft.put(planted.column, written(start + np.arange(draft.rows) if counted else drawn, 0), "id")


def _written(draft: Draft) -> bytes:
    """The file: columns in any order, the class last or anywhere; one of four is written with semicolons and decimal commas."""
    german = draft.random.random() < 0.25
    names = draft.random.permutation(list(draft.columns)).tolist()
    at = len(names) if draft.random.random() < 0.6 else int(draft.random.integers(len(names)))
    names.insert(at, draft.domain.target)
    draft.columns[draft.domain.target] = [draft.names[k] for k in draft.classes]
    if german:
        for name, kind in draft.kinds.items():
            if kind == "number":
                draft.columns[name] = [cell.replace(".", ",") for cell in draft.columns[name]]
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=";" if german else ",", lineterminator="\r\n" if german else "\n")
    writer.writerow(names)
    writer.writerows(zip(*(draft.columns[name] for name in names), strict=True))
    return out.getvalue().encode("utf-8-sig" if german else "utf-8")

"""What the report prints of a decision where a missed case costs more than a false alarm."""

import re
from collections.abc import Iterator

import numpy as np

from tests.recount.arithmetic import bca, rca, wilson
from tests.recount.lines import Line
from tests.recount.scores import Reader
from tsk_core.evaluate import Decision

COST = 5


def decision_for(reader_classes: np.ndarray) -> Decision | None:
    """The rarer of two classes costs five times a false alarm; None for other numbers of classes. reader_classes: of the rows."""
    names, rows = np.unique(reader_classes, return_counts=True)
    return Decision(str(names[rows.argmin()]), COST) if len(names) == 2 else None


def cost_lines(reader: Reader, positive: str) -> Iterator[Line]:
    """Every number of the section, from the raw test rows and the exported rules."""
    where, true = reader.table.name, reader.test["class"].to_numpy()
    (other,) = set(reader.model.classes) - {positive}
    p = reader.model.probabilities(reader.test)[:, list(reader.model.classes).index(positive)]
    ways = reader.model.predicted(reader.test), np.where(p >= 1 / (1 + COST), positive, other)
    lines = [line.parts for line in reader.texts("decision", "tr")]
    for start, decided in zip((0, 3), ways, strict=True):
        called = [head.removeprefix("called ") for head in lines[start][1:]]
        for name, *cells in lines[start + 1 : start + 3]:
            for head, cell in zip(called, cells, strict=True):
                yield Line("costs: confusion", f"{where}, {name}", cell, f"{((true == name) & (decided == head)).sum():,}")
    for at, decided in enumerate(ways):
        yield from _scores(where, [(title, cells[at]) for title, *cells in lines[7:]], true, decided, positive)
    mean, mean_now = (_cost(true, decided, positive) for decided in ways)
    text = " ".join(element.text for element in reader.texts("decision", "p"))
    printed = re.search(r"difference ([+−][\d.]+) \(paired, 95% interval.*?: ([+−][\d.]+) to ([+−][\d.]+)\)", text)
    changed = ways[0] != ways[1]
    found, alarms = ((changed & (true == name)).sum() for name in (positive, other))
    low, high = _added([(-COST, found), (1, alarms)], len(true))
    yield Line("costs: difference", where, printed[1], _signed(mean_now - mean))
    yield Line("costs: interval of the difference", where, f"{printed[2]} {printed[3]}", f"{_signed(low)} {_signed(high)}")
    counted = re.search(r"Decided differently: (\d+) rows?, of which ([\d.]+)%", text)
    if changed.any():
        yield Line("costs: rows", where, counted[1], f"{changed.sum()}")
        yield Line("costs: cases among them", where, f"{float(counted[2]):.1f}", f"{100 * found / changed.sum():.1f}")


def _scores(where: str, lines: list[tuple[str, str]], true: np.ndarray, decided: np.ndarray, positive: str) -> Iterator[Line]:
    case = true == positive
    recall, alarms = ((decided[rows] == positive).mean() for rows in (case, ~case))
    values = rca(true, decided), bca(true, decided), recall, alarms, _cost(true, decided, positive)
    for (title, cell), value in zip(lines, values, strict=True):
        yield Line(f"costs: {title.split()[0]}", where, cell.partition(" (")[0], f"{value:.3f}")
    bounds = [wilson(int((decided[rows] == positive).sum()), int(rows.sum())) for rows in (case, ~case)]
    missed, false = (case & (decided != positive)).sum(), (~case & (decided == positive)).sum()
    for (_, cell), (low, high) in zip(lines[2:], [*bounds, _added([(COST, missed), (1, false)], len(true))], strict=True):
        yield Line("costs: interval", where, cell.partition(" (")[2], f"{low:.3f}–{high:.3f})")


def _cost(true: np.ndarray, decided: np.ndarray, positive: str) -> float:
    costs = [0 if t == d else COST if t == positive else 1 for t, d in zip(true, decided, strict=True)]
    return float(np.mean(costs))


def _added(terms: list[tuple[float, int]], n: int) -> tuple[float, float]:
    """The interval of a sum of weighted shares of n rows, by those of the shares (Zou, Huang and Zhang)."""
    value = sum(weight * count / n for weight, count in terms)
    ends = [sorted(weight * (bound - count / n) for bound in wilson(int(count), n)) for weight, count in terms]
    low, high = (np.sqrt(sum(end[k] ** 2 for end in ends)) for k in (0, 1))
    return value - low, value + high


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")

"""The IF part of a rule: which antecedents exclude a training row, which of these are kept, and the text of each.

An antecedent belongs to one feature: one membership for a number, or the product of memberships on a category's 0/1
columns. Flatness is the mean membership over the training rows: the lower, the more the antecedent restricts the rule.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tsk_core.data.orders import order_of
from tsk_core.explain.exported import LOWEST, ExportedColumn, RuleArrays
from tsk_core.explain.labels import ANY, AlphaCut, FuzzyPartition, end_writer, label
from tsk_core.model.firing import HALF_HEIGHT, log_membership

# Hedges: "very high", "somewhat high" for a membership that is exactly the square, the square root of the one called "high".
#
# The square of a Gaussian is a Gaussian of the same centre with σ/√2, its square root one with σ√2 (Zadeh 1972). Trained
# memberships are nearly never that exactly; those of a rule base that was written by hand, or tied together, can be.


HEDGES = {1 / math.sqrt(2): "very", math.sqrt(2): "somewhat"}  # σ over that of the word's own membership
PLAIN = ("low", "medium", "high")  # words that take a hedge
EXACT = 1e-6  # largest relative deviation


def hedged(centers: np.ndarray, sigmas: np.ndarray, names: list[str], taken: Iterable[str]) -> list[str]:
    """The names of memberships of one feature, those with a hedge that are exactly another one's.

    centers, sigmas: (n,), positive widths; names: the word of each. taken: words of the feature that no hedged name may equal, or
    one word would mean two ranges. Of memberships with the same centre, the first is the one that others are compared with.
    """
    result, known = list(names), set(taken)
    for i, name in enumerate(names):
        if result[i] != name or name not in PLAIN:
            continue
        for j in range(len(names)):
            same = abs(centers[j] - centers[i]) <= EXACT * sigmas[i]
            for ratio, hedge in HEDGES.items():
                new = f"{hedge} {name}"
                exact = math.isclose(sigmas[j], sigmas[i] * ratio, rel_tol=EXACT)
                if j != i and same and exact and result[j] == names[j] and new not in known:
                    result[j] = new
    return result


# Names from tables inside a line of text: they neither break the line nor change the direction in which it is read.


# The embeddings, overrides and isolates of Unicode, with which "nekorb" is shown as "broken" (CVE-2021-42574).
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")

_WORDS = re.compile(r"(?<!\w)(?:IF|AND|OR|THEN)(?!\w)")


def in_sentence(name: object) -> str:
    """A name inside of a rule's sentence: in quotes where it has a word of which the sentence is made, such as "R AND D"."""
    text = str(name)
    return f"'{text}'" if _WORDS.search(text) else text


def one_line(text: str) -> str:
    """The text on one line, with single spaces."""
    return " ".join(undirected(text).split())


def undirected(text: str) -> str:
    """The text with "\ufffd" in the place of each character that changes the direction of those after it."""
    return _DIRECTIONS.sub("\ufffd", text)


# A condition on a category in words: the states that it names, and those of an ordered feature as a range.


MANY = 3  # with more named states than this, the text of a feature without an order may name the others instead


def said(feature: str, names: Sequence[str], listed: np.ndarray, *, ordered: bool = False) -> tuple[str, str]:
    """The label and the text of a condition: "red or blue", "colour is red or blue"; of ordered states "≥ 2", "clubbing ≥ 2".

    names: of the feature's states. listed: those that the condition names, bool: at least one, not all. ordered: whether the
    names stand in their order; else ``order_of`` finds it.
    """
    label, is_range, _ = _words(names, listed, ordered)
    shown, text = [in_sentence(name) for name in names], label
    if shown != [*names]:
        text = _words(shown, listed, ordered)[0]
    return label, f"{in_sentence(feature)} {text}" if is_range else f"{in_sentence(feature)} is {text}"


def names_others(names: Sequence[str], listed: np.ndarray, *, ordered: bool = False) -> bool:
    """Whether ``said`` names the states that are left out, as in "not red", which a state that nobody knows satisfies."""
    return _words(names, listed, ordered)[2]


def _words(names: Sequence[str], listed: np.ndarray, ordered: bool) -> tuple[str, bool, bool]:
    """The label, whether it is a range, and whether it names the others."""
    chosen = [name for name, yes in zip(names, listed, strict=True) if yes]
    others = [name for name, yes in zip(names, listed, strict=True) if not yes]
    if order := tuple(range(len(names))) if ordered else order_of(tuple(names)):
        runs = _runs(order, listed)
        if len(runs) == 1 and len(chosen) == runs[0][1] - runs[0][0] + 1 and (ends := _half_open(names, order, *runs[0])):
            return ends, True, False
        every = runs == [(0, len(order) - 1)]
        named, rest = _pieces(names, order, listed), _pieces(names, order, ~listed)
        by_others = every or len(rest) < len(named)
    else:
        named, rest = chosen, others
        by_others = len(chosen) > MANY and len(others) < len(chosen)
    return "not " + " or ".join(rest) if by_others else " or ".join(named), False, by_others


def _runs(order: Sequence[int], listed: np.ndarray) -> list[tuple[int, int]]:
    """The runs of listed states that follow each other, as first and last place in the order."""
    places = np.flatnonzero(listed[list(order)])
    parts = np.split(places, np.flatnonzero(np.diff(places) > 1) + 1)
    return [(int(part[0]), int(part[-1])) for part in parts if len(part)]


def _half_open(names: Sequence[str], order: Sequence[int], first: int, last: int) -> str:
    """As "≥ 2" or "≤ 1" for a run of several states at one end of the order; else ""."""
    at_start, at_end = first == 0, last == len(order) - 1
    if first == last or at_start == at_end:
        return ""
    return f"≤ {names[order[last]]}" if at_start else f"≥ {names[order[first]]}"


def _pieces(names: Sequence[str], order: Sequence[int], listed: np.ndarray) -> list[str]:
    """The listed states: runs such as "1 to 2", then those outside the order."""
    runs = [
        names[order[first]] if first == last else f"{names[order[first]]} to {names[order[last]]}"
        for first, last in _runs(order, listed)
    ]
    return runs + [name for k, name in enumerate(names) if listed[k] and k not in order]


HOLDS = 0.5  # least membership where a condition holds; a category's is scaled to 1 at the largest
LONGEST = 12  # antecedents per rule that are kept as text


@dataclass(frozen=True)
class Antecedent:
    """One condition of a rule.

    feature: the column of the table. label: its words, such as "high", "red or blue" or "≥ 2"; its range where another rule's
    range has the same word, so that a word means one range in a rule base. text: the whole condition.
    low, high: where the membership is at least 0.5, as printed, in the column's units; None where open, and for categories.
    flatness: mean membership over the training rows, in [0, 1]; 1 restricts nothing.
    note: a sentence on what a missing value counts as, where training rows lack it; else "".
    """

    feature: str
    label: str
    text: str
    low: float | None
    high: float | None
    flatness: float
    note: str = ""

    @property
    def numbers(self) -> str:
        """The condition with its range alone, such as "size is between 1 and 2"; the whole text where it has no word."""
        word = f"{self.feature} is {self.label} ("
        if self.text.startswith(word) and self.text.endswith(")"):
            return f"{self.feature} is {self.text[len(word) : -1]}"
        return self.text


Conditions = list[tuple[Antecedent, ...]]  # of each rule, least flat first


@dataclass(frozen=True)
class Unit:
    """The encoded columns that one antecedent covers.

    columns: positions in the encoded row. states: the names of the values that the feature can take; empty for a number. ordered:
    whether they stand in their order, so that a state is its rank in one column.
    """

    feature: str
    columns: tuple[int, ...]
    states: tuple[str, ...] = ()
    ordered: bool = False

    @cached_property
    def values(self) -> np.ndarray:
        """The values of the states, (states, columns); not to be changed. Hundreds of categories are a large array."""
        ranks, columns = np.arange(len(self.states), dtype=float), len(self.columns)
        return ranks[:, None] if self.ordered else np.eye(len(ranks), columns)  # "not missing" is a row of zeros


def units_of(columns: list[ExportedColumn]) -> list[Unit]:
    """Group encoded columns by feature, in order of first appearance.

    Each number is a unit, with the ranks of ordered categories as its states; a feature's 0/1 columns form one unit. The
    "missing" column of a number is a unit of two states.
    """
    blocks: dict[str, list[int]] = {}
    units_by_column: dict[tuple[str, int], Unit] = {}
    for d, column in enumerate(columns):
        if column["kind"] == "number":
            levels = tuple(column.get("levels", ()))
            units_by_column["number", d] = Unit(column["feature"], (d,), levels, bool(levels))
        else:
            blocks.setdefault(column["feature"], []).append(d)
    for feature, block in blocks.items():
        states = tuple(_state(columns[d]) for d in block)
        if [columns[d]["kind"] for d in block] == ["missing"]:
            states = ("missing", "not missing")
        units_by_column["block", block[0]] = Unit(feature, tuple(block), states)
    return sorted(units_by_column.values(), key=lambda unit: unit.columns[0])


def flatness(arrays: RuleArrays, Z: np.ndarray, units: list[Unit]) -> np.ndarray:
    """mean_n Π_d μ_rd(x_nd) over each unit's columns, shape (R, U); 1 where the rule has no such antecedent.

    Z: (N, D) training rows in original units.
    """
    columns = [d for unit in units for d in unit.columns]
    starts = np.cumsum([0, *(len(unit.columns) for unit in units[:-1])])
    values, result = Z[:, columns], np.empty((arrays.n_rules, len(units)))
    for r in range(arrays.n_rules):
        log = np.add.reduceat(_log_memberships(arrays, r, columns, values), starts, axis=1)
        result[r] = np.exp(np.maximum(log, LOWEST)).mean(0)
    return result


def restricting(
    arrays: RuleArrays, units: list[Unit], low: np.ndarray | None = None, high: np.ndarray | None = None
) -> np.ndarray:
    """Which antecedents exclude a value of their feature, one where they do not hold: (R, U) bool.

    low, high: (D,) smallest and largest training values, so that only values between them and only states that occur count;
    None where any value may come.
    """
    low = np.full(len(arrays.columns), -np.inf) if low is None else low
    high = np.full(len(arrays.columns), np.inf) if high is None else high
    half = HALF_HEIGHT * arrays.sigmas
    narrow = arrays.present & ((arrays.centers - half > low) | (arrays.centers + half < high))  # (R, D)
    result = np.zeros((arrays.n_rules, len(units)), bool)
    for u, unit in enumerate(units):
        columns = list(unit.columns)
        if not unit.states:
            result[:, u] = narrow[:, columns[0]]
            continue
        occurs = ((unit.values >= low[columns]) & (unit.values <= high[columns])).all(1)
        for r in np.flatnonzero(arrays.present[:, columns].any(1)).tolist():
            result[r, u] = not listed(arrays, r, unit)[occurs].all()
    return result


def keep(flat: np.ndarray, candidates: np.ndarray, most: int | None) -> np.ndarray:
    """Which units each rule keeps, (R, U) bool: the ``most`` least flat candidates; None keeps all. candidates: (R, U) bool."""
    kept = np.zeros(flat.shape, bool)
    for r, of_rule in enumerate(candidates):
        kept[r, sorted(np.flatnonzero(of_rule).tolist(), key=lambda u: (flat[r, u], u))[:most]] = True
    return kept


def antecedents(
    arrays: RuleArrays,
    words: Callable[[int], FuzzyPartition],
    units: list[Unit],
    flat: np.ndarray,
    kept: np.ndarray,
    dead: np.ndarray | None = None,
) -> Conditions:
    """Each rule's kept antecedents, least flat first: R tuples of ``Antecedent``.

    words: the fuzzy partition of a column. units, flat, kept: of ``units_of``, ``flatness`` and ``keep``. dead: (R,) bool, rules
    whose words nobody reads, so that they may take no word from other rules.
    """
    labels = {(r, u): _label(arrays, r, units[u], words) for r, u in np.argwhere(kept).tolist() if not units[u].states}
    _hedge(arrays, words, units, labels)
    ranges: dict[tuple[int, str], set[str]] = {}
    for (r, u), (name, where) in labels.items():
        if dead is None or not dead[r]:
            ranges.setdefault((u, name), set()).add(where.text)
    result = []
    for r in range(arrays.n_rules):
        conditions = []
        for u in sorted(np.flatnonzero(kept[r]).tolist(), key=lambda u: (flat[r, u], u)):
            unit, level = units[u], float(flat[r, u])
            if unit.states:
                named = listed(arrays, r, unit)
                name, text = said(unit.feature, unit.states, named, ordered=unit.ordered)
                conditions.append(Antecedent(unit.feature, name, text, None, None, level))
                continue
            name, where = labels[r, u]
            one_range = name != ANY and not where.beyond and len(ranges.get((u, name), ())) == 1
            said_of = f"{name} ({where.text})" if one_range else where.text
            text, shown = f"{in_sentence(unit.feature)} is {said_of}", name if one_range else where.text
            conditions.append(Antecedent(unit.feature, shown, text, where.low, where.high, level))
        result.append(tuple(conditions))
    return result


def log_levels(arrays: RuleArrays, r: int, unit: Unit, values: np.ndarray) -> np.ndarray:
    """Log of the membership of some rows in one rule's unit, (N,); of a category relative to the likeliest of its states.

    values: (N, columns of the unit). A condition in words holds where the level is at least log ``HOLDS``.
    """
    level = _log_membership(arrays, r, list(unit.columns), values)
    if not unit.states:
        return level
    return level - _log_membership(arrays, r, list(unit.columns), unit.values).max()


def _label(arrays: RuleArrays, r: int, unit: Unit, words: Callable[[int], FuzzyPartition]) -> tuple[str, AlphaCut]:
    (d,) = unit.columns
    center, sigma = float(arrays.centers[r, d]), float(arrays.sigmas[r, d])
    return label(center, sigma, words(d)), AlphaCut.of(
        center, sigma, words(d), end_writer(arrays.columns[d].get("date"), words(d).spread)
    )


def _hedge(
    arrays: RuleArrays,
    words: Callable[[int], FuzzyPartition],
    units: list[Unit],
    labels: dict[tuple[int, int], tuple[str, AlphaCut]],
) -> None:
    """Name memberships that are exactly another one's by a hedge, in place. labels: of (rule, unit), as ``_label`` makes them."""
    for u in sorted({u for _, u in labels}):
        (d,), own = units[u].columns, [r for r, unit in labels if unit == u]
        names = [labels[r, u][0] for r in own]
        hedges = hedged(arrays.centers[own, d], arrays.sigmas[own, d], names, (*names, *words(d).words))
        for r, name in zip(own, hedges, strict=True):
            labels[r, u] = (name, labels[r, u][1])


def listed(arrays: RuleArrays, r: int, unit: Unit) -> np.ndarray:
    """Which states of a category the rule's condition names, (states,) bool: at least one."""
    return np.exp(log_levels(arrays, r, unit, unit.values)) >= HOLDS


def _log_membership(arrays: RuleArrays, r: int, columns: list[int], values: np.ndarray) -> np.ndarray:
    """The log membership in some columns together, one number for each row of ``values``."""
    return np.maximum(_log_memberships(arrays, r, columns, values).sum(1), LOWEST)


def _log_memberships(arrays: RuleArrays, r: int, columns: list[int], values: np.ndarray) -> np.ndarray:
    """The log membership in each column, shape as ``values``; 0 where the rule has no such antecedent."""
    centers = np.where(arrays.present[r, columns], arrays.centers[r, columns], 0.0)
    with np.errstate(over="ignore", under="ignore"):
        return log_membership(values, centers, arrays.sigmas[r, columns])


def _state(column: ExportedColumn) -> str:
    return {"other": "another value", "missing": "missing"}.get(column["kind"], str(column["category"]))

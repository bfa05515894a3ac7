"""A rule base printed in full: every number that its predictions need, rounded as printed, and what these numbers predict.

Scores are printed relative to the average row: score of class c = constant + Σ slope × (value − average), first the slopes that
all rules share, then what is each rule's own.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tsk_core.explain.antecedents import Unit, units_of
from tsk_core.explain.consequents import column_text
from tsk_core.explain.exported import ExportedRule, ExportedRules
from tsk_core.explain.reader import RuleArrays, read_rules, scores
from tsk_core.model.firing import HALF_HEIGHT

__all__ = ["PrintedRules", "printed_rules", "score_terms"]

HOW = (
    "Each rule fires as far as its conditions hold: μ = exp(−ln 2 · ((value − centre) / half width)²), multiplied; these levels"
    " are divided by their sum. A class's score is the mean of the rules' scores, weighted by the levels; the highest score wins."
)
CATEGORIES = " A category's value is 1 where the row has it, else 0."
DIGITS = 3  # significant, of slopes and of widths; centres have as many places as their width


@dataclass(frozen=True, eq=False)
class PrintedRules:
    """text: what a person reads. rules: the exported rules with the numbers of the text, which ``predict_index`` uses."""

    text: str
    rules: ExportedRules

    def predict_index(self, Z: ArrayLike) -> np.ndarray:
        """The classes that the text gives rows Z (N, D), in original units, as positions, shape (N,)."""
        return scores(self.rules, Z).argmax(1)

    def __str__(self) -> str:
        return self.text


def printed_rules(source: ExportedRules, mean: np.ndarray) -> PrintedRules:
    """The exported rules in full. mean: (D,) averages of the training rows, the reference of the scores."""
    arrays = read_rules(source)
    units, C = units_of(arrays.columns), len(arrays.classes)
    centred = arrays.consequents - arrays.consequents.mean(1, keepdims=True)  # a mean over classes changes no prediction
    reference = np.array([float(_digits(value)) if column["kind"] == "number" else 0.0
                          for value, column in zip(mean, arrays.columns, strict=True)])  # fmt: skip
    slopes = np.vectorize(lambda value: float(_digits(value)), otypes=[float])(centred[:, :, 1:])
    constants = np.round(centred[:, :, 0] + centred[:, :, 1:] @ reference, 2)
    shared, own = score_terms(arrays)
    lines = _shared_lines(arrays, units, slopes, (shared, own), reference)
    rules: list[ExportedRule] = []
    for r in range(arrays.n_rules):
        words, centers, sigmas = _conditions(arrays, r, units)
        weight = float(_digits(np.exp(arrays.log_weight[r])))
        lines += ["", f"Rule {r + 1}: IF {' AND '.join(words) or 'anything'}"]
        lines += [f"  its level is multiplied by {_plain(weight)}"] if arrays.log_weight[r] else []
        lines += [f"  THEN {_by_class(arrays, constants[r], 2)}"]
        lines += [f"  {_term(arrays, units[u], slopes[r], reference, column)}" for u in own[r] for column in units[u].columns]
        first = constants[r] - slopes[r] @ reference
        consequents = [[first[c], *slopes[r, c].tolist()] for c in range(C)]
        log_weight = float(np.log(weight)) if arrays.log_weight[r] else 0.0
        rules.append({"log_weight": log_weight, "centers": centers, "sigmas": sigmas, "consequents": consequents})
    return PrintedRules("\n".join(lines), {**source, "rules": rules})


def score_terms(arrays: RuleArrays) -> tuple[list[int], list[list[int]]]:
    """Which features change the scores, as positions in ``units_of``: in all rules alike, and in each rule by its own amount.

    A feature is shared where at least two rules have the same slopes, and no other slopes are those of more rules.
    """
    slopes = arrays.consequents[:, :, 1:] - arrays.consequents[:, :, 1:].mean(1, keepdims=True)
    shared: list[int] = []
    own: list[list[int]] = [[] for _ in range(arrays.n_rules)]
    for u, unit in enumerate(units_of(arrays.columns)):
        block = slopes[:, :, list(unit.columns)].reshape(arrays.n_rules, -1)
        scale = np.abs(block).max()
        if not scale:
            continue
        alike = np.abs(block[:, None] - block[None]).max(2) <= 1e-9 * scale  # (R, R)
        used = np.abs(block).max(1) > 0
        common = np.flatnonzero(alike.sum(1) == alike.sum(1).max())[0]
        together = alike[common] & used
        if together.sum() >= 2:
            shared.append(u)
        else:
            together[:] = False
        for r in np.flatnonzero(~together & (used | bool(together.any()))):
            own[r].append(u)
    return shared, own


def _shared_lines(
    arrays: RuleArrays, units: list[Unit], slopes: np.ndarray, terms: tuple[list[int], list[list[int]]], reference: np.ndarray
) -> list[str]:
    """The slopes that rules share; a rule with its own amount for a feature says so in its place. terms: ``score_terms``."""
    lines, (shared, own) = [HOW + (CATEGORIES if any(unit.states for unit in units) else "")], terms
    if not shared:
        return lines
    lines += ["", "In every rule that does not say otherwise, add to the score of"]
    for u in shared:
        r = next(r for r in range(arrays.n_rules) if u not in own[r])
        lines += [f"  {_term(arrays, units[u], slopes[r], reference, column)}" for column in units[u].columns]
    return lines


def _term(arrays: RuleArrays, unit: Unit, slopes: np.ndarray, reference: np.ndarray, d: int) -> str:
    """One column's slopes: "(age − 43.1) × : ill +0.021, well −0.021"; of a category, what it adds."""
    what = column_text(arrays.columns[d])
    factor = what if unit.states else f"({what} − {_plain(reference[d])})"
    return f"{factor} × {_by_class(arrays, slopes[:, d], None)}"


def _by_class(arrays: RuleArrays, values: np.ndarray, places: int | None) -> str:
    texts = [f"{value:+.{places}f}" if places is not None else f"{'' if value < 0 else '+'}{_plain(value)}" for value in values]
    return ", ".join(f"{name} {text}" for name, text in zip(arrays.classes, texts, strict=True))


def _conditions(arrays: RuleArrays, r: int, units: list[Unit]) -> tuple[list[str], list[float], list[float | None]]:
    """The words of a rule's conditions, and its centres and widths as printed."""
    words: list[str] = []
    centers = [0.0] * len(arrays.columns)
    sigmas: list[float | None] = [None] * len(arrays.columns)
    for unit in units:
        for d in unit.columns:
            if not arrays.present[r, d]:
                continue
            half = float(_digits(arrays.sigmas[r, d] * HALF_HEIGHT))
            center = float(_beside(arrays.centers[r, d], half))
            centers[d], sigmas[d] = center, half / HALF_HEIGHT
            words.append(f"{column_text(arrays.columns[d])} is {_plain(center)} ± {_plain(half)}")
    return words, centers, sigmas


def _digits(value: float) -> str:
    return f"{value:.{DIGITS}g}"


def _beside(center: float, half: float) -> float:
    """The centre, with two digits more than the first one of its half width."""
    place = int(np.floor(np.log10(half))) - DIGITS + 1 if half else 0
    return round(center, -place)


def _plain(value: float) -> str:
    """As Python prints it, without an exponent where it can be."""
    return f"{value:.12g}"

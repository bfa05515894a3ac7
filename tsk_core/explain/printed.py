"""A readable rule base printed in full: every number that its predictions need, rounded as printed, and what they predict."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tsk_core.errors import DataError
from tsk_core.explain.antecedents import in_sentence, units_of
from tsk_core.explain.consequents import column_text
from tsk_core.explain.exported import ExportedRule, ExportedRules, RuleArrays, is_zero_order, read_rules, scores
from tsk_core.model.firing import HALF_HEIGHT, log_membership

HOW = (
    "Each rule fires to the degree that its conditions hold: μ = exp(−ln 2 · ((value − centre) / half width)²), multiplied;"
    " {shares}. A class's score is the mean of the rules' scores, weighted by the levels; the"
    " highest score wins."
)
SHARES = "these levels are divided by their sum"
SHARES_OF_LOG = "a rule's level is then 1 / ({:g} − ln of this product), divided by the sum over the rules"
CATEGORIES = " A category's value is 1 where the row has it, else 0."
LEAST = 0.01  # by which a printed condition changes a level
DIGITS = 3  # significant, of widths; centres have as many places as their width


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


def printed_rules(source: ExportedRules, low: np.ndarray, high: np.ndarray) -> PrintedRules:
    """The exported rules in full. low, high: (D,) ranges of the columns in the training rows.

    Not printed are a rule whose scores are equal, which changes no class, and a condition that changes no level by more than 1%
    within these ranges. DataError where a consequent is not constant: such a rule base is not printed in full.
    """
    arrays = read_rules(source)
    if not is_zero_order(arrays):
        raise DataError("These rules have linear consequents; only a rule base with constant ones is printed in full.")
    constants = arrays.consequents[:, :, 0]
    constants = np.round(constants - constants.mean(1, keepdims=True), 2) + 0.0  # a mean over classes changes no prediction
    units = units_of(arrays.columns)
    shares = SHARES_OF_LOG.format(arrays.log_epsilon) if arrays.log_epsilon else SHARES
    lines = [HOW.format(shares=shares) + (CATEGORIES if any(unit.states and not unit.ordered for unit in units) else "")]
    for unit in units:
        if unit.ordered:
            lines.append(f"{unit.feature}: " + ", ".join(f"{name} is {rank}" for rank, name in enumerate(unit.states)) + ".")
    restricts = _restricts(arrays, low, high)
    rules: list[ExportedRule] = []
    for r in [r for r in range(arrays.n_rules) if constants[r].any() or not constants.any()]:
        words, centers, sigmas = _conditions(arrays, r, restricts[r])
        lines += ["", f"Rule {r + 1}: IF {' AND '.join(words) or 'anything'}"]
        lines.append(
            "  THEN " + ", ".join(f"{in_sentence(c)} {score:+.2f}" for c, score in zip(arrays.classes, constants[r], strict=True))
        )
        log_weight = 0.0
        if arrays.log_weight[r]:
            weight = _rounded(np.exp(arrays.log_weight[r]))
            log_weight = float(np.log(weight))
            lines.append(f"  its level is multiplied by {_plain(weight)}")
        consequents = [[score, *[0.0] * len(centers)] for score in constants[r].tolist()]
        rules.append({"log_weight": log_weight, "centers": centers, "sigmas": sigmas, "consequents": consequents})
    return PrintedRules("\n".join(lines), {**source, "rules": rules})


def _restricts(arrays: RuleArrays, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """(R, D) bool: where a membership differs from 1 by more than 1% somewhere in the range."""
    centers, sigmas = np.nan_to_num(arrays.centers), arrays.sigmas
    return np.minimum(*(log_membership(end, centers, sigmas) for end in (low, high))) < np.log1p(-LEAST)


def _conditions(arrays: RuleArrays, r: int, restricts: np.ndarray) -> tuple[list[str], list[float], list[float | None]]:
    """The words of a rule's conditions, and its centres and widths as printed. restricts: (D,) bool, those to print."""
    words: list[str] = []
    centers = [0.0] * len(arrays.columns)
    sigmas: list[float | None] = [None] * len(arrays.columns)
    for d in np.flatnonzero(restricts):
        half = _rounded(arrays.sigmas[r, d] * HALF_HEIGHT)
        place = int(np.floor(np.log10(half))) - DIGITS + 1
        centers[d], sigmas[d] = round(float(arrays.centers[r, d]), -place) + 0.0, half / HALF_HEIGHT
        words.append(f"{in_sentence(column_text(arrays.columns[d]))} is {_plain(centers[d])} ± {_plain(half)}")
    return words, centers, sigmas


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _plain(value: float) -> str:
    """As Python prints it, without an exponent where it can be."""
    return f"{value:.12g}"

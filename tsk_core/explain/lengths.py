"""Fidelity and accuracy of rules shortened to 1, 2, … antecedents, measured in one pass over the rows."""

from typing import Any

import numpy as np

from tsk_core.explain.reader import BLOCK, LOWEST, RuleArrays, read_rules, rule_outputs, scores
from tsk_core.explain.rule import Rule
from tsk_core.model.firing import log_firing

__all__ = ["mask_of", "measure_lengths"]


def measure_lengths(source: dict[str, Any], rules: tuple[Rule, ...], Z: np.ndarray, true: np.ndarray) -> dict[str, Any]:
    """Compare the rules at every length with the full model and with the true classes.

    source: the exported rules. rules: the same with their antecedents, least flat first. Z: (N, D) rows in original units.
    true: (N,) class positions, −1 for a class unknown to the model. Returns {"fidelity": L shares, "accuracy": L shares,
    "full_accuracy": a share}: entry k is measured with at most k + 1 antecedents; L is the most that any rule has, at least 1.

    A rule's log firing level is a sum over its antecedents, so each length adds one antecedent per rule to the length before.
    Normalisation divides all scores of a row by the same number, which does not change the largest, so it is left out.
    """
    arrays, full = read_rules(source), scores(source, Z).argmax(1)
    steps = _steps(arrays, rules)
    same, right = np.zeros(len(steps), int), np.zeros(len(steps), int)
    block = max(1, BLOCK // (arrays.n_rules * len(arrays.classes)))
    for rows in (slice(start, start + block) for start in range(0, len(Z), block)):
        outputs = rule_outputs(source, Z[rows])
        z = np.tile(arrays.log_weight, (len(outputs), 1))  # (B, R)
        for at, step in enumerate(steps):
            for r, columns in step:
                with np.errstate(over="ignore"):
                    z[:, r] += log_firing(Z[rows, columns], arrays.centers[r, columns], arrays.sigmas[r, columns])
            short = _predicted(z, outputs, arrays.epsilon)
            same[at] += (short == full[rows]).sum()
            right[at] += (short == true[rows]).sum()
    return {
        "fidelity": tuple((same / len(Z)).tolist()),
        "accuracy": tuple((right / len(Z)).tolist()),
        "full_accuracy": float((full == true).mean()),
    }


def mask_of(arrays: RuleArrays, rules: tuple[Rule, ...]) -> np.ndarray:
    """The antecedents that the rules have, (R, D) bool."""
    mask = np.zeros(arrays.sigmas.shape, bool)
    for step in _steps(arrays, rules):
        for r, columns in step:
            mask[r, columns] = True
    return mask


def _predicted(z: np.ndarray, outputs: np.ndarray, epsilon: float) -> np.ndarray:
    """The class with the largest score, (B,). z: (B, R) log firing levels; outputs: (B, R, C)."""
    z = np.maximum(z, LOWEST)
    top = z.max(1, keepdims=True)
    firing = np.exp(z - top)
    if epsilon:  # "paper": where all rules underflow, all scores are 0
        firing *= np.exp(np.minimum(top, 0.0))
    return np.einsum("br,brc->bc", firing, outputs).argmax(1)


def _steps(arrays: RuleArrays, rules: tuple[Rule, ...]) -> list[list[tuple[int, list[int]]]]:
    """What each length adds to the length before: (rule, columns of the antecedent)."""
    columns: dict[str, list[int]] = {}
    for d, column in enumerate(arrays.columns):
        columns.setdefault(column["feature"], []).append(d)
    longest = max((len(rule.antecedents) for rule in rules), default=0)
    steps: list[list[tuple[int, list[int]]]] = [[] for _ in range(max(1, longest))]
    for rule in rules:
        r = rule.index - 1
        for at, antecedent in enumerate(rule.antecedents):
            steps[at].append((r, [d for d in columns[antecedent.feature] if arrays.present[r, d]]))
    return steps

"""Constant scores per rule: the THEN of a zero-order TSK system, fitted by least squares to the full model's scores.

With the normalised firing levels F (N, R) of the printed conditions and the model's scores S (N, C), less their mean over
classes, A minimises ‖FA − S‖² + ρ‖A‖²; the ridge ρ is a hundredth of the mean diagonal of FᵀF. Fitting the scores rather than
the classes of the rows agrees with the full model as often (docs/decisions/0033) and needs no classes.
"""

import numpy as np

from tsk_core.explain.exported import ExportedRules
from tsk_core.explain.fidelity.lengths import blocks, levels_by_length, normalised, says_of, steps_of
from tsk_core.explain.reader import read_rules, scores
from tsk_core.explain.rule import Rule
from tsk_core.explain.spaced_rows import evenly_spaced

__all__ = ["fit_constants"]

MOST_ROWS = 4_000  # training rows that the scores are fitted to
MOST_NUMBERS = 40_000  # lengths × rules × classes: a file of more would be too large
RIDGE = 0.01
DIGITS = 4  # significant; measured after rounding, so that what is kept is what was measured


def fit_constants(source: ExportedRules, rules: tuple[Rule, ...], Z: np.ndarray) -> np.ndarray | None:
    """The scores at every length, (L, R, C), rounded; None for rule bases so large that nobody would read them.

    source: the exported rules. rules: the same with their antecedents, least flat first. Z: (N, D) training rows.
    """
    arrays = read_rules(source)
    steps = steps_of(arrays, rules, printed=True)
    longest = len(steps)
    R, C = arrays.n_rules, len(arrays.classes)
    if longest * R * C > MOST_NUMBERS:
        return None
    Z, says = Z[evenly_spaced(len(Z), MOST_ROWS)], says_of(arrays, rules)
    products, targets = np.zeros((longest, R, R)), np.zeros((longest, R, C))
    for rows in blocks(arrays, len(Z)):
        wanted = scores(source, Z[rows])
        wanted -= wanted.mean(1, keepdims=True)
        for at, z in enumerate(levels_by_length(arrays, steps, Z[rows])):
            firing = normalised(arrays.levels(z), says)
            products[at] += firing.T @ firing
            targets[at] += firing.T @ wanted
    ridge = RIDGE * np.trace(products, axis1=1, axis2=2) / R
    fitted = np.linalg.solve(products + ridge[:, None, None] * np.eye(R), targets)
    return np.array([float(f"{value:.{DIGITS}g}") for value in fitted.ravel().tolist()]).reshape(fitted.shape)

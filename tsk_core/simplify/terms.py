"""Which features stay in the scores of a rule base: those with the largest effects, shared by all rules or of one rule's own."""

import numpy as np
import torch

from tsk_core.explain.antecedents import Unit
from tsk_core.model import Rules, infer

__all__ = ["largest_terms"]


def largest_terms(rules: Rules, x: np.ndarray, units: list[Unit], most: int | None) -> tuple[np.ndarray, np.ndarray]:
    """The ``most`` score terms with the largest effects: own (R, D) bool and shared (D,) bool; None keeps every slope.

    b_r = mean b + (b_r − mean b): a feature's shared term is what mean b adds to the scores, its own term in rule r what the rest
    adds, weighted by the rule's firing. An effect is the root mean square over the rows of x, (N, D), and over classes.
    """
    weights = rules.weights[0] - rules.weights[0].mean(1, keepdim=True)  # (R, C, D); a mean over classes changes no prediction
    R, _, D = weights.shape
    own, shared = np.zeros((R, D), bool), np.zeros(D, bool)
    if most is None:
        return ~own, shared
    firing = infer(rules, torch.from_numpy(x))[0][0].numpy()
    mean = weights.mean(0)
    effects: list[tuple[float, int | None, list[int]]] = []  # of each term; the rule is None where all share it
    for unit in units:
        columns = list(unit.columns)
        values = x[:, columns] - x[:, columns].mean(0)
        effects.append((_size(values @ mean[:, columns].T.numpy()), None, columns))
        for r in range(R):
            added = firing[:, [r]] * (values @ (weights[r] - mean)[:, columns].T.numpy())
            effects.append((_size(added), r, columns))
    effects.sort(key=lambda effect: -effect[0])
    for _, rule, columns in effects[:most]:
        if rule is None:
            shared[columns] = True
        else:
            own[rule, columns] = True
    return own, shared


def _size(added: np.ndarray) -> float:
    return float(np.sqrt((added**2).mean()))

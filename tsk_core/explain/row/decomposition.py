"""The scores of one row as sums: over rules, and over features.

y^c(x) = Σ_r f̄_r(x) y_r^c(x), and y_r^c(x) = y_r^c(t) + Σ_d b_rd^c (x_d − t_d), where t is a typical row. So the score is a sum
over

    rules      f̄_r(x) y_r^c(x)
    features   Σ_r f̄_r(x) b_rd^c (x_d − t_d): what the feature adds through the THEN parts of the rules that fire,
               and two constants: y^c(t), the score of the typical row, and Σ_r (f̄_r(x) − f̄_r(t)) y_r^c(t), what is added by
               other rules firing than for the typical row (the IF parts).

With layer normalisation, f̃_r stands in place of each f̄_r above.

Both are exact, and not the only way to divide a score: a feature also decides which rules fire, all of which is in the second
constant, since the IF part of a rule is a product that has no exact share for each feature.
"""

from dataclasses import dataclass

import numpy as np

from tsk_core.explain.contributions import contributions
from tsk_core.explain.exported import ExportedRules
from tsk_core.explain.reader import check_rows, read_rules, rule_outputs
from tsk_core.explain.row.features import RowFeature

__all__ = ["Decomposition", "decompose"]


@dataclass(frozen=True)
class Decomposition:
    """The parts of one row's scores.

    firing: (R,) f̄ of the row. scores: (C,). by_rule: (R, C), their sum over rules is ``scores``.
    typical: (C,) the scores of the typical row. by_firing: (C,) what other rules firing adds. by_feature: (F, C). The sum of
    ``typical``, ``by_firing`` and all of ``by_feature`` is ``scores``.
    """

    firing: np.ndarray
    scores: np.ndarray
    by_rule: np.ndarray
    typical: np.ndarray
    by_firing: np.ndarray
    by_feature: np.ndarray

    def centred(self) -> "Decomposition":
        """The same less the mean over the classes of each part, which changes no probability; ``firing`` as it is."""
        rest = {name: part - part.mean(-1, keepdims=True) for name, part in vars(self).items() if name != "firing"}
        return Decomposition(firing=self.firing, **rest)


def decompose(rules: ExportedRules, x: np.ndarray, typical: np.ndarray, features: list[RowFeature]) -> Decomposition:
    """The parts of the scores of the row x, (D,) encoded and in original units; typical: (D,), the row it is compared with."""
    arrays = read_rules(rules)
    both = check_rows(np.stack([x, typical]), arrays)
    terms, outputs = contributions(rules, both), rule_outputs(rules, both)
    moved = terms.weights[0][:, None, None] * arrays.consequents[:, :, 1:] * (both[0] - both[1])  # (R, C, D)
    by_column = moved.sum(0).T  # (D, C)
    by_feature = np.stack([by_column[list(feature.columns)].sum(0) for feature in features])
    by_firing = ((terms.weights[0] - terms.weights[1])[:, None] * outputs[1]).sum(0)
    return Decomposition(terms.firing[0], terms.scores[0], terms.contribution[0], terms.scores[1], by_firing, by_feature)

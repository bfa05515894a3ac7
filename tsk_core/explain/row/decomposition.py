"""The scores of one row as sums: over rules, and over features.

y^c(x) = Σ_r f̄_r(x) y_r^c(x), and y_r^c(x) = y_r^c(t) + Σ_d b_rd^c (x_d − t_d), where t is a typical row. So the score is a sum
over

    rules      f̄_r(x) y_r^c(x)
    features   Σ_r f̄_r(x) b_rd^c (x_d − t_d): what the feature adds through the THEN parts of the rules that fire,
               and two constants: y^c(t), the score of the typical row, and Σ_r (f̄_r(x) − f̄_r(t)) y_r^c(t), what is added by
               other rules firing than for the typical row (the IF parts).

With layer normalisation, f̃_r stands in place of each f̄_r above.

Both are exact, and not the only way to divide a score: a feature also decides which rules fire, all of which is in the second
constant. A zero-order rule base has no slopes, so everything is in it; there the features share it by their Shapley values: what
a feature adds to the score of the typical row, on average over all orders in which features take the row's values. Only features
that some rule uses and whose values differ from the typical row's take part. Where these are more than ``PLAYERS``, those that
change the score most by themselves take part one by one and the others as one, whose share is divided in proportion to what each
changes by itself.
"""

from dataclasses import dataclass, replace
from math import factorial

import numpy as np

from tsk_core.explain.exported import (
    ExportedRules,
    RuleArrays,
    check_rows,
    contributions,
    is_zero_order,
    read_rules,
    rule_outputs,
    scores,
)
from tsk_core.explain.row.features import RowFeature

PLAYERS = 12  # of which all subsets are looked at: 4,096


@dataclass(frozen=True)
class Decomposition:
    """The parts of one row's scores.

    firing: (R,) f̄ of the row. scores: (C,). by_rule: (R, C), their sum over rules is ``scores``.
    typical: (C,) the scores of the typical row. by_firing: (C,) what other rules firing adds, 0 where features share it.
    by_feature: (F, C). The sum of ``typical``, ``by_firing`` and all of ``by_feature`` is ``scores``. shared: whether
    ``by_feature`` has Shapley values.
    """

    firing: np.ndarray
    scores: np.ndarray
    by_rule: np.ndarray
    typical: np.ndarray
    by_firing: np.ndarray
    by_feature: np.ndarray
    shared: bool = False

    def centred(self) -> "Decomposition":
        """The same less the mean over the classes of each part, which changes no probability; ``firing`` as it is."""
        parts = ("scores", "by_rule", "typical", "by_firing", "by_feature")
        centred = {name: getattr(self, name) - getattr(self, name).mean(-1, keepdims=True) for name in parts}
        return replace(self, **centred)


def decompose(rules: ExportedRules, x: np.ndarray, typical: np.ndarray, features: list[RowFeature]) -> Decomposition:
    """The parts of the scores of the row x, (D,) encoded and in original units; typical: (D,), the row it is compared with."""
    arrays = read_rules(rules)
    both = check_rows(np.stack([x, typical]), arrays)
    terms, outputs = contributions(rules, both), rule_outputs(rules, both)
    if is_zero_order(arrays):
        by_feature = _shapley_values(rules, arrays, both[0], both[1], features)
        nothing = np.zeros_like(terms.scores[0])
        return Decomposition(
            terms.firing[0], terms.scores[0], terms.contribution[0], terms.scores[1], nothing, by_feature, shared=True
        )
    moved = terms.weights[0][:, None, None] * arrays.consequents[:, :, 1:] * (both[0] - both[1])  # (R, C, D)
    by_column = moved.sum(0).T  # (D, C)
    by_feature = np.stack([by_column[list(feature.columns)].sum(0) for feature in features])
    by_firing = ((terms.weights[0] - terms.weights[1])[:, None] * outputs[1]).sum(0)
    return Decomposition(terms.firing[0], terms.scores[0], terms.contribution[0], terms.scores[1], by_firing, by_feature)


def _shapley_values(
    rules: ExportedRules, arrays: RuleArrays, x: np.ndarray, typical: np.ndarray, features: list[RowFeature]
) -> np.ndarray:
    """The Shapley value of each feature in the scores of x, (F, C), compared with the typical row (Shapley 1953)."""
    moves = (x != typical) & arrays.present.any(0)
    moving = [f for f, feature in enumerate(features) if moves[list(feature.columns)].any()]
    values = np.zeros((len(features), len(arrays.classes)))
    if not moving:
        return values
    alone = scores(rules, np.stack([_with(typical, x, features, [f]) for f in moving])) - scores(rules, typical[None])
    changes = np.abs(alone).max(1)  # of each moving feature
    order = np.argsort(-changes, kind="stable")
    players = [[moving[k]] for k in order]
    if len(players) > PLAYERS:
        players = [*players[: PLAYERS - 1], [f for player in players[PLAYERS - 1 :] for f in player]]
    K = len(players)
    subsets = np.arange(2**K)
    inside = (subsets[:, None] >> np.arange(K)) & 1  # (2^K, K)
    rows = np.repeat(typical[None], len(subsets), 0)
    for k, player in enumerate(players):
        columns = [d for f in player for d in features[f].columns]
        rows[np.ix_(inside[:, k] == 1, columns)] = x[columns]
    of_subset, sizes = scores(rules, rows), inside.sum(1)
    weight = np.array([factorial(size) * factorial(K - size - 1) / factorial(K) for size in range(K)])
    for k, player in enumerate(players):
        without = subsets[inside[:, k] == 0]
        value = weight[sizes[without]] @ (of_subset[without + 2**k] - of_subset[without])
        part = changes[order[k : k + len(player)]]
        share = part / part.sum() if part.sum() > 0 else np.full(len(player), 1 / len(player))
        values[player] = share[:, None] * value
    return values


def _with(typical: np.ndarray, x: np.ndarray, features: list[RowFeature], chosen: list[int]) -> np.ndarray:
    """The typical row with the values that x has for some features."""
    row = typical.copy()
    columns = [d for f in chosen for d in features[f].columns]
    row[columns] = x[columns]
    return row

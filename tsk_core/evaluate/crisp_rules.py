"""Crisp rules: conditions that hold or do not, then a class; what a decision tree and a rule list are when they are printed.

A rule's conditions are counted as its reader counts them: one for each feature that it compares. So x <= 5 and x <= 3 are one
condition, and so are x > 1 and x <= 3 (a range), and colour ≠ red and colour ≠ blue (two one-hot columns of one feature).
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from sklearn.tree import DecisionTreeClassifier

__all__ = ["Comparison", "CrispRule", "CrispRules", "Leaf", "leaves", "tree_within"]


class Comparison(NamedTuple):
    """Encoded column ``column`` is at most ``threshold`` (below) or more than it (not below)."""

    column: int
    threshold: float
    below: bool


class CrispRule(NamedTuple):
    """comparisons: all must hold, those of a path from the root down; label: the class index that follows."""

    comparisons: tuple[Comparison, ...]
    label: int

    def conditions(self, feature_of: Sequence[int]) -> int:
        """How many its reader counts. feature_of: the feature of each encoded column, (D,)."""
        return len({feature_of[comparison.column] for comparison in self.comparisons})

    def holds(self, Z: np.ndarray) -> np.ndarray:
        """For which rows, bool (N,). Z: encoded, float32 (N, D)."""
        holds = np.ones(len(Z), dtype=bool)
        for column, threshold, below in self.comparisons:
            holds &= (Z[:, column] <= threshold) == below
        return holds


@dataclass(frozen=True)
class CrispRules:
    """The first rule that holds for a row decides its class, else ``default`` does.

    default: a class index, printed as "otherwise"; None where one rule holds for every row, as in a tree.
    """

    rules: tuple[CrispRule, ...]
    default: int | None = None

    def conditions(self, feature_of: Sequence[int]) -> int:
        """Of all rules together."""
        return sum(rule.conditions(feature_of) for rule in self.rules)

    def __len__(self) -> int:
        """How many rules are printed; "otherwise" is one."""
        return len(self.rules) + (self.default is not None)

    def predict(self, Z: np.ndarray) -> np.ndarray:
        """Class indices, int (N,). Z: encoded, float32 (N, D)."""
        predicted = np.full(len(Z), -1 if self.default is None else self.default)
        open_rows = np.ones(len(Z), dtype=bool)
        for rule in self.rules:
            holds = open_rows & rule.holds(Z)
            predicted[holds] = rule.label
            open_rows &= ~holds
        return predicted


class Leaf(NamedTuple):
    """rule: its path and class. rows: its share of all rows' weight. gain: the share of its class here less that among all."""

    rule: CrispRule
    rows: float
    gain: float


def leaves(model: "DecisionTreeClassifier", n_leaves: int) -> list[Leaf]:
    """The leaves of the tree when it had ``n_leaves`` of them; leaves of one class below one node are one leaf.

    model: fitted with ``max_leaf_nodes`` (best split first) on class indices; it has at least n_leaves leaves. Its nodes stand in
    the order in which they were made, a pair at a time, so the first 2·n_leaves − 1 are the tree of max_leaf_nodes=n_leaves.
    Of a tree that was fitted otherwise n_leaves has to be all of them.
    """
    tree = model.tree_
    labels, divides = _divisions(tree, 2 * n_leaves - 1)
    shares, rows = tree.value[:, 0], tree.weighted_n_node_samples
    found: list[Leaf] = []
    waiting: list[tuple[int, tuple[Comparison, ...]]] = [(0, ())]
    while waiting:
        node, path = waiting.pop()
        if divides[node]:
            column, threshold = int(tree.feature[node]), float(tree.threshold[node])
            waiting.append((tree.children_right[node], (*path, Comparison(column, threshold, below=False))))
            waiting.append((tree.children_left[node], (*path, Comparison(column, threshold, below=True))))
        else:
            label = labels[node]
            gain = float(shares[node, label] - shares[0, label])
            found.append(Leaf(CrispRule(path, int(model.classes_[label])), float(rows[node] / rows[0]), gain))
    return found


def _divisions(tree: Any, n_nodes: int) -> tuple[np.ndarray, np.ndarray]:
    """Of the first nodes: the position of the most frequent class, and whether classes differ below the node; (n_nodes,) each."""
    labels, divides = tree.value[:n_nodes, 0].argmax(1), np.zeros(n_nodes, dtype=bool)
    for node in range(n_nodes - 1, -1, -1):  # children come after their parents
        left, right = tree.children_left[node], tree.children_right[node]
        if 0 < left < n_nodes:
            divides[node] = divides[left] or divides[right] or labels[left] != labels[right]
            if not divides[node]:
                labels[node] = labels[left]
    return labels, divides


def tree_within(model: "DecisionTreeClassifier", conditions: int, feature_of: Sequence[int]) -> CrispRules:
    """The rules of the largest tree on the way to the fitted one that have at most ``conditions`` conditions together."""

    def rules(n_leaves: int) -> CrispRules:
        return CrispRules(tuple(leaf.rule for leaf in leaves(model, n_leaves)))

    grown = range(1, model.get_n_leaves() + 1)  # a tree that grows never has fewer conditions
    return rules(bisect_right(grown, conditions, key=lambda n_leaves: rules(n_leaves).conditions(feature_of)))

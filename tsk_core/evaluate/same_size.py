"""A decision tree and a rule list with as many conditions as a rule base has, on the same split: what to set beside it.

CART       scikit-learn's decision tree, grown best split first while its rules stay within the number of conditions
rule list  separate and conquer with trees, as PART does (Frank and Witten 1998): the best leaf of a small tree of scikit-learn
           becomes a rule, its rows are taken away, and the rest gives the next one. The best leaf is that of the highest
           weighted relative accuracy, rows · (share of the class here − share among all) (Lavrač, Flach and Zupan 1999), and
           of equals the shortest.

Each has the settings that cross-validation on the training rows (on a sample, where there are many) finds best for BCA at that
size, class weights among them.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from tsk_core.data.encoding import Encoder, Labels, Rows
from tsk_core.data.folds import folds
from tsk_core.data.naming import printed
from tsk_core.errors import DataError
from tsk_core.metrics import accuracy_of_labels
from tsk_core.setting_values import check_whole

if TYPE_CHECKING:
    from sklearn.tree import DecisionTreeClassifier

# Crisp rules: conditions that hold or do not, then a class; what a decision tree and a rule list are when they are printed.
#
# A rule's conditions are counted as its reader counts them: one for each feature that it compares. So x <= 5 and x <= 3 are one
# condition, and so are x > 1 and x <= 3 (a range), and colour ≠ red and colour ≠ blue (two one-hot columns of one feature).


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


N_FOLDS = 5
_LEAST_ROWS = 2 * N_FOLDS  # to cross-validate; fewer take the first settings
MOST_ROWS = 3000  # to choose settings with, which takes 20 to 40 times as long as training with them
_CLASS_WEIGHTS: tuple[str | None, ...] = (None, "balanced")
_LEAF_ROWS = (1, 5)
_LEAVES = (4, 12)  # of the tree that gives one rule of a rule list
_MOST_GROWN = 4  # leaves for each condition: neighbours of one class are one leaf when they are printed

Settings = Mapping[str, Any]
Made = Callable[[np.ndarray, np.ndarray, Settings], CrispRules]  # of encoded rows and class indices


class Peer(NamedTuple):
    """A classifier beside ours.

    conditions, rules: counted in its printed rules, of which "otherwise" is one, without conditions; None where it has no rules.
    rca, bca: on the test rows; None without test rows.
    """

    name: str
    conditions: int | None
    rules: int | None
    rca: float | None
    bca: float | None


def equal_size(
    X_train: Rows,
    y_train: Labels,
    X_test: Rows,
    y_test: Labels,
    conditions: int,
    *,
    seed: int = 0,
    groups: np.ndarray | None = None,
    time: np.ndarray | None = None,
) -> list[Peer]:
    """The tree and the rule list, each with at most ``conditions`` conditions. Equal arguments give equal results.

    X_*: rows as ``TSKClassifier`` takes them, (N, features); y_*: their classes, (N,). conditions: of all rules together, from 1.
    groups, time: (N,) of the training rows, as for ``data.folds.folds``: which of them belong together, or their order.
    A test row of a class without training rows is misclassified. Raises SettingError or DataError.
    """
    check_whole("conditions", conditions, 1)
    y_train, y_test = check_rows(X_train, y_train, X_test, y_test)
    encoder = Encoder().fit(X_train)
    classes, y = np.unique(y_train, return_inverse=True)
    with np.errstate(over="ignore"):  # a test row far from all others becomes infinite, which compares as it should
        Z, Z_test = (encoder.normalise(encoder.transform(X)).astype(np.float32) for X in (X_train, X_test))
    feature_of = encoder.feature_of

    def peer(name: str, made: Made, choices: Mapping[str, Iterable[Any]]) -> Peer:
        rules = made(Z, y, _chosen(made, choices, (Z, y), (groups, time), seed))
        scores = accuracy_of_labels(y_test, classes[rules.predict(Z_test)])
        return Peer(name, rules.conditions(feature_of), len(rules), *scores)

    def tree(Z: np.ndarray, y: np.ndarray, settings: Settings) -> CrispRules:
        return tree_within(_grown(Z, y, _MOST_GROWN * conditions, settings, seed), conditions, feature_of)

    def rule_list(Z: np.ndarray, y: np.ndarray, settings: Settings) -> CrispRules:
        return _rule_list(Z, y, settings, conditions, feature_of, seed)

    shared = {"class_weight": _CLASS_WEIGHTS, "min_samples_leaf": _LEAF_ROWS}
    return [peer("CART", tree, shared), peer("rule list", rule_list, shared | {"leaves": _LEAVES})]


def check_rows(X_train: Rows, y_train: Labels, X_test: Rows, y_test: Labels) -> tuple[np.ndarray, np.ndarray]:
    """The classes of training and test rows as arrays. Raises DataError where they do not fit the rows, or there is one class."""
    arrays = np.asarray(y_train), np.asarray(y_test)
    for kind, X, y in zip(("training", "test"), (X_train, X_test), arrays, strict=True):
        if y.shape != (len(X),):
            raise DataError(f"Each of the {len(X)} {kind} rows needs one class, got classes of the shape {y.shape}.")
        if pd.isna(y).any():
            raise DataError(f"{int(pd.isna(y).sum())} of {len(y)} {kind} rows have no class; leave them out.")
    if len(names := np.unique(arrays[0])) < 2:
        found = f"one class only: {printed(names[0])!r}" if len(names) else "no row"
        raise DataError(f"A tree or a rule list needs training rows of at least two classes; there is {found}.")
    return arrays


def _chosen(
    made: Made,
    choices: Mapping[str, Iterable[Any]],
    training: tuple[np.ndarray, np.ndarray],
    together: tuple[np.ndarray | None, np.ndarray | None],
    seed: int,
) -> Settings:
    """The settings of the highest BCA of all rows, each predicted without its fold; the first of equals."""
    options = [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]
    rows = sample(training[1], seed)
    Z, y = (values[rows] for values in training)
    groups, time = (None if values is None else np.asarray(values)[rows] for values in together)
    if len(y) < _LEAST_ROWS or any(len(np.unique(values)) < 2 for values in (groups, time) if values is not None):
        return options[0]
    parts = folds(y, N_FOLDS, seed, groups=groups, time=time)
    tested = np.concatenate([part.test for part in parts])  # in the order of time not all rows

    def bca(settings: Settings) -> float:
        predicted = [made(Z[part.train], y[part.train], settings).predict(Z[part.test]) for part in parts]
        return accuracy_of_labels(y[tested], np.concatenate(predicted)).numbers[1]

    return max(options, key=bca)


def sample(y: np.ndarray, seed: int) -> np.ndarray:
    """At most ``MOST_ROWS`` positions in y, (N,), rising: classes in proportion."""
    parts = -(-len(y) // MOST_ROWS)
    return np.arange(len(y)) if parts == 1 else folds(y, parts, seed)[0].test


def _grown(Z: np.ndarray, y: np.ndarray, n_leaves: int, settings: Settings, seed: int, weights: np.ndarray | None = None) -> Any:
    """A tree of scikit-learn with at most ``n_leaves`` leaves, from 2, the best split first."""
    from sklearn.tree import DecisionTreeClassifier  # imported here: the import is slow

    return DecisionTreeClassifier(max_leaf_nodes=n_leaves, random_state=seed, **settings).fit(Z, y, weights)


def _rule_list(Z: np.ndarray, y: np.ndarray, settings: Settings, conditions: int, feature_of: list[int], seed: int) -> CrispRules:
    """Rules until no leaf gives one within the conditions left; rows that none holds for are of the class most of them have."""
    from sklearn.utils.class_weight import compute_sample_weight  # imported here: the import is slow

    weights = compute_sample_weight(settings["class_weight"], y)
    grown = {"min_samples_leaf": settings["min_samples_leaf"]}
    rules: list[CrispRule] = []
    left = np.arange(len(y))
    while len(left):
        model = _grown(Z[left], y[left], settings["leaves"], grown, seed, weights[left])
        found = leaves(model, model.get_n_leaves())
        found = [leaf for leaf in found if leaf.gain > 0 and leaf.rule.conditions(feature_of) <= conditions]
        if not found:
            break
        rule = max(found, key=lambda leaf: (round(leaf.rows * leaf.gain, 9), -leaf.rule.conditions(feature_of))).rule
        rules.append(rule)
        conditions -= rule.conditions(feature_of)
        left = left[~rule.holds(Z[left])]
    rest = left if len(left) else np.arange(len(y))
    default = int(np.bincount(y[rest], weights[rest]).argmax())
    while rules and rules[-1].label == default:  # "otherwise" says the same without a condition
        rules.pop()
    return CrispRules(tuple(rules), default)

"""A tree as rules, cut back to a number of conditions: held against scikit-learn's own trees and a count from decision paths."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from tsk_core.evaluate.same_size import Comparison, CrispRule, CrispRules, leaves, tree_within


def noisy(seed, rows=80, columns=5, classes=3):
    """Encoded rows, float32, whose classes depend on two columns and on chance."""
    random = np.random.default_rng(seed)
    Z = random.normal(size=(rows, columns)).round(1).astype(np.float32)
    y = (2 * (Z[:, 0] > 0) + (Z[:, 1] > 0.5) + (random.random(rows) < 0.3)) % classes
    return Z, y.astype(int)


def grown(Z, y, n_leaves, **settings):
    return DecisionTreeClassifier(max_leaf_nodes=n_leaves, random_state=0, **settings).fit(Z, y)


def conditions_along(model, feature_of):
    """Recounted, slow and obvious: for each leaf, the features of the inner nodes that the rows of this leaf pass."""
    random, tree = np.random.default_rng(0), model.tree_
    thresholds = np.concatenate([tree.threshold[tree.feature >= 0], [0.0]])
    values = np.concatenate([thresholds - 1e-3, thresholds + 1e-3])
    rows = random.choice(values, size=(20_000, model.n_features_in_)).astype(np.float32)
    found, paths = {}, model.decision_path(rows)
    for start, end in zip(paths.indptr, paths.indptr[1:], strict=False):
        nodes = paths.indices[start:end]  # root first
        found[nodes[-1]] = len({feature_of[tree.feature[node]] for node in nodes[:-1]})
    return found


@pytest.mark.parametrize("class_weight", [None, "balanced"])
@pytest.mark.parametrize("n_leaves", [2, 3, 5, 9, 16])
def test_the_first_leaves_of_a_large_tree_are_the_small_tree(n_leaves, class_weight):
    Z, y = noisy(1)
    large, small = grown(Z, y, 40, class_weight=class_weight), grown(Z, y, n_leaves, class_weight=class_weight)
    rules = CrispRules(tuple(leaf.rule for leaf in leaves(large, n_leaves)))
    rows = np.random.default_rng(2).normal(size=(500, 5)).astype(np.float32)
    assert (rules.predict(rows) == small.predict(rows)).all()


@pytest.mark.parametrize("feature_of", [[0, 1, 2, 3, 4], [0, 1, 1, 1, 2], [0, 0, 0, 0, 0]])
def test_conditions_are_those_of_the_decision_paths(feature_of):
    Z, _ = noisy(3)
    y = (Z[:, 0] > 0).astype(int) + 2 * (Z[:, 1] > 0) + 4 * (Z[:, 2] > 0)  # no two neighbours of one class
    model = grown(Z, y, 8)
    expected = conditions_along(model, feature_of)
    assert len(expected) == model.get_n_leaves()
    assert sum(leaf.rule.conditions(feature_of) for leaf in leaves(model, 8)) == sum(expected.values())


def test_leaves_of_one_class_under_one_node_are_one_rule():
    Z = np.array([[0.0], [1.0], [2.0], [3.0]], dtype=np.float32).repeat([6, 4, 6, 6], axis=0)
    y = np.array([0] * 6 + [0, 0, 0, 1] + [1] * 12)  # the row in the middle of each class splits a leaf, not the classes
    model = grown(Z, y, 4)
    found = leaves(model, model.get_n_leaves())
    assert model.get_n_leaves() == 3 and len(found) == 2
    assert {leaf.rule.label for leaf in found} == {0, 1}
    assert sum(leaf.rows for leaf in found) == pytest.approx(1)
    assert (CrispRules(tuple(leaf.rule for leaf in found)).predict(Z) == model.predict(Z)).all()


@given(st.integers(0, 1000), st.integers(1, 40), st.lists(st.integers(0, 2), min_size=5, max_size=5))
def test_a_tree_is_the_largest_within_the_number_of_conditions(seed, conditions, feature_of):
    model = grown(*noisy(seed), 4 * conditions)
    within = tree_within(model, conditions, feature_of)
    every = [CrispRules(tuple(leaf.rule for leaf in leaves(model, n_leaves))) for n_leaves in range(1, model.get_n_leaves() + 1)]
    counts = [rules.conditions(feature_of) for rules in every]
    assert counts == sorted(counts)
    assert within == max((r for r in every if r.conditions(feature_of) <= conditions), key=lambda r: r.conditions(feature_of))
    assert (every[-1].predict(noisy(seed)[0]) == model.predict(noisy(seed)[0])).all()


def test_the_first_rule_that_holds_decides_and_otherwise_is_a_rule():
    rules = CrispRules((CrispRule((Comparison(0, 1.0, True),), 1), CrispRule((Comparison(0, 2.0, True),), 2)), default=0)
    assert rules.predict(np.array([[0.5], [1.0], [1.5], [2.5]], dtype=np.float32)).tolist() == [1, 1, 2, 0]
    assert len(rules) == 3 and rules.conditions([0]) == 2

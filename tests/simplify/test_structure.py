"""Structures count and leave out what they should; rules are reduced as the definitions say."""

import numpy as np
import torch

from tsk_core.explain.antecedents import units_of
from tsk_core.explain.reader import RuleArrays
from tsk_core.model import Rules
from tsk_core.simplify.reduce import conditions, reduce_rules
from tsk_core.simplify.structure import Structure
from tsk_core.simplify.terms import largest_terms
from tsk_core.train import FIXED

COLUMNS = [
    {"feature": "a", "kind": "number", "category": None, "impute": 0.0},
    {"feature": "b", "kind": "number", "category": None, "impute": 0.0},
    {"feature": "colour", "kind": "category", "category": "red", "impute": "red"},
    {"feature": "colour", "kind": "category", "category": "blue", "impute": "red"},
]


def plain(centers, sigmas, weights, biases):
    parts = np.zeros((1, len(centers))), *(np.asarray(values, float)[None] for values in (centers, sigmas, weights, biases))
    return Rules(*(torch.from_numpy(part) for part in parts))


def test_a_category_counts_once_and_a_shared_slope_counts_once():
    conditions_of = np.array([[1, 0, 1, 1], [0, 0, 0, 0]], bool)
    structure = Structure.of(conditions_of).with_terms(np.array([[0, 1, 0, 0], [0, 0, 0, 0]], bool), np.array([1, 0, 1, 1], bool))
    assert structure.counts(units_of(COLUMNS)) == (2, 3)  # a and colour; a and colour for both rules, b for the first


def test_the_start_keeps_own_slopes_averages_shared_ones_and_drops_the_rest():
    weights = np.arange(16.0).reshape(2, 2, 4)
    rules = plain(np.zeros((2, 4)), np.ones((2, 4)), weights, np.ones((2, 2)))
    own, shared = np.array([[0, 1, 0, 0], [0, 0, 0, 0]], bool), np.array([1, 0, 0, 0], bool)
    start = Structure.of(np.array([[1, 0, 0, 0], [1, 1, 0, 0]], bool)).with_terms(own, shared).start(rules)
    kept = start.rules.weights[0].numpy()
    np.testing.assert_array_equal(kept[:, :, 0], np.tile(weights[:, :, 0].mean(0), (2, 1)))
    np.testing.assert_array_equal(kept[0, :, 1], weights[0, :, 1])
    assert not kept[1, :, 1].any() and not kept[:, :, 2:].any()
    assert start.slopes[0, 0] == start.slopes[1, 0] != FIXED and start.slopes[1, 1] == FIXED
    np.testing.assert_array_equal(np.isinf(start.rules.sigmas[0].numpy()), [[0, 1, 1, 1], [0, 0, 1, 1]])


def test_rules_that_fire_alike_and_conclude_the_same_become_one_and_a_dead_rule_goes():
    x = np.random.default_rng(0).normal(size=(200, 4))
    centers = np.array([[1, 0, 0, 0], [1.01, 0, 0, 0], [-1, 0, 0, 0], [500, 0, 0, 0]], float)
    biases = np.array([[2, 0], [2, 0], [0, 2], [5, 0]], float)
    rules = plain(centers, np.ones((4, 4)), np.zeros((4, 2, 4)), biases)
    reduced = reduce_rules(rules, x, 8)
    assert reduced.sources == ((1, 2), (3,))
    assert abs(float(reduced.rules.centers[0, 0, 0]) - 1.005) < 0.01
    np.testing.assert_allclose(reduced.rules.biases[0].numpy(), [[2, 0], [0, 2]])


def test_no_more_rules_stay_than_are_allowed():
    rng = np.random.default_rng(1)
    rules = plain(rng.normal(size=(6, 4)), np.ones((6, 4)), rng.normal(size=(6, 3, 4)), rng.normal(size=(6, 3)))
    for most in (1, 2, 4):
        reduced = reduce_rules(rules, rng.normal(size=(100, 4)), most)
        assert len(reduced.sources) == reduced.rules.biases.shape[1] == most
        assert sorted(r for source in reduced.sources for r in source) == [1, 2, 3, 4, 5, 6]


def test_the_least_flat_conditions_stay_and_nearly_equal_terms_become_one():
    x = np.column_stack([np.random.default_rng(2).normal(size=(300, 2)), np.tile([[1.0, 0.0], [0.0, 1.0]], (150, 1))])
    centers = np.array([[0.0, 0.0, 0.5, 0.5], [0.05, 2.0, 0.5, 0.5]])
    sigmas = np.array([[0.5, 30.0, 40.0, 40.0], [0.5, 0.5, 40.0, 40.0]])
    arrays = RuleArrays(np.zeros(2), centers, sigmas, np.empty(0), 0.0, COLUMNS, [])
    shorter, structure = conditions(arrays, x, units_of(COLUMNS), 2)
    np.testing.assert_array_equal(structure.conditions, [[1, 0, 0, 0], [1, 1, 0, 0]])  # the others hold for every row
    assert structure.merged[0, 0] == structure.merged[1, 0] and shorter.centers[0, 0] == shorter.centers[1, 0] == 0.025


def test_the_largest_terms_are_shared_where_rules_agree_and_own_where_one_differs():
    x = np.random.default_rng(3).normal(size=(400, 4))
    weights = np.zeros((2, 2, 4))
    weights[:, 0, 0] = 3.0  # of both rules
    weights[1, 0, 1] = 2.0  # of the second alone
    rules = plain([[-1, 0, 0, 0], [1, 0, 0, 0]], np.full((2, 4), 2.0), weights, np.zeros((2, 2)))
    own, shared = largest_terms(rules, x, units_of(COLUMNS), 1)
    assert shared.tolist() == [True, False, False, False] and not own.any()
    own, shared = largest_terms(rules, x, units_of(COLUMNS), 4)
    assert own[:, 1].any() and not own[:, 2:].any() and not shared[2:].any()
    own, shared = largest_terms(rules, x, units_of(COLUMNS), None)
    assert own.all() and not shared.any()

"""TSK-FCM-LSE, held to its definition written out row by row."""

import numpy as np
import pytest
import torch

from tests.tables import make_table
from tsk_core.model import class_scores
from tsk_study.other_algorithms import fit_rules
from tsk_study.parts import split_data

RNG = np.random.default_rng(5)
X, Y = RNG.normal(size=(60, 4)) * [1, 2, 0.5, 1], RNG.integers(3, size=60)


def memberships_squared(x, centers):
    """Of one row: u_r² with u_r = 1 / Σ_s (d_r/d_s)², fuzzy c-means with the fuzzifier 2."""
    distances = [np.linalg.norm(x - center) for center in centers]
    return np.array([1 / sum((own / other) ** 2 for other in distances) for own in distances]) ** 2


def firing(x, centers, sigmas):
    levels = np.array([np.prod(np.exp(-((x - c) ** 2) / (2 * s**2))) for c, s in zip(centers, sigmas, strict=True)])
    return levels / levels.sum()


@pytest.fixture
def three_rules(monkeypatch):
    monkeypatch.setattr("tsk_study.other_algorithms.N_RULES", 3)
    return fit_rules(X, Y, seed=0)


def test_antecedents_and_consequents_are_those_of_the_definition(three_rules):
    rules = three_rules
    centers, sigmas = rules.centers[0].numpy(), rules.sigmas[0].numpy()
    weights = np.array([memberships_squared(x, centers) for x in X])
    for r in range(3):
        total = weights[:, r].sum()
        assert centers[r] == pytest.approx((weights[:, r] @ X) / total, abs=1e-4)  # where fuzzy c-means stays
        assert sigmas[r] == pytest.approx(np.sqrt(weights[:, r] @ (X - centers[r]) ** 2 / total))

    # least squares with √α·I below the rows: the same minimum by another way
    design = np.array([np.concatenate([f * np.array([1, *x]) for f in firing(x, centers, sigmas)]) for x in X])
    above = np.vstack([design, np.sqrt(0.05) * np.eye(15)])
    found = np.linalg.lstsq(above, np.vstack([np.eye(3)[Y], np.zeros((15, 3))]), rcond=None)[0]
    assert class_scores(rules, torch.from_numpy(X)).numpy() == pytest.approx(design @ found)


def test_the_model_is_a_rule_base_like_any_other(three_rules):
    mean, scale = torch.tensor([1.0, -2, 3, 0]).double(), torch.tensor([2.0, 1, 0.5, 4]).double()
    in_units = three_rules.in_units(mean, scale)  # as rules are shown and exported
    expected = class_scores(three_rules, torch.from_numpy(X)).numpy()
    assert class_scores(in_units, torch.from_numpy(X) * scale + mean).numpy() == pytest.approx(expected)


def test_a_constant_feature_changes_nothing():
    split = split_data(make_table(), 0)
    x = split.X_train
    with_constant = fit_rules(np.column_stack([x, np.zeros(len(x))]), split.y_train, 0)
    alone = class_scores(fit_rules(x, split.y_train, 0), torch.from_numpy(split.X_test)).numpy()
    test = torch.from_numpy(np.column_stack([split.X_test, np.zeros(len(split.X_test))]))
    assert class_scores(with_constant, test).numpy() == pytest.approx(alone, abs=1e-6)

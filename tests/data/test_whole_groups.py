"""Whole groups dealt out: about the share asked for, classes in proportion, and another draw for each seed."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedGroupKFold

from tsk_core.data.splitting import fold_of_groups, groups_to_test


def each_seed(groups, codes, share, seeds=30):
    return [groups_to_test(groups, codes, share, np.random.default_rng(seed)) for seed in range(seeds)]


def patients(n_groups, rows=20):
    """Groups whose classes are more or less mixed."""
    rng, groups = np.random.default_rng(n_groups), np.repeat(np.arange(n_groups), rows)
    return groups, (rng.random(len(groups)) < rng.beta(2, 3, n_groups)[groups]).astype(int)


@pytest.mark.parametrize("n_groups", [8, 12, 24])
def test_seeds_draw_different_groups_and_leave_none_always_out(n_groups):
    """The groups with the most extreme classes, too: an interval over seeds would be too short if seeds tested the same ones."""
    groups, codes = patients(n_groups)
    drawn = [frozenset(groups[tested]) for tested in each_seed(groups, codes, 0.3)]
    assert len(set(drawn)) >= 10
    often = np.bincount([group for tested in drawn for group in tested], minlength=n_groups)
    assert often.min() >= 1 and often.max() <= 20  # 9 of 30 on average


def test_classes_and_rows_have_about_their_shares():
    groups, codes = patients(24)
    for tested in each_seed(groups, codes, 0.3):
        assert abs(tested.mean() - 0.3) < 0.05
        assert abs(codes[tested].mean() - codes.mean()) < 0.06


@pytest.mark.parametrize(("sizes", "share", "least", "most"), [
    ((80, 20), 0.3, 0.2, 0.2), ((95, 5), 0.2, 0.05, 0.05), ((70, 20, 10), 0.3, 0.3, 0.3), ((60, 20, 20), 0.3, 0.2, 0.4),
])  # fmt: skip
def test_a_large_group_is_trained_on(sizes, share, least, most):
    groups = np.repeat(np.arange(len(sizes)), sizes)
    codes = np.random.default_rng(0).integers(0, 2, len(groups))
    assert all(least - 1e-9 <= tested.mean() <= most + 1e-9 for tested in each_seed(groups, codes, share, seeds=100))


@pytest.mark.parametrize("n_rare", [1, 2, 3])
@pytest.mark.parametrize("share", [0.1, 0.3])
def test_a_class_of_two_groups_is_on_both_sides_and_one_of_a_single_group_is_trained_on(n_rare, share):
    groups = np.repeat(np.arange(30), 10)
    rare = groups < n_rare
    for tested in each_seed(groups, rare.astype(int), share):
        assert rare[~tested].any() and rare[tested].any() == (n_rare > 1)


def test_folds_are_as_balanced_as_those_of_scikit_learn():
    groups, codes = patients(30, rows=10)

    def spread(fold_of):
        return np.std([codes[fold_of == k].mean() for k in range(5)])

    ours = [spread(fold_of_groups(groups, codes, 5, np.random.default_rng(seed))) for seed in range(20)]
    theirs = []
    for seed in range(20):
        fold_of = np.empty(len(groups), int)
        for k, (_, test) in enumerate(StratifiedGroupKFold(5, shuffle=True, random_state=seed).split(groups, codes, groups)):
            fold_of[test] = k
        theirs.append(spread(fold_of))
    assert np.mean(ours) < 1.3 * np.mean(theirs)


def test_each_fold_has_a_group_of_each_class_that_has_as_many():
    groups = np.repeat(np.arange(30), 10)
    rare = groups < 6
    for seed in range(20):
        fold_of = fold_of_groups(groups, rare.astype(int), 5, np.random.default_rng(seed))
        assert all(rare[fold_of == k].any() and (~rare[fold_of == k]).any() for k in range(5))

"""Rules keep those conditions that restrict most: little by little, from an epoch on only so many, and no other comes back."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.train.stacks import member, run
from tsk_core.config import TrainConfig
from tsk_core.train import Table, TrainingSpec, train
from tsk_core.train.selection import conditions_left

N = 200
CONFIG = TrainConfig.readable(n_rules=3, max_conditions=1, max_epochs=20, batch_size=32, random_state=0)


@pytest.fixture(scope="module")
def table():
    """Feature 0 decides the class; feature 1 has three columns, of which the first two help a little; feature 2 is noise."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(N, 5))
    y = (x[:, 0] + 0.2 * x[:, 1] > 0).astype(int)
    return Table(torch.from_numpy(x).float(), torch.from_numpy(y), 2, features=np.array([0, 1, 1, 1, 2]))


def trained(table, *configs):
    """The records of each member and its last rules."""
    records, outcomes = run([member(config, config.seed, config.max_epochs, N) for config in configs], table)
    return records, [outcome.rules for outcome in outcomes]


def by_feature(rules, features):
    """Which conditions the rules have, (R, features) bool, counted one by one."""
    present = rules.sigmas[0].isfinite().numpy()
    return np.array([[any(row[features == feature]) for feature in np.unique(features)] for row in present])


@given(last=st.integers(1, 200), features=st.integers(1, 60), most=st.integers(1, 10))
def test_conditions_become_fewer_until_only_so_many_are_left(last, features, most):
    left = [conditions_left(epoch, last, features, most) for epoch in range(1, last + 3)]
    assert left == sorted(left, reverse=True)
    assert set(left[last - 1 :]) == {min(most, features)}
    assert max(left) <= features and (last < 8 or left[0] == features)
    # 1 + 8 (1 - t)³, rounded up, where t is the share of the time after the first quarter
    assert [conditions_left(epoch, 16, 9, 1) for epoch in (4, 7, 10, 13, 16)] == [9, 5, 2, 2, 1]


def test_from_the_chosen_epoch_on_each_rule_has_at_most_so_many_conditions(table):
    (records,), (rules,) = trained(table, replace(CONFIG, selection_epoch=12))
    counts = [epoch.conditions for epoch in records]
    assert counts[0] == 9 and counts == sorted(counts, reverse=True)
    assert counts[10] > 3 and set(counts[11:]) == {3}
    assert (by_feature(rules, table.features).sum(1) == 1).all()
    (records,), (rules,) = trained(table, replace(CONFIG, max_conditions=0))
    assert records[-1].conditions == 9 and rules.sigmas.isfinite().all()  # without a limit none goes


def test_the_feature_that_decides_is_kept_and_the_columns_of_a_category_are_one_condition(table):
    _, (rules,) = trained(table, replace(CONFIG, max_epochs=40, learning_rate=0.05))
    kept = by_feature(rules, table.features)
    assert kept[:, 0].all() and not kept[:, 2].any()
    (records,), (rules,) = trained(table, replace(CONFIG, max_conditions=2))
    kept = by_feature(rules, table.features)
    assert kept.sum(1).max() == 2 and records[-1].conditions == kept.sum()
    columns = rules.sigmas[0].isfinite().numpy()[:, 1:4]
    assert (columns.all(1) == columns.any(1)).all()


def test_members_that_keep_different_numbers_of_conditions_from_different_epochs_do_not_disturb_each_other(table):
    configs = [CONFIG, replace(CONFIG, max_conditions=2, selection_epoch=5, random_state=1), replace(CONFIG, max_epochs=9)]
    together, rules = trained(table, *configs)
    assert [records[-1].conditions for records in together] == [by_feature(rule, table.features).sum() for rule in rules]
    assert together[0][-1].conditions <= 3 < together[1][-1].conditions <= 6
    for at, config in enumerate(configs):
        (alone,), (expected,) = trained(table, config)
        assert [epoch.conditions for epoch in together[at]] == [epoch.conditions for epoch in alone]
        torch.testing.assert_close(rules[at].biases, expected.biases, rtol=1e-3, atol=1e-4)


def test_early_stopping_compares_models_with_chosen_conditions_only(table):
    config = replace(CONFIG, early_stopping=True, patience=3, selection_epoch=6, max_epochs=30)
    epochs, lengths = [], []
    for ((_, epoch, outcome),) in train([TrainingSpec(config, 0, np.arange(N))], table):
        epochs.append(epoch)
        lengths.append(outcome.best_epoch)
    training = [epoch for epoch in epochs if epoch.stage == "training"]
    assert len(training) >= 6 and training[-1].conditions == 3
    search = [(epoch.epoch, best) for epoch, best in zip(epochs, lengths, strict=True) if epoch.stage == "hold-out"]
    assert all(best == at for at, best in search if at <= 6) and all(best >= 6 for at, best in search if at > 6)
    assert max(at for at, _ in search) >= 6 + 3  # patience counts from the choice


def test_the_parts_of_the_loss_add_up_and_penalties_grow_until_conditions_are_chosen(table):
    (records,), _ = trained(table, replace(CONFIG, sharpness=0.2, covering=0.1, l1=0.01, ur_weight=1.0))
    last = records[-1]
    parts = [last.loss_ce, last.loss_l2, last.loss_ur, last.loss_shrinkage, last.loss_sharpness, last.loss_covering, last.loss_l1]
    assert all(part > 0 for at, part in enumerate(parts) if at != 3) and last.loss_shrinkage == 0
    assert last.loss == pytest.approx(sum(parts))
    config = replace(CONFIG, max_conditions=3, selection_epoch=10, learning_rate=1e-9, batch_size=N)  # nothing moves or goes
    (records,), _ = trained(table, config)
    for part in ("loss_sharpness", "loss_covering"):
        values = np.array([getattr(epoch, part) for epoch in records])
        np.testing.assert_allclose(values[:10] / values[9], np.arange(1, 11) / 10, rtol=1e-3)
        # Then empty conditions have gone, and the whole weight stays.
        np.testing.assert_allclose(values[10:], values[10], rtol=1e-3)


def test_no_rule_keeps_a_condition_that_holds_for_every_training_row():
    rng = np.random.default_rng(1)
    number, category = rng.normal(size=N), rng.integers(3, size=N)
    x = np.column_stack([number, *((category == k) * 2.0 - 1 for k in range(3)), rng.normal(size=N)])
    y = (number > 0).astype(int)
    table = Table(torch.from_numpy(x).float(), torch.from_numpy(y), 2, features=np.array([0, 1, 1, 1, 2]))
    _, (rules,) = trained(table, replace(CONFIG, n_rules=4, max_conditions=3, max_epochs=40, covering=0.5))
    x, centers, sigmas = table.x.double().numpy(), rules.centers[0].numpy(), rules.sigmas[0].numpy()
    kept = by_feature(rules, table.features)
    assert kept.any() and not kept.all()
    for r, feature in zip(*np.nonzero(kept), strict=True):
        columns = table.features == feature
        levels = np.exp(-(((x[:, columns] - centers[r, columns]) / sigmas[r, columns]) ** 2).sum(1) / 2)
        assert (levels < 0.5 * (levels.max() if columns.sum() > 1 else 1)).any()

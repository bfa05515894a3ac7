"""The mini-batch loop: what its Epoch records say, and that members of a stack do not disturb each other."""

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch
from sklearn.metrics import accuracy_score, balanced_accuracy_score

from tests.model.reference import entropy as slow_entropy
from tests.train.stacks import member, run
from tsk_core.config import TrainConfig
from tsk_core.model import infer
from tsk_core.train import StackMember, Table, TrainingSpec, train, train_stack
from tsk_core.train.recorder import entropy_counts
from tsk_core.train.stack import batch_plan


@pytest.mark.parametrize("class_weight", [None, [1.0, 5.0, 0.2]])
def test_the_best_epoch_has_the_lowest_weighted_cross_entropy_of_the_rows_held_out(iris, class_weight):
    """Rows with a wrong class weigh little: without weights, the cross-entropy of the rows held out soon rises."""
    rng = np.random.default_rng(0)
    wrong = rng.random(150) < 0.3
    y = torch.where(torch.tensor(wrong), (iris.y + 1) % 3, iris.y)
    table = replace(iris, y=y, weight=torch.tensor(np.where(wrong, 0.01, rng.uniform(0.5, 1, 150))).float())
    rows, held_out = np.split(rng.permutation(150), [100])
    settings = {"class_weight": None if class_weight is None else torch.tensor(class_weight)}
    config = TrainConfig(n_rules=4, patience=30)
    searching = StackMember(config, 0, rows, 30, held_out, **settings)
    _, (found,) = run([searching], table)

    losses = []  # of the same training, epoch by epoch
    for ((_, _, outcome),) in train_stack([StackMember(config, 0, rows, 30, **settings)], table):
        _, scores = infer(outcome.rules, table.x[held_out])
        log_p = torch.log_softmax(scores[0], 1)
        total, weights = 0.0, 0.0
        for n, row in enumerate(held_out):
            weight = float(table.weight[row]) * (1 if class_weight is None else class_weight[y[row]])
            total, weights = total - weight * float(log_p[n, y[row]]), weights + weight
        losses.append(total / weights)
    assert losses[found.best_epoch - 1] == pytest.approx(min(losses), rel=1e-5)


def test_records_agree_with_the_rules_they_describe(iris):
    records, outcomes = run([member(TrainConfig(n_rules=5), epochs=4)], iris, iris)
    last = records[0][-1]
    firing, scores = infer(outcomes[0].rules, iris.x)
    predicted = scores[0].argmax(1)
    assert last.rca_train == pytest.approx(accuracy_score(iris.y, predicted))
    assert last.bca_test == pytest.approx(balanced_accuracy_score(iris.y, predicted))
    np.testing.assert_allclose(last.firing, firing[0].mean(0), atol=1e-9)
    bins = np.histogram(slow_entropy(firing[0]), bins=len(last.entropy), range=(0, math.log(5)))[0]
    assert np.abs(bins - last.entropy).sum() <= 2  # a value on an edge may fall to either side
    assert last.entropy.sum() == 150
    one_rule = entropy_counts(torch.ones(2, 1, 7, dtype=torch.float64))
    assert one_rule[:, 0].tolist() == [7, 7]


def test_rules_are_measured_on_20000_training_rows_in_whatever_order_they_stand():
    n, g = 24_000, torch.Generator().manual_seed(0)
    y = torch.arange(n) // (n // 4)  # sorted by class
    table = Table(torch.randn(n, 2, generator=g) + 8 * torch.nn.functional.one_hot(y, 4)[:, :2] * (1 + y // 2)[:, None], y, 4)
    config = TrainConfig(n_rules=4, batch_size=512, ur_weight=0)
    records, outcomes = run([member(config, n=n, epochs=2)], table)
    firing = infer(outcomes[0].rules, table.x)[0][0]
    np.testing.assert_allclose(records[0][-1].firing, firing.mean(0), atol=0.01)
    assert [epoch.entropy.sum() for epoch in records[0]] == [20_000, 20_000]


def test_divergence_stops_and_keeps_the_best_weights_or_the_epoch_of_the_best_validation(iris):
    exploding = TrainConfig(n_rules=4, batch_size=150, l2=1e5)
    records, outcomes = run([member(exploding, epochs=500)], iris)
    losses = [e.loss for e in records[0]]
    assert len(losses) < 500
    assert outcomes[0].best_epoch == 1 + losses.index(min(losses))
    assert f"diverged in epoch {len(losses) + 1} " in outcomes[0].message
    assert f"the model of epoch {outcomes[0].best_epoch} is kept. Try a smaller learning rate." in outcomes[0].message
    assert outcomes[0].rules.is_finite()
    records, outcomes = run([member(TrainConfig(n_rules=4))], Table(iris.x * 1e30, iris.y, 3))  # in the first epoch
    assert records[0] == [] and "the model it started from is kept" in outcomes[0].message
    exploding = TrainConfig(n_rules=4, batch_size=150, l2=1e5, patience=500)
    rows = np.random.default_rng(0).permutation(150)
    records, outcomes = run([StackMember(exploding, 0, rows[50:], 500, rows[:50])], iris)
    scores = [(epoch.bca_validation, -epoch.ce_validation) for epoch in records[0]]
    losses = [epoch.loss for epoch in records[0]]
    assert "diverged" in outcomes[0].message and scores.index(max(scores)) != losses.index(min(losses))
    assert outcomes[0].best_epoch == 1 + scores.index(max(scores))


def test_validation_keeps_the_best_epoch_and_patience_ends_the_training(iris):
    config = TrainConfig(n_rules=4, patience=3, early_stopping=True)
    rows = np.random.default_rng(0).permutation(150)
    held_out = StackMember(config, 0, rows[30:], 100, rows[:30])
    records, outcomes = run([held_out], iris)
    scores = [(e.bca_validation) for e in records[0]]
    best = outcomes[0].best_epoch
    assert len(scores) < 100 and len(scores) - best == 3
    assert scores[best - 1] == max(scores)


def test_early_stopping_searches_on_hold_outs_and_then_trains_on_all_rows(iris):
    config = TrainConfig(n_rules=4, patience=2, early_stopping=True, max_epochs=12)
    epochs = [e for ((_, e, _),) in train([TrainingSpec(config, 0, np.arange(150))], iris)]
    stages = [e.stage for e in epochs]
    assert stages.index("training") > 0 and "hold-out" not in stages[stages.index("training") :]
    assert epochs[0].bca_validation is not None and epochs[-1].bca_validation is None
    assert epochs[-1].entropy.sum() == 150 and epochs[0].entropy.sum() == 120


@pytest.mark.parametrize(
    ("n", "size", "expected"),
    [
        (10, 4, [(0, 4, 2), (8, 2, 1)]),
        (9, 4, [(0, 4, 1), (4, 5, 1)]),
        (5, 4, [(0, 5, 1)]),
        (3, 8, [(0, 3, 1)]),
        (8, 4, [(0, 4, 2)]),
        (4, 4, [(0, 4, 1)]),
    ],
)
def test_a_last_batch_of_one_row_joins_the_one_before(n, size, expected):
    assert batch_plan(n, size) == expected


def test_an_epoch_of_a_stack_comes_whole(iris):
    """Two stacks, one after the other: each epoch has all members of one."""
    configs = [TrainConfig(n_rules=n_rules, batch_norm=bn, max_epochs=3) for n_rules in (2, 3) for bn in ("none", "bn")]
    specs = [TrainingSpec(config, seed, np.arange(150)) for seed, config in enumerate(configs)]
    seen = [[(member, epoch.epoch) for member, epoch, _ in stack_epoch] for stack_epoch in train(specs, iris)]
    assert seen == [[(member, epoch) for member in stack] for stack in ((0, 1), (2, 3)) for epoch in (1, 2, 3)]


def test_models_of_any_kind_train_together_as_they_do_alone(iris):
    four = partial(TrainConfig, n_rules=4)
    kinds = [
        four(max_epochs=6),
        TrainConfig(n_rules=3, max_epochs=4, batch_norm="rbn"),
        TrainConfig(n_rules=3, max_epochs=6, batch_norm="rbn", ur_weight=10, l2=0.01),
        four(max_epochs=9, batch_norm="none", ur_weight=20),
        four(max_epochs=4, batch_norm="bn", l2=0.001, class_weight="balanced"),
        four(max_epochs=7, batch_norm="bn", ur_weight=1),
        four(max_epochs=4, batch_norm="gbn", ur_weight=10, l2=0.01),
        four(max_epochs=6, batch_norm="gbn"),
        four(max_epochs=12, early_stopping=True, patience=2),
        four(max_epochs=5, firing="htsk"),
        four(max_epochs=5, drop_rule=0.5, batch_size=32),
        four(max_epochs=7, drop_rule=0.2, batch_size=32),
        four(max_epochs=5, firing="log", drop_rule=0.2),
        four(max_epochs=5, optimizer="powerball-adabelief"),
        four(max_epochs=5, layer_norm="relu"),
        four(max_epochs=8, layer_norm="relu", batch_norm="none"),
        four(max_epochs=5, layer_norm="relu", firing="log", drop_rule=0.2),
    ]
    weights = [None if config.class_weight is None else torch.tensor([1.0, 2.0, 3.0]) for config in kinds]
    specs = [
        TrainingSpec(config, seed, np.arange(150 - 10 * (seed == 0)), weight)
        for seed, (config, weight) in enumerate(zip(kinds, weights, strict=True))
    ]
    alone = [list(train([spec], iris))[-1][0] for spec in specs]
    together = {progress.member: progress for epoch in train(specs, iris) for progress in epoch}
    for j, (one, spec) in enumerate(zip(alone, specs, strict=True)):
        assert together[j].outcome.best_epoch == one.outcome.best_epoch
        assert together[j].epoch.epoch == one.epoch.epoch and (
            spec.config.early_stopping or one.epoch.epoch == spec.config.max_epochs
        )
        assert together[j].epoch.loss == pytest.approx(one.epoch.loss, rel=1e-4)
        torch.testing.assert_close(together[j].outcome.rules.weights, one.outcome.rules.weights, rtol=1e-3, atol=1e-4)
        for a, b in zip(together[j].outcome.rules.tensors()[5:], one.outcome.rules.tensors()[5:], strict=True):
            torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("alike", [{"n_rules": 1}, {"consequents": "constant"}])
def test_layer_normalisation_without_effect_leaves_a_training_as_it_is(iris, alike):
    configs = [TrainConfig(max_epochs=3, layer_norm=name, **alike) for name in ("none", "relu")]
    one, other = (list(train([TrainingSpec(config, 0, np.arange(150))], iris))[-1][0].outcome.rules for config in configs)
    assert other.scale is None
    assert all(torch.equal(a, b) for a, b in zip(one.tensors(), other.tensors(), strict=True))

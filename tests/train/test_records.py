"""Which epochs are measured, on which rows; and that records change nothing in what is learnt."""

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from sklearn.metrics import balanced_accuracy_score

from tsk_core import TSKClassifier
from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.model import infer
from tsk_core.train import AT_THE_END, EVERY_EPOCH, Records, StackMember, Table, TrainingSpec, train, train_stack

CONFIG = TrainConfig(n_rules=4, max_epochs=7)


@pytest.fixture(scope="module")
def table():
    g = torch.Generator().manual_seed(0)
    x = torch.randn(300, 4, generator=g)
    return Table(x, (x[:, 0] + x[:, 1] * x[:, 2] + 0.5 * torch.randn(300, generator=g) > 0).long(), 2)


def halves(seed):
    shuffled = np.random.default_rng(seed).permutation(300)
    return shuffled[:200], shuffled[200:]


def trained(specs, table, test=None):
    """The epochs of each spec, and its last outcome."""
    epochs, outcomes = [[] for _ in specs], [None] * len(specs)
    for at, epoch, outcomes[at] in itertools.chain.from_iterable(train(specs, table, test)):
        epochs[at].append(epoch)
    return epochs, outcomes


def measured(epochs, name):
    return [epoch.epoch for epoch in epochs if getattr(epoch, name) is not None]


@pytest.mark.parametrize(
    ("records", "train_at", "held_out_at"),
    [
        (EVERY_EPOCH, [1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7]),
        (Records(train=3, held_out=2), [3, 6, 7], [2, 4, 6, 7]),
        (AT_THE_END, [7], [7]),
    ],
)
def test_rows_are_measured_at_every_kth_epoch_and_the_last(table, records, train_at, held_out_at):
    rows, validation = halves(0)
    test = Table(table.x[:50], table.y[:50], 2)
    (epochs,), _ = trained([TrainingSpec(CONFIG, 0, rows, validation=validation, records=records)], table, test)
    for name in ("rca_train", "bca_train", "firing", "entropy"):
        assert measured(epochs, name) == train_at, name
    for name in ("rca_validation", "bca_validation", "ce_validation", "rca_test", "bca_test"):
        assert measured(epochs, name) == held_out_at, name
    assert all(np.isfinite([e.loss, e.grad_antecedents, e.grad_consequents, e.seconds]).all() for e in epochs)
    assert [e.dead_rules is None for e in epochs] == [e.epoch not in train_at for e in epochs]


@pytest.mark.parametrize("bn", ["none", "bn"])
def test_the_first_record_has_the_firing_levels_before_training(table, bn):
    config, rows = replace(CONFIG, batch_norm=bn, firing="softmax", max_epochs=2), halves(0)[0]
    (epochs,), _ = trained([TrainingSpec(config, 0, rows)], table)
    ((start, *_),), _ = trained([TrainingSpec(config, 0, rows, records=Records(None, None, start=True))], table)
    assert epochs[1].initial_firing is None and epochs[0].initial_firing.shape == (4,)
    assert epochs[0].initial_firing.sum() == pytest.approx(1)
    np.testing.assert_array_equal(epochs[0].initial_firing, start.firing)  # of epoch 0
    still = replace(config, learning_rate=1e-9)  # a training that goes nowhere
    ((first, _),), _ = trained([TrainingSpec(still, 0, rows)], table)
    if bn == "none":
        np.testing.assert_allclose(first.firing, epochs[0].initial_firing, atol=1e-4)
    assert np.abs(epochs[0].firing - epochs[0].initial_firing).max() > 1e-3


def test_what_is_recorded_changes_nothing_in_what_is_learnt(table):
    rows, validation = halves(0)
    specs = [TrainingSpec(CONFIG, 0, rows, records=records) for records in (EVERY_EPOCH, Records(2, 3), AT_THE_END)]
    specs.append(TrainingSpec(replace(CONFIG, patience=1), 0, rows, validation=validation))
    first, *others = (trained([spec], table)[1][0] for spec in specs)
    for other in others:
        assert other.best_epoch == 7  # validation rows of a spec end nothing
        for one, same in zip(first.rules.tensors(), other.rules.tensors(), strict=True):
            torch.testing.assert_close(one, same, rtol=0, atol=0)


@pytest.mark.parametrize("before", [False, True], ids=["trained", "before training"])
def test_the_validation_cross_entropy_is_weighted_as_the_loss_is(table, before):
    rows, validation = halves(2)
    weight, chosen = torch.tensor([1.0, 5.0]), torch.as_tensor(validation)
    config, records = (replace(CONFIG, batch_norm="none"), Records(None, None, start=True)) if before else (CONFIG, EVERY_EPOCH)
    steps = list(train([TrainingSpec(config, 0, rows, weight, validation, records)], table))
    ((_, epoch, outcome),) = steps[0 if before else -1]
    scores = infer(outcome.rules, table.x[chosen])[1][0]
    expected = torch.nn.functional.cross_entropy(scores, table.y[chosen], weight=weight.double())
    assert epoch.bca_validation == pytest.approx(balanced_accuracy_score(table.y[chosen], scores.argmax(1)))
    assert epoch.epoch == (0 if before else 7) and epoch.ce_validation == pytest.approx(float(expected), rel=1e-9)


def test_early_stopping_and_validation_rows_of_the_spec_do_not_mix(table):
    rows, validation = halves(3)
    config = replace(CONFIG, early_stopping=True, patience=2, max_epochs=12)
    measured_too, plain = (trained([TrainingSpec(config, 0, rows, validation=v)], table)[0][0] for v in (validation, None))
    assert [(e.stage, e.loss) for e in measured_too] == [(e.stage, e.loss) for e in plain]
    for one, other in zip(measured_too, plain, strict=True):
        assert one.bca_validation == other.bca_validation if one.stage == "hold-out" else one.bca_validation is not None


def test_a_stack_of_members_with_different_rows_and_records_measures_each_as_alone(table):
    specs = []
    for seed, records in enumerate((EVERY_EPOCH, Records(2, 3), AT_THE_END, EVERY_EPOCH)):
        rows, validation = halves(seed)
        variant = replace(CONFIG, batch_norm="none" if seed == 1 else "bn", max_epochs=4 + seed)
        specs.append(TrainingSpec(variant, seed, rows, None, validation[: 100 - 10 * (seed == 3)], records))
    together, _ = trained(specs, table)
    for spec, epochs in zip(specs, together, strict=True):
        (alone,), _ = trained([spec], table)
        assert len(epochs) == len(alone) == spec.config.max_epochs
        for name in ("bca_train", "rca_validation"):
            assert measured(epochs, name) == measured(alone, name)
        np.testing.assert_allclose(epochs[-1].firing, alone[-1].firing, atol=1e-4)
        assert epochs[-1].entropy.sum() == 200
        assert epochs[-1].ce_validation == pytest.approx(alone[-1].ce_validation, rel=1e-3)
        assert epochs[-1].rca_train == pytest.approx(alone[-1].rca_train, abs=0.02)


def test_the_rules_of_an_outcome_are_those_of_its_epoch_whenever_they_are_asked_for(table):
    outcomes, at_once = [], []
    for progress in train_stack([StackMember(CONFIG, seed, halves(0)[0], 4) for seed in range(2)], table):
        outcomes += [p.outcome for p in progress]
        at_once += [p.outcome.weights.rules() for p in progress]
    for outcome, rules in zip(outcomes, at_once, strict=True):
        assert torch.equal(outcome.rules.weights, rules.weights) and torch.equal(outcome.rules.sigmas, rules.sigmas)
    assert not torch.equal(outcomes[0].rules.weights, outcomes[-2].rules.weights)


def test_fit_measures_its_last_epoch_and_fit_iter_each(table):
    X, y = table.x.numpy(), table.y.numpy()
    settings = {"n_rules": 3, "max_epochs": 5, "random_state": 0}
    fitted, followed = TSKClassifier(**settings).fit(X, y), TSKClassifier(**settings)
    epochs = list(followed.fit_iter(X, y))
    assert measured(fitted.history_, "firing") == [5] and measured(epochs, "firing") == [1, 2, 3, 4, 5]
    assert [e.loss for e in fitted.history_] == pytest.approx([e.loss for e in epochs])
    assert fitted.history_[-1].rca_train == fitted.score(X, y)
    np.testing.assert_allclose(fitted.predict_proba(X), followed.predict_proba(X), atol=1e-6)


def test_an_epoch_that_was_not_measured_is_written_and_read_back(table):
    (epochs,), _ = trained([TrainingSpec(CONFIG, 0, halves(0)[0], records=AT_THE_END)], table)
    for epoch in (epochs[0], epochs[-1]):
        again = Epoch.from_dict(json.loads(json.dumps(epoch.to_dict())))
        assert again.to_dict() == epoch.to_dict()
    assert epochs[0].to_dict()["firing"] is None and len(epochs[-1].to_dict()["firing"]) == 4

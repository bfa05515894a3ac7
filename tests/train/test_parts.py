"""A rule base learnt in several trainings: its rules are those of the trainings, normalised together, and so are its records."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from sklearn.metrics import accuracy_score

from tests.train.stacks import member, run
from tsk_core.config import TrainConfig
from tsk_core.errors import SettingError
from tsk_core.model import infer
from tsk_core.train import StackMember, train_stack
from tsk_core.train.stack import parts

CONFIG = TrainConfig(n_rules=6, n_trainings=3)


def trained(members, table):
    """The last record and outcome of each."""
    records, outcomes = run(members, table)
    return [(epochs[-1], outcome) for epochs, outcome in zip(records, outcomes, strict=True)]


@pytest.mark.parametrize("settings", [{}, {"batch_norm": "gbn"}, {"batch_norm": "rbn"}, {"batch_norm": "none"}, {"firing": "log"},
                                      {"consequents": "constant", "max_conditions": 2, "l1": 0.001}], ids=str)  # fmt: skip
def test_the_rules_are_those_of_each_training_one_after_the_other(iris, settings):
    whole = member(replace(CONFIG, **settings), seed=5)
    ((_, outcome),) = trained([whole], iris)
    models = parts([whole])
    assert [model.config.n_rules for model in models] == [2, 2, 2]
    assert models[0].seed == 5 and len({model.seed for model in models}) == 3
    alone = [trained([model], iris)[0][1].rules for model in models]
    for name in ("log_weights", "centers", "sigmas", "weights", "biases"):
        expected = torch.cat([getattr(rules, name) for rules in alone], 1)
        torch.testing.assert_close(getattr(outcome.rules, name), expected, rtol=1e-3, atol=1e-4)


def test_records_are_of_the_whole_rule_base_and_losses_means_over_its_trainings(iris):
    whole = member(CONFIG, records=replace(member(CONFIG).records, start=True))
    (records,), (outcome,) = run([whole], iris)
    last = records[-1]
    assert [epoch.epoch for epoch in records] == [0, 1, 2, 3, 4, 5]
    assert all(len(epoch.firing) == 6 and epoch.entropy.sum() == 150 for epoch in records)
    firing, scores = infer(outcome.rules, iris.x)
    np.testing.assert_allclose(last.firing, firing[0].mean(0), atol=1e-9)
    assert last.rca_train == pytest.approx(accuracy_score(iris.y, scores[0].argmax(1)))
    at_start = [epoch for part in parts([whole]) for _, epoch, _ in next(iter(train_stack([part], iris)))]
    assert len(at_start) == 3 and records[0].loss_ce == pytest.approx(np.mean([epoch.loss_ce for epoch in at_start]))
    alone = [epoch for epoch, _ in trained(parts([whole]), iris)]
    for name in ("loss_ce", "loss_l2", "loss_ur", "loss_shrinkage", "grad_antecedents", "grad_consequents", "ur_floor"):
        assert getattr(last, name) == pytest.approx(np.mean([getattr(epoch, name) for epoch in alone]), rel=1e-3, abs=1e-6)


def test_members_that_leave_take_their_trainings_along_and_no_others(iris):
    weights = torch.tensor([1.0, 2.0, 0.5])
    members = [member(CONFIG, 1, 2), member(CONFIG, 2, 5, class_weight=weights), member(replace(CONFIG, batch_norm="none"), 3, 4)]
    together = trained(members, iris)
    for one, (epoch, outcome) in zip(members, together, strict=True):
        ((expected, alone),) = trained([one], iris)
        assert epoch.epoch == one.epochs and epoch.loss == pytest.approx(expected.loss, rel=1e-3)
        torch.testing.assert_close(outcome.rules.weights, alone.rules.weights, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("class_weight", [None, [1.0, 5.0, 0.2]])
def test_validation_rows_judge_the_whole_rule_base(iris, class_weight):
    rows = np.random.default_rng(0).permutation(150)
    weights = None if class_weight is None else torch.tensor(class_weight)
    held_out = StackMember(CONFIG, 0, rows[50:], 6, rows[:50], weights)
    ((epoch, _),) = trained([held_out], iris)
    ((_, outcome),) = trained([replace(held_out, early_stopping=False)], iris)
    log_p = torch.log_softmax(infer(outcome.rules, iris.x[rows[:50]])[1][0], 1)
    target = iris.y[rows[:50]]
    share = torch.ones(50) if weights is None else weights[target]
    expected = -(log_p[torch.arange(50), target] * share).sum() / share.sum()
    assert epoch.ce_validation == pytest.approx(float(expected), rel=1e-4)


@pytest.mark.parametrize(("rules", "trainings", "such_as"), [(10, 4, 8), (11, 4, 12), (4, 4, 8), (2, 8, 16)])
def test_trainings_of_unequal_size_or_of_one_rule_are_refused_in_one_sentence(rules, trainings, such_as):
    with pytest.raises(SettingError) as refused:
        TrainConfig(n_rules=rules, n_trainings=trainings)
    assert str(refused.value) == (
        f"n_rules is {rules}; with {trainings} separate trainings (n_trainings) it must be a multiple of {trainings}, at least"
        f" {2 * trainings}, such as {such_as}."
    )
    assert TrainConfig(n_rules=such_as, n_trainings=trainings).part.n_rules == such_as // trainings


def test_there_is_one_training_where_several_have_no_sense():
    rules = {"format": "tsk-rules", "rules": [{}] * 5}
    started = TrainConfig(rule_base=rules, n_trainings=2)
    layered = TrainConfig(n_rules=5, layer_norm="relu", n_trainings=2)
    by_class = TrainConfig(n_rules=5, init="class-kmeans", n_trainings=2)
    for config in (started, layered, by_class):
        assert config.n_parts == 1 and config.part is config
    assert TrainConfig(n_rules=4, layer_norm="relu", consequents="constant", n_trainings=2).n_parts == 2

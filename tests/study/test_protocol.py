"""The paper's protocol, against the same thing done slowly: one training after the other, with the classifier everyone uses."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.tables import make_table
from tsk_core import TSKClassifier
from tsk_core.config import TrainConfig
from tsk_core.experiments.variants import UR_WEIGHTS
from tsk_core.metrics import accuracy_of_labels
from tsk_core.train import AT_THE_END, Stack, StackMember, Table, hold_out_members, prepare_stack, train_members
from tsk_study import protocol
from tsk_study.parts import split_data
from tsk_study.protocol import AS_THE_AUTHORS, final_config, protocol_config, train_cells

SHORT = {"max_epochs": 6, "patience": 2, "n_rules": 4}


@pytest.fixture
def dataset():
    return make_table(rows=90, columns=3)


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """The paper's settings but for their length."""
    whole = protocol.protocol_config

    def config(*cell):
        return TrainConfig.from_dict(whole(*cell).to_dict() | SHORT)

    monkeypatch.setattr("tsk_study.protocol.protocol_config", config)
    monkeypatch.setattr("tsk_study.protocol.protocol_config", config)
    return config


def fitted(config, data):
    """The classifier with these settings, and its test scores."""
    classifier = TSKClassifier(**config.to_dict()).fit(data.frame_train, data.y_train)
    return classifier, accuracy_of_labels(data.y_test, classifier.predict(data.frame_test))


@pytest.mark.parametrize("algorithm", ["TSK-MBGD", "TSK-MBGD-BN", "HTSK", "LogTSK", "TSK-MBGD-BN-LN"])
def test_without_ur_a_cell_is_the_classifier_with_early_stopping(dataset, short, algorithm):
    (result,) = train_cells(dataset, [(algorithm, 1)])
    classifier, score = fitted(short(algorithm, 1, 0.0), split_data(dataset, 1))
    assert (result.rca, result.bca) == pytest.approx(tuple(score), abs=1e-12)
    assert result.epochs == len(classifier.history_) == classifier.history_[-1].epoch
    assert result.ur_weight is None


def searched_slowly(dataset, config):
    """Of one λ: the mean best validation BCA over five hold-outs, trained one by one, and their mean epoch."""
    split = dataset.split(test_size=0.3, seed=config.random_state)
    stacked = prepare_stack(dataset, [split], [config], AT_THE_END)
    best = []
    for member in hold_out_members(stacked.specs[0], stacked.table):
        assert not set(member.rows) & set(member.validation), "a row that validates is never trained on"
        epochs = [epoch for ((_, epoch, _),) in train_members([member], stacked.table)]
        best.append(max((epoch.bca_validation, -epoch.ce_validation, -epoch.epoch) for epoch in epochs))
    return np.mean([bca for bca, _, _ in best]), max(1, round(np.mean([-epoch for _, _, epoch in best])))


@pytest.mark.parametrize("algorithm", ["TSK-MBGD-UR", "TSK-MBGD-UR-BN", "TSK-MBGD-UR-GBN", "TSK-MBGD-UR-RBN"])
def test_ur_takes_the_weight_of_the_best_mean_validation_bca(dataset, short, algorithm):
    (result,) = train_cells(dataset, [(algorithm, 0)])
    found = {weight: searched_slowly(dataset, short(algorithm, 0, weight)) for weight in UR_WEIGHTS}
    best = max(UR_WEIGHTS, key=lambda weight: (round(found[weight][0], 12), -weight))
    assert (result.ur_weight, result.epochs) == (best, found[best][1])


@pytest.mark.parametrize("algorithm", ["TSK-MBGD-UR", "TSK-MBGD-UR-RBN"])
def test_the_final_settings_train_the_model_of_a_result_again(dataset, algorithm):
    (result,) = train_cells(dataset, [(algorithm, 2)])
    _, score = fitted(final_config(result), split_data(dataset, 2))
    assert (result.rca, result.bca) == pytest.approx(tuple(score), abs=1e-12)


def test_a_cell_does_not_depend_on_what_trains_beside_it(dataset):
    cells = [("TSK-MBGD", 0), ("TSK-MBGD-BN", 0), ("TSK-MBGD-UR-BN", 1), ("TSK-MBGD-UR-GBN", 0)]
    together = train_cells(dataset, cells)
    for cell, one in zip(cells, together, strict=True):
        (alone,) = train_cells(dataset, [cell])
        assert replace(one, seconds=0) == replace(alone, seconds=0)


def test_a_training_that_diverges_has_the_scores_of_the_model_it_kept(dataset, monkeypatch, short):
    def config(*cell):
        return replace(short(*cell), optimizer="adam", learning_rate=1e12)

    monkeypatch.setattr("tsk_study.protocol.protocol_config", config)
    (result,) = train_cells(dataset, [("TSK-MBGD", 0)])
    assert 0 <= result.bca <= 1


def test_a_tick_can_end_the_computation(dataset):
    class StoppedError(Exception):
        pass

    def tick():
        raise StoppedError

    with pytest.raises(StoppedError):
        train_cells(dataset, [("TSK-MBGD", 0)], tick)


def test_the_settings_are_those_the_paper_prints():
    config = protocol_config("TSK-MBGD-UR-BN", 3, 10.0)
    assert (config.n_rules, config.l2, config.learning_rate, config.optimizer) == (20, 0.05, 0.01, "adabound")
    assert (config.max_epochs, config.patience, config.validation_fraction, config.early_stopping) == (2000, 40, 0.2, True)
    assert (config.firing, config.shrinkage, config.batch_norm) == ("softmax", 0, "bn")
    assert (config.ur_weight, config.random_state) == (10, 3)
    assert UR_WEIGHTS == (0.1, 1, 10, 20, 50)


@pytest.fixture
def stacks(monkeypatch):
    """The members of each stack that the protocol trains, in order."""
    seen = []

    def watched(members, table):
        seen.append(members)
        return train_members(members, table)

    for module in ("tsk_core.train.loop", "tsk_study.protocol"):
        monkeypatch.setattr(f"{module}.train_members", watched)
    return seen


def test_as_the_authors_ran_it_validation_rows_are_trained_on_and_batch_normalisation_goes_on(dataset, stacks):
    train_cells(dataset, [("TSK-MBGD-BN", 0)], protocol=AS_THE_AUTHORS)
    *repetitions, final = [members[0] for members in stacks]
    assert len(repetitions) == 5
    training_rows = len(dataset.split(test_size=0.3, seed=0).train)
    for member in repetitions:
        assert len(set(member.rows)) == len(member.rows) == training_rows
        assert set(member.validation) <= set(member.rows) and member.config.firing == "paper"
    assert [one.batch_norm is None for one in (*repetitions, final)] == [True, False, False, False, False, False]


def test_as_the_authors_ran_it_models_without_batch_normalisation_start_anew(dataset, stacks):
    train_cells(dataset, [("TSK-MBGD", 0), ("TSK-MBGD-BN", 0)], protocol=AS_THE_AUTHORS)
    plain = [member for members in stacks for member in members if member.config.batch_norm == "none"]
    assert len(plain) == 6 and all(member.batch_norm is None for member in plain)


def test_batch_normalisation_goes_on_from_given_weights():
    rng = np.random.default_rng(0)
    table = Table(torch.from_numpy(rng.normal(size=(40, 3))).float(), torch.arange(40) % 2, 2)
    config = TrainConfig(n_rules=3, batch_norm="rbn", batch_size=8, max_epochs=3, random_state=0)
    member = StackMember(config, 0, np.arange(40), 3, records=AT_THE_END)
    before = Stack([member], table)
    before.run_epoch()
    kept = before.weights()[0][0]
    after = Stack([StackMember(config, 1, np.arange(40), 3, batch_norm=kept), StackMember(config, 1, np.arange(40), 3)], table)
    for name in ("gamma", "beta"):
        torch.testing.assert_close(after.parameters.stored[name][0], before.parameters.stored[name][0])
        assert (after.parameters.stored[name][1] == (name == "gamma")).all()
    torch.testing.assert_close(after.running.mean[0], before.running.mean[0])
    assert (after.running.variance[1] == 1).all()
    torch.testing.assert_close(after.parameters.centers[0], after.parameters.centers[1])

"""Each candidate trains on the training rows of each fold and is scored on the others."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.tuning.tables import halves, make_table, with_labels
from tsk_core.config import TrainConfig
from tsk_core.evaluate.scorings import scoring_of
from tsk_core.model import class_scores
from tsk_core.train import TrainingSpec, train
from tsk_core.tuning.fold_trainings import EVERY, FoldTrainings, Placed
from tsk_core.tuning.trial import Candidate, Work

CONFIGS = [
    TrainConfig(n_rules=3, random_state=0),
    TrainConfig(n_rules=3, l2=0.1, shrinkage=0.1, random_state=0),
    TrainConfig(n_rules=4, firing="htsk", random_state=0),
]


def make_candidates(configs=CONFIGS):
    return [Candidate(number, config, "portfolio") for number, config in enumerate(configs, start=1)]


def start(candidates, table, folds, epochs, weight_of=lambda config, table, rows: None, scoring="balanced_accuracy", seed=0):
    asked = dict.fromkeys(candidates, epochs)
    return FoldTrainings(candidates, Placed(table, folds), 0, asked, weight_of, seed=seed, work=Work(), scoring=scoring)


def run(candidates, table, folds, epochs=2 * EVERY, **more):
    """Train to the end; returns the curves of each candidate."""
    trainings = start(candidates, table, folds, epochs, **more)
    while trainings.alive:
        assert trainings.run_epoch(lambda: False)
    return [one.curves for one in candidates]


@pytest.mark.parametrize("scoring", ["balanced_accuracy", "accuracy", "roc_auc"])
def test_each_fold_scores_as_its_own_training_does(scoring):
    table = make_table()
    folds = halves(np.arange(200))
    for config, curves in zip(CONFIGS, run(make_candidates(), table, folds, scoring=scoring), strict=True):
        assert sorted(curves) == [(0, 0), (0, 1)]
        for fold, (rows, validation) in enumerate(folds):
            assert sorted(curves[0, fold]) == [EVERY, 2 * EVERY]
            spec = TrainingSpec(replace(config, max_epochs=2 * EVERY), fold, rows)
            (*_, ((_, _, outcome),)) = train([spec], table)
            probabilities = class_scores(outcome.rules, table.x[validation]).softmax(1).numpy()
            expected = scoring_of(scoring).score(table.y[validation].numpy(), probabilities)
            assert curves[0, fold][2 * EVERY].score == pytest.approx(expected, abs=0.031)  # three rows on the border


def test_held_out_rows_are_scored_and_never_trained_on():
    """With their classes swapped, the models and so all predictions stay: each score becomes its complement."""
    table = make_table()
    rows = np.arange(200)
    fold = [(rows[:120], rows[120:])]
    swapped = table.y.clone()
    swapped[120:] = 1 - swapped[120:]
    plain, mirrored = (run(make_candidates(), with_labels(table, y), fold) for y in (table.y, swapped))
    for one, other in zip(plain, mirrored, strict=True):
        for epoch, scores in one[0, 0].items():
            assert scores.score + other[0, 0][epoch].score == pytest.approx(1)


def test_class_weights_follow_from_settings_and_training_rows():
    asked = []
    candidates = make_candidates()

    def weight_of(config, table, rows):
        asked.append((config, rows.tolist()))
        return torch.tensor([1.0, 1000.0]) if config == CONFIGS[0] else None

    folds = halves(np.arange(200))
    curves = run(candidates, make_table(), folds, epochs=4 * EVERY, weight_of=weight_of, scoring="accuracy")
    assert asked == [(config, rows.tolist()) for rows, _ in folds for config in CONFIGS]
    heavy, light = (np.mean([curve[4 * EVERY].score for curve in one.values()]) for one in curves[:2])
    assert heavy < light  # nearly all rows are predicted as the heavy class


def test_a_candidate_that_is_dropped_has_no_later_scores_and_a_fold_none_at_all():
    candidates = make_candidates()
    trainings = start(candidates, make_table(), halves(np.arange(200)), 4 * EVERY)
    while trainings.alive:
        trainings.run_epoch(lambda: False)
        if trainings.epoch == EVERY:
            trainings.drop({candidates[0], candidates[2]})
            trainings.drop_folds(1)
    assert [max(one.curves[0, 0]) for one in candidates] == [EVERY, 4 * EVERY, EVERY]
    assert all(list(one.curves) == [(0, 0)] for one in candidates)


def test_after_the_largest_seed_the_folds_go_on_with_0_and_the_end_of_the_time_stops_within_an_epoch():
    trainings = start(make_candidates(CONFIGS[:1]), make_table(), halves(np.arange(200)), 100, seed=2**32 - 1)
    assert [member.seed for stack in trainings._stacks for member in stack._members] == [2**32 - 1, 0]
    assert trainings.run_epoch(lambda: False)
    assert not trainings.run_epoch(lambda: True)
    assert trainings.alive


@pytest.mark.parametrize(
    "folds", [halves(np.arange(200)), [(np.arange(90), np.arange(90, 200)), (np.arange(90, 200), np.arange(90))]]
)
def test_a_candidate_that_diverges_on_one_fold_trains_on_no_other(folds):
    """The second folds have a stack of their own, which has not begun when the first candidate diverges."""
    candidates, first = make_candidates(), set(folds[0][0].tolist())

    def weight_of(config, table, rows):
        return torch.tensor([1.0, np.nan]) if config == CONFIGS[0] and set(rows.tolist()) == first else None

    curves = run(candidates, make_table(), folds, weight_of=weight_of)
    assert [one.state for one in candidates] == ["dropped", "training", "training"]
    assert [len(one) for one in curves] == [0, 2, 2]

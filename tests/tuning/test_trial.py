"""A candidate's trial: its scores at the epoch that is best on the mean over validation sets and neighbouring epochs."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.config import TrainConfig
from tsk_core.tuning.trial import Candidate, Scores, Trial

EVERY = 5


def candidate(scores, entropies=None):
    """With these scores by (validation set, epoch), at epochs 5, 10, …."""
    scores = np.asarray(scores)
    entropies = np.ones_like(scores) if entropies is None else np.asarray(entropies)
    curves = {
        (0, fold): {EVERY * (at + 1): Scores(v, e) for at, (v, e) in enumerate(zip(*both, strict=True))}
        for fold, both in enumerate(zip(scores, entropies, strict=True))
    }
    return Candidate(1, TrainConfig(), "portfolio", curves=curves)


@given(st.data())
def test_the_epoch_is_the_best_of_the_smoothed_means(data):
    sets, epochs = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 12))
    of_one = st.lists(st.integers(0, 100), min_size=epochs, max_size=epochs)
    scores = np.array(data.draw(st.lists(of_one, min_size=sets, max_size=sets))) / 100
    best_value, best_at = -1.0, 0
    for at in range(epochs):
        around = [min(max(other, 0), epochs - 1) for other in (at - 1, at, at + 1)]
        value = sum(float(row[k]) for row in scores for k in around) / (3 * sets)
        if value > best_value + 1e-8:
            best_value, best_at = value, at
    trial = candidate(scores).trial("balanced_accuracy")
    assert trial.score == pytest.approx(best_value)
    assert trial.config.max_epochs == EVERY * (best_at + 1)
    assert trial.validations == sets
    assert trial.sd == (pytest.approx(scores[:, best_at].std(ddof=1)) if sets > 1 else None)


def test_epochs_after_which_all_sets_were_validated_count_and_of_equal_ones_the_smaller_loss():
    trial = candidate([[0.8, 0.8, 0.8]], [[0.5, 0.3, 0.4]]).trial("balanced_accuracy")
    assert (trial.config.max_epochs, trial.cross_entropy) == (10, 0.3)
    one = candidate([[0.5, 0.6, 0.9], [0.5, 0.6, 0.9]])
    del one.curves[0, 1][15]
    assert one.trial("balanced_accuracy").config.max_epochs == 10
    assert Candidate(1, TrainConfig(), "portfolio").trial("accuracy") is None


def test_rules_that_choose_conditions_count_as_they_are_at_the_last_epoch():
    one = candidate([[0.5, 0.9, 0.9, 0.8, 0.8], [0.5, 0.9, 0.9, 0.8, 0.8]])
    assert one.trial("balanced_accuracy").config.max_epochs == 15 and one.trial("balanced_accuracy").conditions is None
    one.config, one.conditions = TrainConfig.readable(), {(0, 0): 7, (0, 1): 6}
    trial = one.trial("balanced_accuracy")
    assert (trial.config.max_epochs, trial.score, trial.conditions) == (25, pytest.approx(0.8), 6)  # 6.5, to the even number


def test_equal_scores_are_ranked_by_cross_entropy_and_then_by_the_number_of_rules():
    def trial(score, entropy, rules):
        return Trial(1, TrainConfig(n_rules=rules), score, None, entropy, 1, "portfolio", "finished")

    ranked = [trial(0.9, 0.5, 20), trial(0.8, 0.2, 30), trial(0.8, 0.3, 5), trial(0.8, 0.3, 6)]
    assert sorted(reversed(ranked), key=lambda one: one.rank) == ranked


def test_a_record_is_json_with_settings_that_read_back():
    trial = candidate([[0.5, 0.6], [0.7, 0.8]]).trial("roc_auc")
    record = json.loads(json.dumps(trial.to_dict()))
    assert TrainConfig.from_dict(record["config"]) == trial.config and Trial.from_dict(record | {"seconds": 3.5}) == trial
    assert record["scoring"] == "roc_auc"
    assert (record["score"], record["validations"], record["state"]) == (trial.score, 2, "training")

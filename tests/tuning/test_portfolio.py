"""The portfolio: distinct, valid candidates; the neighbours of settings differ from them in one place."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.config import TrainConfig
from tsk_core.evaluate import SCORINGS
from tsk_core.settings import SETTINGS
from tsk_core.tuning.portfolio import PORTFOLIO, MostAccurate, distinct, most_accurate, neighbours, portfolio
from tsk_core.tuning.trial import Trial


@pytest.mark.parametrize("scoring", SCORINGS)
def test_its_candidates_are_distinct_within_the_range_that_pages_offer_and_have_the_recommended_settings(scoring):
    configs = portfolio(TrainConfig(), scoring)
    assert len(configs) == len(PORTFOLIO) == len(distinct(configs))
    for config in configs:
        for name, value in config.to_dict().items():
            if SETTINGS[name].low is not None and value is not None and not isinstance(value, str):
                assert SETTINGS[name].low <= value <= SETTINGS[name].high, name
    assert any(config.differing(TrainConfig()) == [] for config in configs)  # but for their number of epochs


@pytest.mark.parametrize("scoring", ["neg_log_loss", "roc_auc"])
def test_probabilities_are_not_trained_for_other_shares_of_the_classes(scoring):
    assert {config.class_weight for config in portfolio(TrainConfig(), scoring)} == {None}
    weights = {"yes": 3.0, "no": 1.0}  # but where they were asked for
    configs = portfolio(TrainConfig(class_weight=weights), scoring, class_weight=False)
    assert all(config.class_weight == weights for config in configs)


def test_what_it_does_not_name_is_as_in_the_base():
    base = TrainConfig(batch_size=32, optimizer="adam", batch_norm="rbn", ur_weight=3, random_state=5)
    for config in portfolio(base):
        assert (config.batch_size, config.optimizer, config.batch_norm, config.ur_weight) == (32, "adam", "rbn", 3)
        assert config.random_state == 5


@pytest.mark.parametrize("weight", [None, "balanced", {"yes": 3.0, "no": 1.0}])
def test_a_class_weight_that_is_given_holds_for_all_and_repeats_are_left_out_in_order(weight):
    configs = portfolio(TrainConfig(class_weight=weight), class_weight=False)
    assert all(config.class_weight == weight for config in configs)
    assert 2 < len(configs) == len(distinct(configs)) < len(PORTFOLIO)
    assert distinct([*configs, replace(configs[1]), configs[0]]) == configs


@given(st.integers(2, 200), st.floats(0, 1), st.floats(0, 1), st.floats(1e-4, 1), st.sampled_from(["softmax", "htsk", "scaled"]))
def test_neighbours_differ_in_one_place(n_rules, l2, shrinkage, learning_rate, firing):
    config = TrainConfig(n_rules=n_rules, l2=l2, shrinkage=shrinkage, learning_rate=learning_rate, firing=firing)
    found = neighbours(config)
    places = [config.differing(one) for one in found]
    assert all(len(place) == 1 for place in places)
    assert {place[0] for place in places} == {"n_rules", "l2", "shrinkage", "learning_rate", "optimizer"}
    assert len(found) == len(distinct(found))
    for name in ("l2", "shrinkage", "learning_rate"):
        values = [getattr(one, name) for one, place in zip(found, places, strict=True) if place == [name]]
        assert min(values) < max(values) and max(values) > getattr(config, name)


def trials_of(*configs):
    """The best first."""
    return [Trial(at, config, 0.9 - 0.01 * at, None, 0.5, 5, "portfolio", "finished") for at, config in enumerate(configs)]


def test_the_best_of_one_training_is_learnt_in_several_before_and_after_its_neighbours():
    strategy = MostAccurate(TrainConfig())
    joined = TrainConfig(n_rules=80, n_trainings=8, max_epochs=40)
    trials = trials_of(joined, TrainConfig(n_rules=10, max_epochs=40), TrainConfig(n_rules=3), TrainConfig(n_rules=4))
    for number in (0, 2):
        found = strategy.refinements(trials, number)
        assert [(one.n_rules, one.n_trainings, one.part.n_rules, one.max_epochs) for one in found] == [(80, 8, 10, 60)]
    assert strategy.refinements(trials, 1) == neighbours(trials[1].config)
    assert strategy.rounds == 3
    assert all(strategy.refinements(trials_of(joined), number) == [] for number in range(3))
    alone = trials_of(TrainConfig(n_rules=10, layer_norm="relu"))
    assert strategy.refinements(alone, 0) == [] and strategy.refinements(alone, 1)
    few, trials = MostAccurate(TrainConfig(), n_trainings=1), trials[1:]  # a search for few rules
    assert [few.refinements(trials, number) for number in range(3)] == [[], neighbours(trials[0].config), []]


@given(st.integers(2, 20), st.integers(1, 12))
def test_neighbours_of_settings_with_several_trainings_have_as_many(share, n):
    found = neighbours(TrainConfig(n_rules=share * n, n_trainings=n))
    assert {one.n_trainings for one in found} == {n} and all(one.n_rules % n == 0 for one in found)


def validated(number, scores, **settings):
    score, sd = float(np.mean(scores)), float(np.std(scores, ddof=1))
    config = TrainConfig(n_rules=8, **settings)
    return Trial(number, config, score, sd, 0.5, len(scores), "portfolio", "finished", scores=tuple(scores))


@pytest.mark.parametrize(("lower_by", "taken"), [(-0.01, 2), (0.0, 2), (0.004, 2), (0.006, 1), (0.05, 1)])
def test_several_trainings_are_taken_unless_validation_says_that_they_are_worse(lower_by, taken):
    """The difference on the four validation sets has the standard error 0.005, whatever their own spread."""
    scores = np.array([0.6, 0.7, 0.8, 0.9])
    noise = 0.005 * np.array([-1.0, 1.0, -1.0, 1.0]) * 3**0.5
    one, several = validated(1, scores), validated(2, scores + noise - lower_by, n_trainings=4)
    worse = validated(3, scores - 0.001)
    assert most_accurate([worse, one, several]).number == taken
    assert most_accurate([validated(1, scores[::-1] - 0.001), validated(2, scores)]).number == 2  # of one training, the best

"""The portfolio: distinct, valid candidates; the neighbours of settings differ from them in one place."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.config import SETTINGS, TrainConfig
from tsk_core.evaluate import SCORINGS
from tsk_core.tuning.portfolio import PORTFOLIO, distinct, neighbours, portfolio


@pytest.mark.parametrize("scoring", SCORINGS)
def test_its_candidates_are_distinct_and_within_the_range_that_pages_offer(scoring):
    configs = portfolio(TrainConfig(), scoring)
    assert len(configs) == len(PORTFOLIO) == len(distinct(configs))
    for config in configs:
        for name, value in config.to_dict().items():
            if SETTINGS[name].low is not None and value is not None and not isinstance(value, str):
                assert SETTINGS[name].low <= value <= SETTINGS[name].high, name


@pytest.mark.parametrize("scoring", SCORINGS)
def test_the_recommended_settings_are_among_them_but_for_their_number_of_epochs(scoring):
    assert any(config.differing(TrainConfig()) == [] for config in portfolio(TrainConfig(), scoring))


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
def test_a_class_weight_that_is_given_holds_for_all(weight):
    configs = portfolio(TrainConfig(class_weight=weight), class_weight=False)
    assert all(config.class_weight == weight for config in configs)
    assert 2 < len(configs) == len(distinct(configs)) < len(PORTFOLIO)


def test_repeats_are_left_out_in_order():
    one, other = TrainConfig(class_weight={"a": 1.0}), TrainConfig(n_rules=3)
    assert distinct([one, other, replace(one), other]) == [one, other]


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

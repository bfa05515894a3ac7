"""A readable classifier of a table: a training of its own, whose rules are conditions and one score a class."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from tsk_core import TSKClassifier, rule_stability
from tsk_core.config import TrainConfig
from tsk_core.data import make_dataset
from tsk_core.errors import DataError, SettingError

QUICK = {"n_rules": 4, "max_epochs": 5, "random_state": 3}


@pytest.fixture(scope="module")
def full(iris):
    return TSKClassifier(**QUICK).fit(*iris)


def test_each_rule_has_at_most_so_many_conditions_and_a_constant_for_each_class(full, iris):
    readable = full.make_readable(*iris, max_rules=5, max_conditions=2)
    rules = readable.rules_
    assert tuple(rules.biases.shape) == (1, 5, 3) and not rules.weights.any()
    assert int(rules.sigmas.isfinite().sum(2).max()) <= 2
    assert readable.score(*iris) > 0.85 and full.rules_.weights.any()  # the source stays as it was


def test_a_category_is_one_condition_whatever_its_columns(mixed):
    X, y = mixed
    readable = TSKClassifier(**QUICK).fit(X, y).make_readable(X, y, max_rules=4, max_conditions=1)
    present, columns = readable.rules_.sigmas[0].isfinite().numpy(), readable.to_dict()["columns"]
    for rule in present:
        assert len({column["feature"] for column, there in zip(columns, rule, strict=True) if there}) <= 1
    assert present.sum(1).max() >= 3


def test_it_is_the_training_of_the_readable_starting_point_with_what_is_kept(iris):
    X, y = iris
    full = TSKClassifier(**QUICK, class_weight={0: 2.0, 1: 1.0}).fit(X, y)
    config = TrainConfig.readable(n_rules=5, max_conditions=2, random_state=3, class_weight={0: 2.0, 1: 1.0})
    readable = full.make_readable(X, y, max_rules=5, max_conditions=2)
    assert readable.training_config() == config
    np.testing.assert_array_equal(readable.decision_function(X), TSKClassifier(**config.to_dict()).fit(X, y).decision_function(X))


def test_the_size_is_that_of_the_starting_point_unless_it_is_given(full, iris):
    readable, epochs = full.make_readable_iter(*iris)
    epochs.close()
    assert readable.training_config() == TrainConfig.readable(random_state=3)


@pytest.mark.slow
def test_a_search_finds_the_settings_and_keeps_weights_and_seed(iris):
    full = TSKClassifier(**QUICK, class_weight="balanced").fit(*iris)
    readable = full.make_readable(*iris, search=True, budget=30.0)
    config = readable.training_config()
    assert (config.consequents, config.class_weight, config.random_state) == ("constant", "balanced", 3)
    start = TrainConfig.readable()
    assert readable.history_[-1].conditions < start.n_rules * start.max_conditions and readable.score(*iris) > 0.9


def test_it_trains_epoch_by_epoch_with_test_scores(full, iris):
    X, y = iris
    readable, epochs = full.make_readable_iter(X[::2], y[::2], X[1::2], y[1::2], max_rules=3, max_conditions=1)
    history = list(epochs)
    assert len(history) == readable.max_epochs and history[-1].rca_test == pytest.approx(readable.score(X[1::2], y[1::2]))
    assert history[-1].conditions <= 3 < history[0].conditions


def test_a_classifier_that_cleans_tables_makes_one_that_cleans_them_too(iris):
    frame = iris[0].assign(width=[f"{value} cm" for value in iris[0].iloc[:, 1]], kind=np.array(["a", "b", "c"])[iris[1]])
    dataset = make_dataset(frame, "kind", name="flowers")
    full = TSKClassifier(**QUICK).fit(dataset.X, dataset.y)
    full.cleaning_ = dataset.cleaning
    readable = full.make_readable(frame.drop(columns="kind"), dataset.y, max_rules=3)
    assert readable.cleaning_ is full.cleaning_
    assert (readable.predict(frame.drop(columns="kind")) == dataset.y).mean() > 0.85


def test_a_book_trains_a_readable_base_of_the_size_that_it_shows(full, iris):
    readable = full.rules(2).refit(*iris)
    assert (readable.n_rules, readable.max_conditions) == (4, 2) and readable.consequents == "constant"
    assert full.rules(2).refit(*iris, max_rules=3).n_rules == 3
    with pytest.raises(SettingError, match=r"TSKClassifier\.rules"):
        full.model_.rules(2).refit(*iris)


def test_how_stable_its_rules_are_is_measured_as_of_any_classifier(full, iris):
    readable = full.make_readable(*iris, max_rules=3, max_conditions=1)
    found = rule_stability(readable, *iris, n=2)
    assert found == rule_stability(TSKClassifier(**readable.get_params()), *iris, n=2)
    assert set(found.seeds.times) <= {1, 2, 3}


def test_it_is_saved_and_loaded_as_any_classifier(full, iris, tmp_path):
    readable = full.make_readable(*iris, max_rules=3, max_conditions=1)
    readable.save(tmp_path)
    np.testing.assert_array_equal(TSKClassifier.load(tmp_path).decision_function(iris[0]), readable.decision_function(iris[0]))


@pytest.mark.parametrize(
    ("options", "word"), [({"max_rules": 0}, "n_rules"), ({"max_conditions": 0}, "max_conditions"), ({"search": "yes"}, "search")]
)
def test_impossible_options_are_refused(full, iris, options, word):
    with pytest.raises(SettingError, match=f"^{word} is "):
        full.make_readable(*iris, **options)


def test_rows_without_classes_and_a_classifier_without_training_are_refused(full, iris):
    with pytest.raises(DataError):
        full.make_readable(iris[0], pd.Series([None] * len(iris[1])))
    with pytest.raises(NotFittedError):
        TSKClassifier().make_readable(*iris)

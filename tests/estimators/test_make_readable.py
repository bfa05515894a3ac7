"""A readable classifier of a table, whose rules are conditions and one score a class; and the readings of its rules."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from tsk_core import TSKClassifier
from tsk_core.config import TrainConfig
from tsk_core.data import make_dataset
from tsk_core.errors import DataError, SettingError
from tsk_core.explain import RuleBaseSummary, Summaries, Summariser

QUICK = {"n_rules": 4, "max_epochs": 5, "random_state": 3}


@pytest.fixture(scope="module")
def full(iris):
    return TSKClassifier(**QUICK).fit(*iris)


@pytest.mark.usefixtures("short_readable")
def test_each_rule_has_at_most_so_many_conditions_and_a_constant_for_each_class(full, iris):
    readable = full.make_readable(*iris, max_rules=5, max_conditions=2)
    rules = readable.rules_
    assert tuple(rules.biases.shape) == (1, 5, 3) and not rules.weights.any()
    assert int(rules.sigmas.isfinite().sum(2).max()) <= 2
    assert readable.score(*iris) > 0.85 and full.rules_.weights.any()  # the source stays as it was


@pytest.mark.usefixtures("short_readable")
def test_a_category_is_one_condition_whatever_its_columns(of_mixed, mixed):
    readable = of_mixed.make_readable(*mixed, max_rules=4, max_conditions=1)
    present, columns = readable.rules_.sigmas[0].isfinite().numpy(), readable.to_dict()["columns"]
    for rule in present:
        assert len({column["feature"] for column, there in zip(columns, rule, strict=True) if there}) <= 1
    assert present.sum(1).max() >= 3


@pytest.mark.usefixtures("short_readable")
def test_it_is_the_training_of_the_readable_starting_point_with_what_is_kept(full, iris):
    X, y = iris
    weighted = TSKClassifier(**QUICK, class_weight={0: 2.0, 1: 1.0}).fit(X, y)
    config = TrainConfig.readable(n_rules=5, max_conditions=2, random_state=3, class_weight={0: 2.0, 1: 1.0})
    readable = weighted.make_readable(X, y, max_rules=5, max_conditions=2)
    assert readable.training_config() == config
    np.testing.assert_array_equal(readable.decision_function(X), TSKClassifier(**config.to_dict()).fit(X, y).decision_function(X))
    unsized, epochs = full.make_readable_iter(*iris)
    epochs.close()
    assert unsized.training_config() == TrainConfig.readable(random_state=3)


@pytest.mark.usefixtures("short_readable", "short_search")
def test_a_search_finds_the_settings_and_keeps_weights_and_seed(iris):
    full = TSKClassifier(**QUICK, class_weight="balanced").fit(*iris)
    readable = full.make_readable(*iris, search=True, budget=1e6)
    config = readable.training_config()
    assert (config.consequents, config.class_weight, config.random_state) == ("constant", "balanced", 3)
    start = TrainConfig.readable()
    assert readable.history_[-1].conditions < start.n_rules * start.max_conditions and readable.score(*iris) > 0.85


@pytest.mark.usefixtures("short_readable")
def test_it_trains_epoch_by_epoch_with_test_scores(full, iris):
    X, y = iris
    readable, epochs = full.make_readable_iter(X[::2], y[::2], X[1::2], y[1::2], max_rules=3, max_conditions=1)
    history = list(epochs)
    assert len(history) == readable.max_epochs and history[-1].rca_test == pytest.approx(readable.score(X[1::2], y[1::2]))
    assert history[-1].conditions <= 3 < history[0].conditions


@pytest.mark.usefixtures("short_readable")
def test_a_classifier_that_cleans_tables_makes_one_that_cleans_them_too(iris):
    frame = iris[0].assign(width=[f"{value} cm" for value in iris[0].iloc[:, 1]], kind=np.array(["a", "b", "c"])[iris[1]])
    dataset = make_dataset(frame, "kind", name="flowers")
    full = TSKClassifier(**QUICK).fit(dataset.X, dataset.y)
    full.cleaning_ = dataset.cleaning
    readable = full.make_readable(frame.drop(columns="kind"), dataset.y, max_rules=3)
    assert readable.cleaning_ is full.cleaning_
    assert (readable.predict(frame.drop(columns="kind")) == dataset.y).mean() > 0.85


@pytest.mark.usefixtures("short_readable")
def test_a_book_trains_a_readable_base_of_the_size_that_it_shows(full, iris):
    readable = full.rules(2).refit(*iris)
    assert (readable.n_rules, readable.max_conditions) == (4, 2) and readable.consequents == "constant"
    assert full.rules(2).refit(*iris, max_rules=3).n_rules == 3
    with pytest.raises(SettingError, match=r"TSKClassifier\.rules"):
        full.model_.rules(2).refit(*iris)


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


@pytest.fixture(scope="module")
def readable(mixed):
    X, y = mixed
    settings = TrainConfig.readable(n_rules=4, max_conditions=2, max_epochs=30, random_state=0).to_dict()
    return TSKClassifier(**settings).fit(X[:200], y[:200])


def test_a_loaded_model_has_the_same_readings_and_rule_list(readable, mixed, tmp_path):
    X, y = mixed
    readable.save(tmp_path / "m")
    loaded = TSKClassifier.load(tmp_path / "m")
    for rows in ((), (X[200:], y[200:])):
        book = readable.rules(3, *rows)
        assert loaded.rules(3, *rows).to_dict() == book.to_dict()
        assert loaded.rules(12, *rows).rule_list.text == book.rule_list.text
        assert [reading.name for reading in book.readings] == ["model", "strongest", "sentences"]
    assert book.evaluated_on == "test rows" and " of 100 test rows" in book.rule_list.text


def test_summaries_keep_readings_and_rule_list(readable, mixed):
    X, y = mixed
    train, test = (X[:200], y[:200]), (X[200:], y[200:])
    made = Summariser(readable.encoder_.transform, readable.classes_, train, test, 4).summarise(readable.to_dict())
    kept = Summaries.from_dict(json.loads(json.dumps(made.to_dict(), allow_nan=False)))
    assert kept.fit(4, list(X.columns), ["no", "yes"])
    book, direct = RuleBaseSummary.of_kept(kept, 2, readable.to_dict()), readable.rules(2, *test, training=train)
    assert book.rule_list.to_dict() == direct.rule_list.to_dict()
    assert kept.texts(1)[1] == book.measured_text == direct.measured_text
    assert len(kept.fidelity) == 1
    changed = made.to_dict()
    changed["measured"]["readable"]["otherwise"] = 2
    assert not Summaries.from_dict(changed).fit(4, list(X.columns), ["no", "yes"])

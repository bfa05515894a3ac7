"""What fit learns, records, holds out and refuses; and what a second fit leaves of the first."""

import json
import re
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import torch
from sklearn.exceptions import NotFittedError

from tsk_core import TrainConfig, TSKClassifier, TSKClassifierCV, explain_with_rules, fit_many, rule_stability
from tsk_core.errors import DataError, SettingError, TrainingError
from tsk_core.estimators import training

QUICK = {"n_rules": 4, "max_epochs": 20, "random_state": 0}
SHORT = {"n_rules": 3, "max_epochs": 3, "random_state": 0}
ROWS, NUMBERS, TEXTS = np.eye(4), [0, 1, 0, 1], ["a", "b", "a", "b"]


def test_a_mixed_table_with_gaps_is_learnt_and_an_unknown_category_answered(mixed):
    X, y = mixed
    clf = TSKClassifier(n_rules=8, max_epochs=60, random_state=0).fit(X[:200], y[:200])
    assert clf.score(X[200:], y[200:]) > 0.85
    assert clf.predict_proba(X).sum(1) == pytest.approx(1)
    assert [c.feature for c in clf.encoder_.columns] == ["size"] + ["colour"] * 3 + ["wheels"] * 3
    assert clf.predict(X.assign(colour="purple")).shape == (300,)


def test_an_arrow_table_is_taken_as_the_dataframe_of_the_same_names_and_cells(mixed):
    X, y = pa.Table.from_pandas(mixed[0], preserve_index=False), mixed[1]  # without an index
    model, same = (TSKClassifier(**SHORT).fit(table, y) for table in (X, mixed[0]))
    assert list(model.feature_names_in_) == ["size", "colour", "wheels"]
    np.testing.assert_array_equal(model.predict_proba(X), same.predict_proba(mixed[0]))
    assert str(model.rules(2, X, y)) == str(same.rules(2, *mixed)) and model.score(X, y) == same.score(*mixed)
    assert str(model.explain(X.slice(0, 1))) == str(same.explain(mixed[0].iloc[:1]))
    readable, other = (next(iter(m.make_readable_iter(t, y)[1])) for m, t in ((model, X), (same, mixed[0])))
    assert readable.loss == other.loss
    small = {"max_epochs": 3, "max_rules": 3}
    assert explain_with_rules(model, X, X, **small).fidelity == explain_with_rules(model, *[mixed[0]] * 2, **small).fidelity
    assert rule_stability(model, X, y, n=1) == rule_stability(model, *mixed, n=1)
    search = TSKClassifierCV(1e6, 2, random_state=0, refit=False)
    first, other = (next(search.fit_iter(table, y, clock=lambda: 0.0)) for table in (X, mixed[0]))
    assert first == other and first


def test_firing_levels_sum_to_one_and_history_tells_every_epoch(of_iris, iris):
    levels = of_iris.firing_levels(iris[0])
    assert levels.shape == (150, 4)
    assert levels.sum(1) == pytest.approx(1)
    assert [e.epoch for e in of_iris.history_] == list(range(1, 21))
    np.testing.assert_allclose(of_iris.history_[-1].firing, levels.mean(0), atol=1e-6)
    assert of_iris.history_[-1].rca_train == of_iris.score(*iris)
    assert of_iris.history_[-1].rca_test is None


def test_class_weights_are_found_by_what_is_printed_of_a_label_and_mean_the_same_after_json(iris):
    X, y = iris[0], np.array(["0", "1", "2"])[iris[1]]
    config = TrainConfig(class_weight={np.int64(0): 5, 2: 0.5}, **SHORT)
    by_json = TrainConfig.from_dict(json.loads(json.dumps(config.to_dict())))
    by_text = replace(config, class_weight={"0": 5, "2": 0.5})
    losses = {TSKClassifier(**one.to_dict()).fit(X, y).history_[-1].loss for one in (config, by_json, by_text)}
    assert len(losses) == 1 and losses != {TSKClassifier(**SHORT).fit(X, y).history_[-1].loss}


@pytest.mark.parametrize(
    ("labels", "kind"), [(pd.array([0, 1, 2], "Int64"), "i"), (pd.array([True, False, True], "boolean"), "b")]
)
def test_labels_of_pandas_that_may_be_missing_stay_whole_numbers_and_booleans(iris, labels, kind):
    y = pd.Series(labels[iris[1]])
    classifier = TSKClassifier(2, max_epochs=1, random_state=0).fit(iris[0], y)
    assert classifier.classes_.dtype.kind == kind


@pytest.mark.parametrize(
    ("y", "tested", "error", "said"),
    [
        (NUMBERS, (None, NUMBERS), SettingError, "pass X_test, too"),
        (TEXTS, (ROWS[:3], [*"a", None, *"b"]), DataError, "no label in 1 of 3 rows, the first of them row 1"),
        (NUMBERS, (ROWS, None), DataError, "X_test has no y_test"),
        (NUMBERS, (ROWS, [0, 1]), DataError, "Expected one class for each of the 4 test rows"),
        (NUMBERS, (ROWS, [0, 1, 0, 1, 0]), DataError, "Expected one class for each of the 4 test rows"),
        (NUMBERS, (ROWS, TEXTS), DataError, "has no training rows; the known classes are"),
        (TEXTS, (ROWS, NUMBERS), DataError, "has no training rows; the known classes are"),
        (NUMBERS, (ROWS, [0, 1, 2, 1]), DataError, "'2' has no training rows"),
    ],
)
def test_test_rows_that_do_not_fit_are_refused(y, tested, error, said):
    X_test, y_test = tested
    with pytest.raises(error, match=said):
        next(TSKClassifier(2, max_epochs=1).fit_iter(ROWS, y, X_test, y_test if y_test is None else np.array(y_test, object)))


@pytest.mark.parametrize(
    ("X", "y", "given", "error", "said"),
    [
        (ROWS, np.array(["2020", "2021"] * 2, "datetime64[Y]"), {}, DataError, "labels of the type datetime64"),
        (ROWS, np.array(["a", "b"] * 2, "S"), {}, DataError, "labels of the type |S1"),
        (ROWS, np.array([2**63, 1] * 2, np.uint64), {}, DataError, "the label 9223372036854775808, which is larger"),
        (ROWS, np.array(["a", "\ud800"] * 2), {}, DataError, "not valid Unicode"),
        (ROWS, np.array([b"a", b"b"] * 2, object), {}, DataError, "objects of the type 'bytes'; give text, or an array of"),
        (ROWS, np.array([0, 1] * 2, object), {}, DataError, "objects of the type 'int'; give text, or an array of numbers"),
        (ROWS, np.array([True, 0.5] * 2, object), {}, DataError, "objects of the type 'bool' and 'float'"),
        (ROWS, ["a", 1, "a", 1], {}, DataError, "labels of several types, 'int' and 'str'"),
        (pd.DataFrame(ROWS, columns=["a", "b", "c", 3]), NUMBERS, {}, DataError, "Only some names of X's columns are text"),
        (pd.DataFrame(ROWS, columns=["a", "b", "a", "d"]), NUMBERS, {}, DataError, "Column 'a' occurs twice"),
        (pd.DataFrame(ROWS, columns=[1, 2, 1, 4]), NUMBERS, {}, DataError, "Column '1' occurs twice"),
        (pd.DataFrame({"x": np.arange(4) * 1j}), NUMBERS, {}, DataError, "Column 'x' contains complex numbers"),
        (ROWS, NUMBERS, {"groups": [1, 2]}, ValueError, "groups needs one value for each of the 4 training rows"),
        (ROWS, NUMBERS, {"time": ["today"] * 4}, ValueError, "numbers or dates"),
        (ROWS, NUMBERS, {"groups": np.arange(4), "time": np.arange(4)}, ValueError, "not by both"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_rows_that_no_training_could_use_are_refused(X, y, given, error, said):
    with pytest.raises(error, match=re.escape(said)):
        TSKClassifier(**SHORT).fit(X, y, **given)


def test_rows_and_settings_that_do_not_fit_together_are_refused(iris):
    X, y = iris
    with pytest.raises(DataError, match="at least 3 training rows, got 2; switch it off or add rows"):
        TSKClassifier(early_stopping=True).fit([[0.0], [1.0]], ["a", "b"])
    with pytest.raises(SettingError, match="^class_weight has a weight for 'maybe', but the classes are '0', '1' and '2'.$"):
        TSKClassifier(**SHORT, class_weight={"maybe": 2.0}).fit(X, y)
    TSKClassifier(**SHORT, class_weight={0: 1, 1: 2, 2: 3}).fit(X[y < 2], y[y < 2])  # a part of the rows may lack a class
    if not torch.cuda.is_available():
        with pytest.raises(SettingError, match="torch finds no graphics card"):
            TSKClassifier(**SHORT, device="cuda").fit(X, y)
    with pytest.raises(DataError, match="Column 'a' occurs twice"):  # in rows to predict, too
        TSKClassifier(**SHORT).fit(X.set_axis(list("abcd"), axis=1), y).predict(X.set_axis(list("aacd"), axis=1))


def test_training_that_diverges_at_once_says_so_and_leaves_no_model(iris):
    model = TSKClassifier(**QUICK, optimizer="adam", learning_rate=1e30)
    with pytest.raises(TrainingError, match=r"^Training diverged in its first epoch, so there is no model; try a smaller"):
        model.fit(*iris)
    with pytest.raises(NotFittedError):
        model.predict(iris[0])


def test_classes_in_a_table_with_one_column_are_taken_everywhere(iris):
    X, y = iris
    column = pd.DataFrame({"kind": np.asarray(y)})
    model = TSKClassifier(**SHORT)
    *_, last = model.fit_iter(X, y, X, column)
    *_, same = model.fit_iter(X, y, X, y)
    assert last.rca_test == same.rca_test
    assert str(model.rules(3, X, column)) == str(model.rules(3, X, y))
    assert rule_stability(model, X, column, n=1).seeds.base == rule_stability(model, X, y, n=1).seeds.base


def test_truth_values_are_the_same_as_a_table_an_array_and_numbers():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({name: rng.random(80) < 0.5 for name in ("f", "g")})
    model = TSKClassifier(**QUICK).fit(X, np.where(X.f ^ X.g, "a", "b"))
    expected = model.predict_proba(X)
    assert (model.predict_proba(X.astype(int)) == expected).all()
    assert list(model.row_warnings(X.astype(int))) == list(model.row_warnings(X))
    with warnings.catch_warnings(action="ignore"):  # scikit-learn: no feature names
        assert (model.predict_proba(X.to_numpy()) == expected).all()


@pytest.fixture
def other(iris):
    """A table with one feature less and other classes."""
    X, y = iris
    return X.iloc[:, :3], np.array(["c", "a", "b"])[y]


def state(classifier, X):
    """What a caller sees of a fitted classifier."""
    scores, classes = classifier.decision_function(X).tolist(), classifier.classes_.tolist()
    return list(classifier.feature_names_in_), scores, classes, len(classifier.history_), str(classifier.rules())


def test_a_refit_that_fails_leaves_the_classifier_as_it_was(iris, other):
    clf = TSKClassifier(**SHORT).fit(*iris)
    before = state(clf, iris[0])
    with pytest.raises(DataError, match="one class"):
        clf.fit(other[0], np.zeros(150))
    with pytest.raises(DataError, match="no training rows"):
        next(clf.fit_iter(*other, other[0], np.full(150, "unknown")))
    with pytest.raises(TrainingError):
        clf.set_params(learning_rate=1e30, optimizer="adam").fit(*other)
    assert state(clf, iris[0]) == before


def test_a_refit_that_fails_after_its_hold_outs_leaves_the_classifier_unfitted(iris, other, monkeypatch):
    train = training.train

    def failing(specs, table, test):
        for (progress,) in train(specs, table, test):
            if progress.epoch.stage == "training":
                yield [progress._replace(epoch=None)]
                return
            yield [progress]

    clf = TSKClassifier(**QUICK, early_stopping=True, patience=3).fit(*iris)
    monkeypatch.setattr(training, "train", failing)
    with pytest.raises(TrainingError):
        for _ in clf.fit_iter(*other):
            assert clf.classes_.tolist() == ["a", "b", "c"] and clf.n_features_in_ == 3 == clf.rules_.centers.shape[-1]
    with pytest.raises(NotFittedError):
        clf.predict(iris[0])
    assert not hasattr(clf, "classes_") and not hasattr(clf, "history_")


@pytest.mark.parametrize("wrong", ["x", np.random.default_rng(0), np.array([1, 2]), 1.5])
def test_a_random_state_of_another_kind_is_named(iris, wrong):
    with pytest.raises(SettingError, match=r"^random_state is .*; it must be None, a whole number"):
        TSKClassifier(random_state=wrong).fit(*iris)
    with pytest.raises(SettingError, match="random_state"):
        TSKClassifierCV(random_state=wrong).fit(*iris)


def test_without_a_random_state_and_with_one_of_numpy_the_seeds_are_numpys(iris):
    seeds, clf = [], TSKClassifier(n_rules=2, max_epochs=1)
    for seed in (5, 5, 6):
        np.random.seed(seed)
        seeds.append(clf.fit(*iris).seed_)
    assert seeds[0] == seeds[1] != seeds[2]
    clf.set_params(random_state=np.random.RandomState(0))
    assert clf.fit(*iris).seed_ != clf.fit(*iris).seed_


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT])
def test_missing_labels_are_counted(iris, missing):
    labels = np.array(["a", "b", "c"], object)[iris[1]]
    labels[[17, 40]] = missing
    for y in (labels, labels.tolist(), pd.Series(labels)):
        with pytest.raises(DataError, match=r"^y has no label in 2 of 150 rows, the first of them row 17 \(counted from 0\)"):
            TSKClassifier(**QUICK).fit(iris[0], y)


def test_early_stopping_respects_the_order_of_time():
    """The last fifth contradicts the rest: a hold-out of the latest rows notices, one drawn at random does not."""
    X = np.random.default_rng(0).normal(size=(300, 1))
    time = pd.date_range("2024-01-01", periods=300, tz="Europe/Vienna")
    y = (X[:, 0] > 0) ^ (np.arange(300) >= 240)
    settings = {"n_rules": 2, "max_epochs": 5, "early_stopping": True, "random_state": 0}
    of_dates = {"time": [moment.date() for moment in time]}
    for chosen, least, most in (({}, 0.6, 1), ({"time": time}, 0, 0.4), ({"time": np.arange(300)}, 0, 0.4), (of_dates, 0, 0.4)):
        search = TSKClassifier(**settings).fit(X, y, **chosen).search_history_
        assert least <= search[-1].rca_validation <= most, chosen
        together = fit_many([TSKClassifier(**settings)], X, y, **chosen)[0].search_history_
        assert least <= together[-1].rca_validation <= most, chosen

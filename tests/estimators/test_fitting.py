"""What fit learns, records and refuses."""

import json
import re
import warnings

import numpy as np
import pandas as pd
import pytest
import torch
from sklearn.exceptions import NotFittedError

from tsk_core import TrainConfig, TSKClassifier, rule_stability
from tsk_core.errors import DataError, SettingError, TrainingError

QUICK = {"n_rules": 4, "max_epochs": 20, "random_state": 0}


def test_a_mixed_table_with_gaps_is_learnt(mixed):
    X, y = mixed
    clf = TSKClassifier(n_rules=8, max_epochs=80, random_state=0).fit(X[:200], y[:200])
    assert clf.score(X[200:], y[200:]) > 0.85
    assert clf.predict_proba(X).sum(1) == pytest.approx(1)
    assert [c.feature for c in clf.encoder_.columns] == ["size"] + ["colour"] * 3 + ["wheels"] * 3


def test_an_unknown_category_is_answered(mixed):
    X, y = mixed
    clf = TSKClassifier(**QUICK).fit(X, y)
    assert clf.predict(X.assign(colour="purple")).shape == (300,)


def test_firing_levels_sum_to_one_and_history_tells_every_epoch(iris):
    clf = TSKClassifier(**QUICK).fit(*iris)
    levels = clf.firing_levels(iris[0])
    assert levels.shape == (150, 4)
    assert levels.sum(1) == pytest.approx(1)
    assert [e.epoch for e in clf.history_] == list(range(1, 21))
    np.testing.assert_allclose(clf.history_[-1].firing, levels.mean(0), atol=1e-6)
    assert clf.history_[-1].rca_train == clf.score(*iris)
    assert clf.history_[-1].rca_test is None


def test_closing_the_stream_keeps_a_fitted_classifier(iris):
    X, y = iris
    clf = TSKClassifier(**QUICK)
    stream = clf.fit_iter(X[::2], y[::2], X[1::2], y[1::2])
    records = [next(stream) for _ in range(3)]
    stream.close()
    assert clf.best_epoch_ == 3
    assert records[-1].rca_test == pytest.approx(clf.score(X[1::2], y[1::2]))


def test_balanced_class_weights_raise_the_recall_of_a_rare_class():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (300, 2)), rng.normal(1.2, 1, (20, 2))])
    y = np.repeat([0, 1], [300, 20])
    settings = TrainConfig.paper().to_dict() | QUICK
    models = [TSKClassifier(**settings | {"class_weight": weight}).fit(X, y) for weight in (None, "balanced")]
    recall = [model.predict(X)[300:].mean() for model in models]
    assert recall[1] > recall[0] + 0.2


def test_class_weights_mean_the_same_after_json(iris):
    config = TrainConfig(class_weight={np.int64(0): 5, 2: 0.5}, n_rules=3, max_epochs=3, random_state=0)
    again = TrainConfig.from_dict(json.loads(json.dumps(config.to_dict())))
    one, two = (TSKClassifier(**c.to_dict()).fit(*iris) for c in (config, again))
    assert one.history_[-1].loss == two.history_[-1].loss
    assert one.history_[-1].loss != TSKClassifier(n_rules=3, max_epochs=3, random_state=0).fit(*iris).history_[-1].loss


def test_class_weights_are_found_by_what_is_printed_of_a_label(iris):
    X, y = iris
    config = {"n_rules": 3, "max_epochs": 3, "random_state": 0}
    texts = np.array(["0", "1", "2"])[y]
    by_number, by_text = (TSKClassifier(**config, class_weight={label: 9}).fit(X, texts) for label in (2, "2"))
    assert by_number.history_[-1].loss == by_text.history_[-1].loss != TSKClassifier(**config).fit(X, texts).history_[-1].loss


def test_a_weight_for_a_label_that_is_no_class_is_refused_where_a_class_has_none(iris):
    X, y = iris
    config = {"n_rules": 3, "max_epochs": 3, "random_state": 0}
    with pytest.raises(SettingError, match="^class_weight has a weight for 'maybe', but the classes are '0', '1' and '2'.$"):
        TSKClassifier(**config, class_weight={"maybe": 2.0}).fit(X, y)
    TSKClassifier(**config, class_weight={0: 1, 1: 2, 2: 3}).fit(X[y < 2], y[y < 2])  # a part of the rows may lack a class


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (np.array(["2020", "2021"], "datetime64[Y]"), "labels of the type datetime64"),
        (np.array(["a", "b"], "S"), "labels of the type |S1"),
        (np.array([2**63, 1], np.uint64), "the label 9223372036854775808, which is larger"),
        (np.array(["a", "\ud800"]), "not valid Unicode"),
        (np.array([b"a", b"b"], object), "objects of the type 'bytes'; give text, or an array of numbers"),
        (np.array([0, 1], object), "objects of the type 'int'; give text, or an array of numbers"),
        (np.array([True, 0.5], object), "objects of the type 'bool' and 'float'"),
    ],
    ids=["dates", "bytes", "large", "surrogate", "bytes objects", "number objects", "mixed objects"],
)
def test_labels_that_no_saved_model_could_hold_are_refused(iris, labels, said):
    with pytest.raises(DataError, match=re.escape(said)):
        TSKClassifier(**QUICK).fit(iris[0][:100], labels[iris[1][:100]])


def test_labels_of_several_types_in_a_list_are_refused():
    with pytest.raises(DataError, match="labels of several types, 'int' and 'str'"):
        TSKClassifier(**QUICK).fit(np.arange(4.0)[:, None], ["a", 1, "a", 1])


@pytest.mark.parametrize(
    ("labels", "kind"), [(pd.array([0, 1, 2], "Int64"), "i"), (pd.array([True, False, True], "boolean"), "b")]
)
def test_labels_of_pandas_that_may_be_missing_stay_whole_numbers_and_booleans(iris, labels, kind):
    y = pd.Series(labels[iris[1]])
    classifier = TSKClassifier(2, max_epochs=1, random_state=0).fit(iris[0], y)
    assert classifier.classes_.dtype.kind == kind


def test_classes_of_test_rows_without_the_rows_are_refused(iris):
    with pytest.raises(SettingError, match="pass X_test, too"):
        TSKClassifier(**QUICK).fit_iter(*iris, None, iris[1])


def test_a_missing_label_of_test_rows_is_named():
    X, y = np.arange(8.0)[:, None], np.array(["a", "b"] * 4, object)
    tested = np.array(["a", None, "b"], object)
    with pytest.raises(DataError, match="no label in 1 of 3 rows, the first of them row 1"):
        next(TSKClassifier(2, max_epochs=1).fit_iter(X, y, X[:3], tested))


def test_columns_some_of_whose_names_are_text_are_refused(iris):
    with pytest.raises(DataError, match="Only some names of X's columns are text"):
        TSKClassifier(**QUICK).fit(iris[0].set_axis(["a", "b", "c", 3], axis=1), iris[1])


@pytest.mark.parametrize("names", [["a", "b", "a", "d"], [1, 2, 1, 4]])
def test_columns_of_the_same_name_are_refused(iris, names):
    with pytest.raises(DataError, match=f"Column '{names[0]}' occurs twice"):
        TSKClassifier(**QUICK).fit(iris[0].set_axis(names, axis=1), iris[1])


def test_complex_numbers_and_a_missing_graphics_card_are_refused(iris):
    with pytest.raises(DataError, match="Column 'x' contains complex numbers"):
        TSKClassifier(**QUICK).fit(pd.DataFrame({"x": np.arange(150) * 1j}), iris[1])
    if not torch.cuda.is_available():
        with pytest.raises(SettingError, match="torch finds no graphics card"):
            TSKClassifier(**QUICK, device="cuda").fit(*iris)


def test_training_that_diverges_at_once_says_so_and_leaves_no_model(iris):
    model = TSKClassifier(**QUICK, optimizer="adam", learning_rate=1e30)
    with pytest.raises(TrainingError, match=r"^Training diverged in its first epoch, so there is no model; try a smaller"):
        model.fit(*iris)
    with pytest.raises(NotFittedError):
        model.predict(iris[0])


def test_test_rows_without_classes_are_named():
    X, y = np.eye(4), [0, 1, 0, 1]
    with pytest.raises(DataError, match="X_test has no y_test"):
        next(TSKClassifier(n_rules=2, max_epochs=2).fit_iter(X, y, X))


@pytest.mark.parametrize("y_test", [[0, 1], [0, 1, 0, 1, 0]])
def test_test_rows_need_a_class_each(y_test):
    X, y = np.eye(4), [0, 1, 0, 1]
    with pytest.raises(DataError, match="Expected one class for each of the 4 test rows"):
        next(TSKClassifier(n_rules=2, max_epochs=2).fit_iter(X, y, X, y_test))


@pytest.mark.parametrize(("y", "y_test"), [([0, 1, 0, 1], ["a", "b", "a", "b"]), (["a", "b", "a", "b"], [0, 1, 0, 1])])
def test_labels_of_another_kind_are_classes_without_training_rows(y, y_test):
    X = np.eye(4)
    with pytest.raises(DataError, match="has no training rows; the known classes are"):
        next(TSKClassifier(n_rules=2, max_epochs=2).fit_iter(X, y, X, np.array(y_test, dtype=object)))


def test_classes_in_a_table_with_one_column_are_taken_everywhere(iris):
    X, y = iris
    column = pd.DataFrame({"kind": np.asarray(y)})
    model = TSKClassifier(**QUICK)
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


def test_a_repeated_column_is_named_in_rows_to_predict_too(iris):
    X, y = np.asarray(iris[0]), iris[1]
    model = TSKClassifier(**QUICK).fit(pd.DataFrame(X, columns=list("abcd")), y)
    with pytest.raises(DataError, match="Column 'a' occurs twice"):
        model.predict(pd.DataFrame(X, columns=list("aacd")))

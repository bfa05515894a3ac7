"""Class weights move the predicted class and not the probabilities, which are at the shares of the classes among the rows."""

import json
import pickle  # noqa: TID251 - users do

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import softmax

from tsk_core import TSKClassifier
from tsk_core.errors import ModelFileError
from tsk_core.evaluate.confusion import evaluation
from tsk_core.live.series import EvaluationRecorder
from tsk_core.predict import predict_table
from tsk_core.predict.new_row import predict_row
from tsk_core.tasks.final_metrics import final_metrics
from tsk_core.train.table import log_prior

QUICK = {"n_rules": 4, "max_epochs": 25, "random_state": 0}
WEIGHTS = {"balanced": "balanced", "by class": {"rare": 7.0, "b": 0.5}}


def table(seed, n=900):
    """Three classes that overlap, with 70, 20 and 10% of the rows."""
    rng = np.random.default_rng(seed)
    y = rng.choice(3, n, p=[0.7, 0.2, 0.1])
    X = pd.DataFrame(rng.normal(size=(n, 3)) + np.array([[0, 0, 0], [1.2, 0, 0], [0, 1.4, 0]])[y], columns=["u", "v", "w"])
    return X, np.array(["a", "b", "rare"], dtype=object)[y]


@pytest.fixture(scope="module", params=WEIGHTS)
def weighted(request):
    X, y = table(0)
    return TSKClassifier(class_weight=WEIGHTS[request.param], **QUICK).fit(X, y), X, y


@given(st.integers(2, 5), st.integers(0, 10_000), st.booleans())
def test_a_weighted_posterior_becomes_the_true_one(C, seed, counted):
    """By Bayes' rule, from shares and densities: weighted rows teach w_k π_k p(x|k), and π_k p(x|k) is true of the rows."""
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(C), rng.integers(C, size=40)])
    times = rng.integers(1, 5, len(y)) if counted else np.ones(len(y), int)
    share, weight = np.bincount(y, times) / times.sum(), rng.uniform(0.1, 9, C)
    density = rng.uniform(0.01, 1, (20, C))
    learnt = np.log(weight * share * density) + rng.normal(size=(20, 1))  # scores, but for a constant of each row
    prior = log_prior(torch.from_numpy(weight), y, times if counted else None)
    true = share * density
    np.testing.assert_allclose(softmax(learnt + prior, axis=1), true / true.sum(1, keepdims=True), rtol=1e-9)
    np.testing.assert_allclose(np.exp(prior), share / (weight * share / (weight * share).sum()), rtol=1e-9)


def test_equal_weights_add_nothing_and_a_class_without_rows_has_a_number():
    y = np.array([0, 0, 1])
    assert log_prior(None, y) is None and log_prior(torch.tensor([2.0, 2.0]), y) is None
    assert np.isfinite(log_prior(torch.tensor([2.0, 1.0, 5.0]), y)).all()


@pytest.mark.parametrize("weights", WEIGHTS)
def test_mean_probabilities_are_the_shares_of_the_classes(weights):
    """Over five tables, to four points in the mean; those of the scores alone are off by more than ten."""
    off, before = [], []
    for seed in range(5):
        X, y = table(seed)
        clf = TSKClassifier(class_weight=WEIGHTS[weights], **QUICK | {"random_state": seed}).fit(X, y)
        shares = np.array([(y == name).mean() for name in clf.classes_])
        off.append(clf.predict_proba(X).mean(0) - shares)
        before.append(softmax(clf.decision_function(X), axis=1).mean(0) - shares)
    assert np.abs(off).max() < 0.08 and np.abs(np.mean(off, axis=0)).max() < 0.04, np.round(off, 3)
    assert np.abs(np.mean(before, axis=0)).max() > 0.1


def test_the_predicted_class_is_that_of_the_largest_product_of_probability_and_weight(weighted):
    clf, X, y = weighted
    given = clf.class_weight
    weights = [len(y) / (3 * (y == name).sum()) if given == "balanced" else given.get(name, 1.0) for name in clf.classes_]
    probabilities = clf.predict_proba(X)
    np.testing.assert_array_equal(clf.predict(X), clf.classes_[(probabilities * weights).argmax(1)])
    assert (clf.predict(X) != clf.classes_[probabilities.argmax(1)]).mean() > 0.05


def test_every_place_that_has_probabilities_has_these(weighted):
    clf, X, y = weighted
    expected, predicted = clf.predict_proba(X), clf.predict(X)
    confidence = expected[np.arange(len(X)), clf.classes_.searchsorted(predicted)]
    np.testing.assert_allclose(np.exp(clf.predict_log_proba(X)), expected, rtol=1e-9)
    found = predict_table(clf, X)
    np.testing.assert_allclose(found[[f"p({name})" for name in clf.classes_]], expected, rtol=1e-9)
    np.testing.assert_array_equal(found["predicted"], predicted)
    n = int(np.flatnonzero(clf.classes_[expected.argmax(1)] != predicted)[0])  # a row for which the weights decide
    why, row = clf.explain(X.iloc[n]), predict_row(clf, X.iloc[[n]])
    assert why.predicted == row.predicted == predicted[n]
    for said in (why.probabilities, row.probabilities):
        np.testing.assert_allclose([said[name] for name in clf.classes_], expected[n], rtol=1e-9)
    assert "and class weights decide" in str(why)
    metrics, kept = final_metrics(clf, clf.history_, (X, y), (X, y), list(clf.classes_), None, None)
    np.testing.assert_allclose(kept.probabilities, expected, rtol=1e-9)
    evaluated = evaluation(y, predicted, confidence, list(clf.classes_))
    assert metrics["ece"] == pytest.approx(evaluated["ece"]) and metrics["confusion"] == evaluated["confusion"]
    lines = []
    taker = type("Taker", (), {"report": lambda _, series, line: lines.append((series, json.loads(line)))})()
    recorder = EvaluationRecorder(clf, X, y, list(clf.classes_), clf.history_[-1].epoch, taker)
    recorder.add(clf.history_[-1])
    assert lines[0][1]["confusion"] == evaluated["confusion"] and lines[0][1]["ece"] == pytest.approx(evaluated["ece"], abs=1e-4)


def test_probabilities_outlast_saving_and_pickling(weighted, tmp_path):
    clf, X, _ = weighted
    clf.save(tmp_path)
    for other in (TSKClassifier.load(tmp_path), pickle.loads(pickle.dumps(clf))):  # noqa: S301 - our own
        np.testing.assert_array_equal(other.predict_proba(X), clf.predict_proba(X))
        assert other.to_dict() == clf.to_dict()
    file = tmp_path / "model.json"
    description = json.loads(file.read_text())
    for wrong in ([1.0], [0.0, 0.0, None], [0.0, 0.0, "1"], "abc", [0.0, 0.0, 1e999], True):
        file.write_text(json.dumps(description | {"log_prior": wrong}))
        with pytest.raises(ModelFileError, match="log_prior is malformed"):
            TSKClassifier.load(tmp_path)


def test_files_of_a_model_without_class_weights_do_not_know_of_it(tmp_path):
    X, y = table(1, n=120)
    clf = TSKClassifier(n_rules=2, max_epochs=2, random_state=0).fit(X, y)
    clf.save(tmp_path)
    assert "log_prior" not in (tmp_path / "model.json").read_text() and "log_prior" not in clf.to_dict()

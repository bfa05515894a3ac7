"""fit_many: a stack of classifiers learns what each of them learns alone."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

from tsk_core import TSKClassifier, fit_many
from tsk_core.errors import DataError, SettingError

ROOT = Path(__file__).parents[2]
QUICK = {"n_rules": 4, "max_epochs": 8}


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True, as_frame=True)


def variety():
    """Classifiers that differ in all that a stack allows, and in what needs a stack of its own."""
    return [
        TSKClassifier(**QUICK, random_state=0),
        TSKClassifier(**QUICK, random_state=1, ur_weight=20, l2=0.05),
        TSKClassifier(**QUICK, random_state=2, batch_norm="none", ur_target="1/R"),
        TSKClassifier(**QUICK, random_state=3, class_weight="balanced", init="random"),
        TSKClassifier(n_rules=4, max_epochs=15, random_state=4, early_stopping=True, patience=2),
        TSKClassifier(**QUICK, random_state=5, batch_norm="gbn"),
        TSKClassifier(n_rules=6, max_epochs=5, random_state=6, firing="htsk"),
    ]


@pytest.fixture(scope="module")
def fitted_alone(wine):
    return [classifier.fit(*wine) for classifier in variety()]


@pytest.mark.parametrize("threads", [1, 2, None])
def test_each_equals_its_own_fit(wine, fitted_alone, threads):
    X, y = wine
    for together, alone in zip(fit_many(variety(), X, y, threads=threads), fitted_alone, strict=True):
        np.testing.assert_allclose(together.decision_function(X), alone.decision_function(X), rtol=1e-3, atol=2e-3)
        assert together.best_epoch_ == alone.best_epoch_ == len(together.history_)
        assert together.history_[-1].loss == pytest.approx(alone.history_[-1].loss, rel=1e-4)
        assert len(together.search_history_) == len(alone.search_history_)


def test_each_may_have_its_own_rows(wine):
    X, y = wine
    rng = np.random.default_rng(0)
    rows = [np.sort(rng.permutation(len(y))[:size]) for size in (100, 100, 120)]
    models = fit_many([TSKClassifier(n_rules=5, max_epochs=60, random_state=k) for k in range(3)], X, y, rows=rows)
    for model, part in zip(models, rows, strict=True):
        assert model.history_[-1].entropy.sum() == len(part)
        rest = np.setdiff1d(np.arange(len(y)), part)
        assert model.score(X.iloc[rest], y.iloc[rest]) > 0.85
        assert model.encoder_ is models[0].encoder_
        assert "IF " in str(model.rules())


def test_a_stack_does_what_its_classifiers_do_after_being_saved(wine, tmp_path):
    X, y = wine
    model = fit_many([TSKClassifier(**QUICK, random_state=k) for k in range(2)], X, y)[1]
    model.save(tmp_path / "m")
    np.testing.assert_array_equal(TSKClassifier.load(tmp_path / "m").predict(X), model.predict(X))


def test_a_model_that_diverges_leaves_its_neighbours_alone(wine):
    X, y = wine
    exploding = TSKClassifier(n_rules=4, max_epochs=300, batch_size=200, l2=1e5, random_state=0)
    steady = TSKClassifier(n_rules=4, max_epochs=300, batch_size=200, random_state=1)
    fit_many([exploding, steady], X, y)
    assert "diverged" in exploding.stop_message_ and len(exploding.history_) < 300
    assert steady.stop_message_ == "" and len(steady.history_) == 300


def test_nothing_in_nothing_out():
    assert fit_many([], None, None) == []


def test_wrong_calls_are_refused_in_one_sentence():
    X, y = load_iris(return_X_y=True)
    one = TSKClassifier(**QUICK)
    with pytest.raises(SettingError, match="distinct"):
        fit_many([one, one], X, y)
    with pytest.raises(SettingError, match="^threads is -1; it must be a whole number of at least 1"):
        fit_many([one], X, y, threads=-1)
    with pytest.raises(SettingError, match="TSKClassifiers only"):
        fit_many([object()], X, y)
    with pytest.raises(DataError, match="one array of rows for each of the 1"):
        fit_many([one], X, y, rows=[[0, 1], [2, 3]])
    for rows in ([0], [0.5, 1.5], [0, 150], [-1, 3], [[0, 1]]):
        with pytest.raises(DataError, match="from 0 to 149"):
            fit_many([one], X, y, rows=[rows])

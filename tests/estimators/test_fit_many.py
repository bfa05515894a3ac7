"""Many trainings at once: fit_many learns what each of its classifiers learns alone, rule_stability trains one again."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from tsk_core import TSKClassifier, TSKClassifierCV, fit_many, rule_stability
from tsk_core.errors import DataError, SettingError
from tsk_core.estimators.stability import resampled

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


def test_each_equals_its_own_fit(wine, tmp_path):
    X, y = wine
    for together, alone in zip(fit_many(variety(), X, y), variety(), strict=True):
        alone.fit(X, y)
        np.testing.assert_allclose(together.decision_function(X), alone.decision_function(X), rtol=1e-3, atol=2e-3)
        assert together.best_epoch_ == alone.best_epoch_ == len(together.history_)
        assert together.history_[-1].loss == pytest.approx(alone.history_[-1].loss, rel=1e-4)
        assert len(together.search_history_) == len(alone.search_history_)
    together.save(tmp_path / "m")
    np.testing.assert_array_equal(TSKClassifier.load(tmp_path / "m").predict(X), together.predict(X))


def test_two_threads_train_what_one_does(wine):
    one, two = (
        fit_many([TSKClassifier(n_rules=4, max_epochs=1, random_state=k) for k in range(2)], *wine, threads=n)[1] for n in (1, 2)
    )
    np.testing.assert_allclose(two.decision_function(wine[0]), one.decision_function(wine[0]), rtol=1e-3, atol=2e-3)


def test_each_may_have_its_own_rows(wine):
    X, y = wine
    rng = np.random.default_rng(0)
    rows = [np.sort(rng.permutation(len(y))[:size]) for size in (100, 100, 120)]
    models = fit_many([TSKClassifier(n_rules=5, max_epochs=30, random_state=k) for k in range(3)], X, y, rows=rows)
    for model, part in zip(models, rows, strict=True):
        assert model.history_[-1].entropy.sum() == len(part)
        rest = np.setdiff1d(np.arange(len(y)), part)
        assert model.score(X.iloc[rest], y.iloc[rest]) > 0.85
        assert model.encoder_ is models[0].encoder_
        assert "IF " in str(model.rules())


def test_a_model_that_diverges_leaves_its_neighbours_alone(wine):
    X, y = wine
    exploding = TSKClassifier(n_rules=4, max_epochs=300, batch_size=200, l2=1e5, random_state=0)
    steady = TSKClassifier(n_rules=4, max_epochs=300, batch_size=200, random_state=1)
    fit_many([exploding, steady], X, y)
    assert "diverged" in exploding.stop_message_ and len(exploding.history_) < 300
    assert steady.stop_message_ == "" and len(steady.history_) == 300


def test_wrong_calls_are_refused_in_one_sentence(iris):
    X, y = iris
    assert fit_many([], None, None) == []
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


def test_rules_of_a_fitted_classifier_are_counted_by_their_numbers(of_iris, iris):
    before = of_iris.to_dict()
    found = rule_stability(of_iris, *iris, n=2, max_antecedents=2)
    assert of_iris.to_dict() == before
    assert found.seeds.of == found.bootstrap.of == 2
    assert set(found.seeds.times) == {r.index for r in of_iris.rules(2).rules if not r.dead}
    assert all(0 <= n <= 2 for n in found.seeds.times.values()) and 0 <= found.seeds.base <= 1
    assert rule_stability(of_iris, *iris, n=2, max_antecedents=2) == found


def test_well_separated_classes_with_a_rule_each_come_back_each_time():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 150)
    X = rng.normal(0, 0.3, (300, 1)) + 10.0 * y[:, None]
    found = rule_stability(TSKClassifier(n_rules=2, max_epochs=10, random_state=0, firing="softmax"), X, y, n=3)
    assert set(found.seeds.times.values()) == set(found.bootstrap.times.values()) == {3}
    assert found.seeds.base > 0.9


@pytest.mark.parametrize("wrong", [{"n": 0}, {"n": True}, {"n": 2.5}, {"max_antecedents": 0}, {"max_antecedents": 13}])
def test_wrong_numbers_and_a_search_are_refused(iris, wrong):
    with pytest.raises(SettingError, match="must be a whole number"):
        rule_stability(TSKClassifier(), *iris, **wrong)
    with pytest.raises(SettingError, match="such as a search's best_estimator_"):
        rule_stability(TSKClassifierCV(), *iris)


def test_bootstrap_samples_of_rows_that_belong_together_have_whole_groups():
    groups = np.repeat(np.arange(12), np.arange(1, 13))
    _, rows = resampled({"random_state": 0}, len(groups), 20, groups)
    for drawn in rows[20:]:
        times = np.bincount(drawn, minlength=len(groups))
        uneven = [group for group in range(12) if len(set(times[groups == group])) > 1]
        assert len(drawn) == len(groups) and len(uneven) <= 1  # the last one drawn may be cut
    assert len({tuple(drawn) for drawn in rows[20:]}) == 20

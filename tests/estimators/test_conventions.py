"""TSKClassifier keeps scikit-learn's conventions."""

import inspect
import itertools

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from tsk_core import TrainConfig, TSKClassifier, TSKClassifierCV
from tsk_core.errors import SettingError

QUICK = {"n_rules": 4, "max_epochs": 20, "random_state": 0}


@parametrize_with_checks([TSKClassifier(n_rules=3, max_epochs=40)])
def test_scikit_learns_own_checks_pass(estimator, check, monkeypatch):
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")  # without it, scikit-learn skips one
    check(estimator)


class CountingClassifierCV(TSKClassifierCV):
    """Its budget is of looks at the clock, and so the same on every machine."""

    def fit(self, X, y, sample_weight=None, *, groups=None, time=None):
        ticks = itertools.count()
        for _ in self.fit_iter(X, y, sample_weight, groups=groups, time=time, clock=lambda: float(next(ticks))):
            pass
        return self


UNMET = {"check_class_weight_classifiers": "the search takes settings that predict all classes well, whatever weighs more"}


@pytest.mark.slow
@parametrize_with_checks([CountingClassifierCV(budget=400, cv=3)], expected_failed_checks=lambda search: UNMET)
@pytest.mark.usefixtures("short_search")
def test_scikit_learns_checks_pass_for_a_search(estimator, check, monkeypatch):
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")
    check(estimator)


def test_the_model_works_where_scikit_learn_estimators_work(iris):
    X, y = iris
    pipeline = make_pipeline(StandardScaler(), TSKClassifier(**QUICK))
    assert cross_val_score(pipeline, X, y, cv=2).mean() > 0.8
    search = GridSearchCV(TSKClassifier(n_rules=2, max_epochs=5, random_state=0), {"ur_weight": [0, 10]}, cv=2)
    search.fit(X, y, sample_weight=(np.asarray(y) < 2).astype(float))  # of the third class no row counts
    assert search.best_params_["ur_weight"] in (0, 10) and set(search.best_estimator_.predict(X)) == {0, 1}
    levels = make_pipeline(TSKClassifier(**QUICK), LogisticRegression()).set_output(transform="pandas").fit(X, y)
    assert levels.score(X, y) > 0.8
    assert list(levels[-1].feature_names_in_) == ["Rule 1", "Rule 2", "Rule 3", "Rule 4"]


def test_firing_levels_come_as_a_table_once_set_output_asks(mixed):
    X, y = mixed
    X = X.set_axis(np.arange(1000, 1300))
    clf = TSKClassifier(n_rules=4, max_epochs=2, random_state=0).fit(X, y)
    plain = clf.firing_levels(X)
    assert isinstance(plain, np.ndarray) and isinstance(clf.transform(X), np.ndarray)
    levels = clf.set_output(transform="pandas").firing_levels(X)
    assert list(levels.columns) == [f"Rule {r}" for r in range(1, 5)]
    assert {rule.name for rule in clf.rules().rules} == set(levels.columns)
    assert levels.index.equals(X.index)
    np.testing.assert_array_equal(levels, plain)
    assert isinstance(clf.predict_proba(X), np.ndarray)  # only transform's output: scikit-learn's scorers index arrays
    assert isinstance(clf.set_output(transform="default").firing_levels(X), np.ndarray)


def test_the_constructor_and_the_config_have_the_same_fields_and_defaults_and_fit_checks_them(iris):
    parameters = inspect.signature(TSKClassifier.__init__).parameters
    defaults = {name: p.default for name, p in parameters.items() if name != "self"}
    assert defaults == TrainConfig().to_dict()
    with pytest.raises(SettingError, match="learning_rate"):
        TSKClassifier(learning_rate=float("nan")).fit(*iris)


def test_as_many_classes_as_half_the_rows_need_no_warning():
    X, y = np.arange(44.0)[:, None], np.repeat(np.arange(30), 2)[:44]  # scikit-learn would warn, and warnings are errors here
    assert len(TSKClassifier(n_rules=2, max_epochs=1).fit(X[:30], np.arange(30) % 20).classes_) == 20
    assert len(TSKClassifier(n_rules=2, max_epochs=1).fit(X, y).classes_) == 22

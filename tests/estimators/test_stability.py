"""rule_stability trains again and leaves the classifier as it is."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from tsk_core import TSKClassifier, TSKClassifierCV, rule_stability
from tsk_core.errors import SettingError
from tsk_core.estimators.stability import resampled


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True, as_frame=True)


def test_rules_of_a_fitted_classifier_are_counted_by_their_numbers(iris):
    X, y = iris
    clf = TSKClassifier(n_rules=3, max_epochs=15, random_state=4).fit(X, y)
    before = clf.to_dict()
    found = rule_stability(clf, X, y, n=3, max_antecedents=2)
    assert clf.to_dict() == before
    assert found.seeds.of == found.bootstrap.of == 3
    assert set(found.seeds.times) == {r.index for r in clf.rules(2).rules if not r.dead}
    assert all(0 <= n <= 3 for n in found.seeds.times.values()) and 0 <= found.seeds.base <= 1
    assert rule_stability(clf, X, y, n=3, max_antecedents=2) == found


def test_well_separated_classes_with_a_rule_each_come_back_each_time():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 150)
    X = rng.normal(0, 0.3, (300, 1)) + 10.0 * y[:, None]
    found = rule_stability(TSKClassifier(n_rules=2, max_epochs=10, random_state=0, firing="softmax"), X, y, n=4)
    assert set(found.seeds.times.values()) == set(found.bootstrap.times.values()) == {4}
    assert found.seeds.base > 0.9


@pytest.mark.parametrize("wrong", [{"n": 0}, {"n": True}, {"n": 2.5}, {"max_antecedents": 0}, {"max_antecedents": 13}])
def test_wrong_numbers_are_refused(iris, wrong):
    with pytest.raises(SettingError, match="must be a whole number"):
        rule_stability(TSKClassifier(), *iris, **wrong)


def test_a_search_is_refused(iris):
    with pytest.raises(SettingError, match="such as a search's best_estimator_"):
        rule_stability(TSKClassifierCV(), *iris)


def test_the_other_seeds_go_on_after_the_largest():
    models, _ = resampled({"random_state": 2**32 - 1}, 10, 2)
    assert [model.training_config().random_state for model in models] == [0, 1, 2**32 - 1, 2**32 - 1]


def test_bootstrap_samples_of_rows_that_belong_together_have_whole_groups():
    groups = np.repeat(np.arange(12), np.arange(1, 13))
    _, rows = resampled({"random_state": 0}, len(groups), 20, groups)
    for drawn in rows[20:]:
        times = np.bincount(drawn, minlength=len(groups))
        uneven = [group for group in range(12) if len(set(times[groups == group])) > 1]
        assert len(drawn) == len(groups) and len(uneven) <= 1  # the last one drawn may be cut
    assert len({tuple(drawn) for drawn in rows[20:]}) == 20

"""The stability of a simplified classifier is that of the whole way it came about."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from tsk_core import TSKClassifier, fit_many, rule_stability
from tsk_core.errors import SettingError
from tsk_core.explain.stability import sentences_of, stability_of, words_by_feature

SIZE = {"max_rules": 3, "max_conditions": 1, "score_terms": 2}


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True, as_frame=True)


@pytest.fixture(scope="module")
def full(iris):
    return TSKClassifier(n_rules=5, max_epochs=15, random_state=4).fit(*iris)


def slow_stability(iris, full, n, options):
    """Each training and each simplification by hand."""
    X, y = iris
    random, seed = np.random.default_rng(4), full.random_state
    rows = [np.arange(150)] * (n + 1) + [np.sort(random.integers(0, 150, 150)) for _ in range(n)]
    seeds = [seed, *(seed + k for k in range(1, n + 1)), *[seed] * n]
    models = fit_many([TSKClassifier(**full.get_params() | {"random_state": s}) for s in seeds], X, y, rows=rows, threads=1)
    small = [m.simplify(X.iloc[r], y.iloc[r], **options) for m, r in zip(models, rows, strict=True)]
    Z = X.to_numpy(float)
    words = words_by_feature(small[0].to_dict()["columns"], Z)
    texts = [sentences_of(m.to_dict(), Z[r], y.to_numpy()[r], words) for m, r in zip(small, rows, strict=True)]
    return small[0], stability_of(texts[0], texts[1 : n + 1], texts[n + 1 :], 2)


def test_each_training_is_simplified_as_the_classifier_was(iris, full):
    small = full.simplify(*iris, **SIZE)
    own, expected = slow_stability(iris, full, 3, SIZE)
    assert own.to_dict() == small.to_dict()
    found = rule_stability(small, *iris, n=3, max_antecedents=2)
    assert found == expected
    assert len(found.seeds.times) <= 3


def test_it_is_the_same_after_saving_and_loading(iris, full, tmp_path):
    small = full.simplify(*iris, **SIZE)
    small.save(tmp_path)
    loaded = TSKClassifier.load(tmp_path)
    assert loaded.pipeline_ == small.pipeline_ and loaded.pipeline_.config.n_rules == 5
    assert rule_stability(loaded, *iris, n=1, max_antecedents=2) == rule_stability(small, *iris, n=1, max_antecedents=2)


def test_the_size_that_a_search_found_stands_in_place_of_the_search(iris, full):
    small = full.simplify(*iris, max_rules=2, max_conditions=1, score_terms="auto")
    (options,), size = small.pipeline_.options, small.simplification_.search.chosen.size
    assert (options.max_rules, options.max_conditions, options.score_terms) == (size.rules, size.conditions, size.terms)


def test_a_classifier_that_was_simplified_twice_is_simplified_twice_again(iris, full):
    twice = full.simplify(*iris, **SIZE).simplify(*iris, max_rules=2, max_conditions=1, score_terms=1)
    assert len(twice.pipeline_.options) == 2 and twice.pipeline_.config.n_rules == 5
    assert len(rule_stability(twice, *iris, n=1).seeds.times) <= 2


@pytest.mark.parametrize("without", [(2,), ((1, "petal width (cm)"),)])
def test_without_rules_chosen_by_number_it_says_that_it_cannot_be_repeated(iris, full, without):
    small = full.simplify(*iris, max_rules=5, max_conditions=4, score_terms=None, without=without)
    with pytest.raises(SettingError, match=r"by their numbers; another training has other rules"):
        rule_stability(small, *iris, n=1)

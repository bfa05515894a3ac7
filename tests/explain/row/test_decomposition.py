"""The parts of a score add up to it, by rule and by feature."""

import numpy as np
from hypothesis import given

from tests.explain.examples import base, number, rule, slow_scores
from tests.explain.row.mixed import features_of, mixed_bases
from tsk_core.explain.labels import rounded_to_sum
from tsk_core.explain.row import decompose, row_features
from tsk_core.explain.row.features import typical_row


@given(mixed_bases)
def test_rules_and_features_each_add_up_to_the_score(case):
    rules, Z = case
    typical, features = typical_row(rules["columns"]), features_of(rules, Z)
    for x in Z[:3]:
        found, expected = decompose(rules, x, typical, features), np.array(slow_scores(rules, x))
        close = {"rtol": 1e-9, "atol": 1e-9 * (1 + np.abs(found.by_feature).max())}
        np.testing.assert_allclose(found.by_rule.sum(0), expected, **close)
        np.testing.assert_allclose(found.typical + found.by_firing + found.by_feature.sum(0), expected, **close)
        centred = found.centred()
        np.testing.assert_allclose(centred.by_rule.sum(0), expected - expected.mean(), **close)
        np.testing.assert_allclose(centred.by_feature.sum(1), 0, **close)


def test_printed_numbers_add_up_as_printed():
    rng = np.random.default_rng(0)
    for _ in range(200):
        values = rng.normal(size=rng.integers(1, 9))
        shown = rounded_to_sum(values)
        assert round(sum(round(100 * v) for v in shown)) == round(100 * values.sum())
        assert np.abs(np.array(shown) - values).max() < 0.0101


def test_the_many_features_of_constant_rules_share_the_score_and_those_that_change_nothing_have_none():
    rng = np.random.default_rng(0)
    D, unused, same = 18, 16, 17
    rules = []
    for _ in range(5):
        sigmas = [None if d == unused else float(s) for d, s in enumerate(rng.uniform(0.5, 3, D))]
        rules.append(rule(rng.normal(size=D).tolist(), sigmas, [[float(v)] + [0.0] * D for v in rng.normal(size=3)]))
    columns = [number(f"x{d}") | {"impute": 0.0} for d in range(D)]
    base_of_rules = base(columns, rules, ["a", "b", "c"])
    x, typical = rng.normal(size=D), np.zeros(D)
    x[same] = 0
    features = row_features(columns, np.ones(D), -3 * np.ones(D), 3 * np.ones(D))
    found = decompose(base_of_rules, x, typical, features)
    assert found.shared and not found.by_firing.any()
    np.testing.assert_allclose(found.typical + found.by_feature.sum(0), slow_scores(base_of_rules, x), atol=1e-12)
    assert not found.by_feature[[unused, same]].any() and (np.abs(found.by_feature).max(1) > 0).sum() == 16

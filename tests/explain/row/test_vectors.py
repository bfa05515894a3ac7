"""The explanation of a row says what the shared vectors say, as the browser's does (tests/client/row_explanation.test.js)."""

import json

import numpy as np
import pytest

from tests.vectors.row_explanation import FILE, make
from tsk_core.explain import contributions
from tsk_core.explain.row import RowFeature, decompose

CASES = json.loads(FILE.read_text(encoding="utf-8"))
cases = pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])


def features_of(case):
    return [RowFeature(**one | {name: tuple(one[name]) for name in ("columns", "categories")}) for one in case["features"]]


def test_the_file_is_what_the_formulas_give():
    for case, made in zip(CASES, make(search=False), strict=True):
        assert case["name"] == made["name"] and case["rules"] == made["rules"]
        for row, expected in zip(case["rows"], made["rows"], strict=True):
            for name in ("firing", "scores", "by_feature"):
                np.testing.assert_allclose(row[name], expected[name], rtol=1e-9, atol=1e-12)


@cases
def test_firing_levels_scores_and_contributions(case):
    found = contributions(case["rules"], np.array([row["x"] for row in case["rows"]]))
    for n, row in enumerate(case["rows"]):
        for name in ("firing", "scores", "entropy", "effective"):
            np.testing.assert_allclose(getattr(found, name)[n], row[name], rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(found.contribution[n], row["contributions"], rtol=1e-9, atol=1e-12)
        assert found.scores[n].argmax() == row["predicted"]


@cases
def test_parts_of_the_scores(case):
    typical = np.array(case["typical_row"])
    for row in case["rows"]:
        found = decompose(case["rules"], np.array(row["x"]), typical, features_of(case))
        np.testing.assert_allclose(found.by_rule, row["contributions"], rtol=1e-9, atol=1e-12)
        for name in ("typical", "by_firing", "by_feature"):
            np.testing.assert_allclose(getattr(found, name), row[name], rtol=1e-9, atol=1e-12)

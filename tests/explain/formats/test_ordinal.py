"""Every format that predicts takes ordered categories: code as their words, fuzzy systems as their ranks."""

import numpy as np
import pandas as pd
import pytest

from tests.explain.examples import base, number, rule
from tests.explain.formats.readers import CODE, SYSTEMS, taken_columns, taken_features
from tests.explain.formats.test_predicting import HOSTILE, assert_alike, raw
from tsk_core import TSKClassifier
from tsk_core.explain import FORMATS, scores

SIZES = ["small", "medium", "large"]
READABLE = {"consequents": "constant", "max_conditions": 2, "l1": 0.002, "batch_norm": "none"}


@pytest.fixture(scope="module", params=[{}, READABLE], ids=["linear", "constant"])
def trained(request):
    """A model of a number and two ordered features, rows with missing and unseen categories, and the model's scores, (N, C)."""
    rng = np.random.default_rng(0)
    sizes, grades, weight = rng.choice(SIZES, 120), rng.choice(["1", "2", "3", "4"], 120), rng.normal(5, 1, 120)
    y = np.array([f"c{(SIZES.index(s) + int(g) + int(w > 5)) % 3}" for s, g, w in zip(sizes, grades, weight, strict=True)])
    X = pd.DataFrame({
        "size": pd.Categorical(sizes, SIZES, ordered=True),
        "weight": weight,
        "grade": pd.Categorical(grades, ["1", "2", "3", "4"], ordered=True),
    })  # fmt: skip
    clf = TSKClassifier(5, **request.param, max_epochs=8, batch_size=32, random_state=0).fit(X, y)
    X = X.astype({"size": object, "grade": object})
    X.loc[::9, "size"], X.loc[::7, "grade"], X.loc[3, "size"] = None, None, "unseen"
    return clf, X, clf.decision_function(X)


@pytest.mark.parametrize("name", CODE)
def test_code_takes_ordered_categories_as_words(trained, name, tmp_path):
    clf, X, expected = trained
    rules = clf.to_dict()
    rows = [{one.name: row[one.name] for one in taken_features(rules)} for row in raw(X)]
    found = CODE[name](clf.export(name), rules, rows, tmp_path)
    assert_alike(found, clf.predict(X), expected, 1e-12)


@pytest.mark.parametrize("name", SYSTEMS)
def test_fuzzy_systems_take_ordered_categories_as_ranks_and_name_them(trained, name):
    clf, X, expected = trained
    text, Z = clf.export(name), clf.encoder_.transform(X)[:, taken_columns(clf.to_dict())]
    np.testing.assert_allclose(SYSTEMS[name](text, Z), expected, rtol=0, atol=1e-12 * (1 + np.abs(expected).max()))
    assert "size (0 is small, 1 is medium, 2 is large); 1 where it is missing" in text


@pytest.mark.parametrize("slope", [0.0, 1.0], ids=["constant", "linear"])
@pytest.mark.parametrize("name", CODE)
def test_names_of_ordered_categories_are_data(name, slope, tmp_path):
    rng, K = np.random.default_rng(3), len(HOSTILE)
    columns = [{**number("kind"), "levels": HOSTILE, "impute": 4}, number("size")]
    consequents = [[[constant, slope, -slope] for constant in rng.normal(size=2)] for _ in range(3)]
    rules = base(columns, [rule([9.0 * r, 0.0], [5.0, 1.0], own) for r, own in enumerate(consequents)], ["a", "b"])
    Z = np.column_stack([[*range(K), 4, 4], rng.normal(size=K + 2)])
    rows = [{"kind": kind, "size": z} for kind, z in zip([*HOSTILE, "unknown", None], Z[:, 1].tolist(), strict=True)]
    expected = scores(rules, Z)
    found = CODE[name](FORMATS[name].write(rules), rules, rows, tmp_path)
    assert_alike(found, [rules["classes"][k] for k in expected.argmax(1)], expected, 1e-12)


def test_a_sentence_of_code_names_the_ordered_categories_that_hold():
    columns = [{**number("size"), "levels": SIZES, "impute": 1}]
    conditions = [rule([-0.4], [1.3], [[1.0, 0.0], [0.0, 0.0]]), rule([2.0], [0.5], [[0.0, 0.0], [1.0, 0.0]])]
    text = FORMATS["python"].write(base(columns, conditions, ["a", "b"]))
    assert "# Rule 1: IF size is small or medium THEN a" in text
    assert "# Rule 2: IF size is large THEN b" in text

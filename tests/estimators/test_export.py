"""The exported rules, recomputed without the model."""

import json

import numpy as np
import pandas as pd
import pytest

from tests.explain.examples import slow_firing, slow_scores
from tsk_core import TSKClassifier
from tsk_core.errors import DataError

QUICK = {"n_rules": 4, "max_epochs": 10, "random_state": 0}


def encoded_by_hand(rules, table):
    """The cleaned table as the export's columns describe it."""
    columns = []
    for column in rules["columns"]:
        values = table[column["feature"]]
        values = values.where(values.notna(), column["impute"])
        columns.append(values.astype(float) if column["kind"] == "number" else (values == column["category"]).astype(float))
    return np.column_stack(columns)


@pytest.mark.parametrize(
    ("batch_norm", "layer_norm", "firing"),  # each value of each; their product is tested of the rules themselves (tests/model)
    [
        *((bn, "none", "softmax") for bn in ("none", "bn", "gbn", "rbn")),
        *(("bn", "none", firing) for firing in ("paper", "htsk", "scaled", "log")),
        ("bn", "relu", "scaled"),
    ],
)
def test_exported_rules_decide_as_the_model_does(mixed, batch_norm, layer_norm, firing):
    X, y = mixed
    clf = TSKClassifier(**QUICK, batch_norm=batch_norm, firing=firing, layer_norm=layer_norm).fit(X, y)
    rules = json.loads(json.dumps(clf.to_dict(), allow_nan=False))
    Z = encoded_by_hand(rules, X)
    scores, levels = (np.array([slow(rules, row) for row in Z]) for slow in (slow_scores, slow_firing))
    np.testing.assert_allclose(levels, clf.firing_levels(X), atol=1e-8)
    np.testing.assert_allclose(scores[:, 1] - scores[:, 0], clf.decision_function(X), atol=1e-4 * (1 + np.abs(scores).max()))
    assert (np.array(rules["classes"])[scores.argmax(1)] == clf.predict(X)).all()


def test_exported_rules_stay_exact_on_columns_like_a_unix_time():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"time": 1.7e9 + rng.normal(size=200), "tiny": 1e-9 * rng.normal(size=200)})
    y = (X["time"] > 1.7e9).astype(int)
    clf = TSKClassifier(**QUICK).fit(X, y)
    scores = np.array([slow_scores(clf.to_dict(), row) for row in X.to_numpy()])
    np.testing.assert_allclose(scores[:, 1] - scores[:, 0], clf.decision_function(X), atol=1e-4 * (1 + np.abs(scores).max()))
    assert clf.score(X, y) > 0.9


def test_a_layer_normalised_row_is_explained_by_parts_that_add_up_and_some_formats_refuse_the_model(mixed):
    X, y = mixed
    clf = TSKClassifier(**QUICK, layer_norm="relu").fit(X, y)
    parts, scores = clf.contributions(X[:5]), clf.model_.scores(X[:5])
    np.testing.assert_allclose(parts.contribution.sum(1), scores, rtol=0, atol=1e-9 * np.abs(scores).max())
    np.testing.assert_allclose(parts.firing.sum(1), 1)
    assert np.abs(parts.weights.sum(1) - 1).max() > 0.01
    explained = clf.explain(X.iloc[0])
    np.testing.assert_allclose(list(explained.probabilities.values()), clf.predict_proba(X[:1])[0], atol=1e-9)
    for source in (clf, clf.rules(2)):
        with pytest.raises(DataError, match="cannot hold layer-normalised firing levels; export JSON instead"):
            source.export("c")

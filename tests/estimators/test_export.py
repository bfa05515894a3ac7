"""The exported rules, recomputed without the model."""

import json

import numpy as np
import pandas as pd
import pytest

from tsk_core import TSKClassifier

QUICK = {"n_rules": 4, "max_epochs": 20, "random_state": 0}


def recompute(rules, Z):
    """Scores and firing levels from the exported dictionary, with loops and nothing but NumPy."""
    all_scores, all_firing = [], []
    for x in Z:
        z = []
        for rule in rules["rules"]:
            total = rule["log_weight"]
            for value, center, sigma in zip(x, rule["centers"], rule["sigmas"], strict=True):
                if sigma is not None:
                    total -= (value - center) ** 2 / (2 * sigma**2)
            z.append(total)
        z = np.array(z)
        if rules["normalisation"]["kind"] == "paper":
            firing = np.exp(z) / (np.exp(z).sum() + rules["normalisation"]["epsilon"])
        elif rules["normalisation"]["kind"] == "log":
            firing = 1 / (rules["normalisation"]["epsilon"] - z)
            firing /= firing.sum()
        else:
            firing = np.exp(z - z.max()) / np.exp(z - z.max()).sum()
        outputs = np.array([[b[0] + np.dot(b[1:], x) for b in rule["consequents"]] for rule in rules["rules"]])
        all_scores.append(firing @ outputs)
        all_firing.append(firing)
    return np.array(all_scores), np.array(all_firing)


def encoded_by_hand(rules, table):
    """The cleaned table as the export's columns describe it."""
    columns = []
    for column in rules["columns"]:
        values = table[column["feature"]]
        values = values.where(values.notna(), column["impute"])
        columns.append(values.astype(float) if column["kind"] == "number" else (values == column["category"]).astype(float))
    return np.column_stack(columns)


@pytest.mark.parametrize("firing", ["softmax", "paper", "htsk", "scaled", "log"])
@pytest.mark.parametrize("batch_norm", ["none", "bn", "gbn", "rbn"])
def test_exported_rules_decide_as_the_model_does(mixed, batch_norm, firing):
    X, y = mixed
    clf = TSKClassifier(**QUICK, batch_norm=batch_norm, firing=firing).fit(X, y)
    rules = json.loads(json.dumps(clf.to_dict(), allow_nan=False))
    scores, levels = recompute(rules, encoded_by_hand(rules, X))
    np.testing.assert_allclose(levels, clf.firing_levels(X), atol=1e-8)
    np.testing.assert_allclose(scores[:, 1] - scores[:, 0], clf.decision_function(X), atol=1e-4 * (1 + np.abs(scores).max()))
    assert (np.array(rules["classes"])[scores.argmax(1)] == clf.predict(X)).all()


def test_exported_rules_stay_exact_on_columns_like_a_unix_time():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"time": 1.7e9 + rng.normal(size=200), "tiny": 1e-9 * rng.normal(size=200)})
    y = (X["time"] > 1.7e9).astype(int)
    clf = TSKClassifier(**QUICK).fit(X, y)
    scores, _ = recompute(clf.to_dict(), X.to_numpy())
    np.testing.assert_allclose(scores[:, 1] - scores[:, 0], clf.decision_function(X), atol=1e-4 * (1 + np.abs(scores).max()))
    assert clf.score(X, y) > 0.9

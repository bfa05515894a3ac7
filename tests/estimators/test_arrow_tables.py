"""Tables of other libraries, which give their columns as Arrow, are taken as the DataFrame of the same names and cells."""

import numpy as np
import pyarrow as pa
import pytest

from tsk_core import TSKClassifier, TSKClassifierCV, explain_with_rules, rule_stability

QUICK = {"n_rules": 3, "max_epochs": 3, "random_state": 0}


@pytest.fixture(scope="module")
def table(mixed):
    """Numbers, text categories and gaps, without an index."""
    return pa.Table.from_pandas(mixed[0], preserve_index=False), mixed[1]


def test_a_model_of_an_arrow_table_is_that_of_the_same_dataframe(mixed, table):
    X, y = table
    model, same = TSKClassifier(**QUICK).fit(X, y), TSKClassifier(**QUICK).fit(*mixed)
    assert list(model.feature_names_in_) == ["size", "colour", "wheels"]
    np.testing.assert_array_equal(model.predict_proba(X), same.predict_proba(mixed[0]))
    assert str(model.rules(2, X, y)) == str(same.rules(2, *mixed))
    assert model.score(X, y) == same.score(*mixed)
    assert str(model.explain(X.slice(0, 1))) == str(same.explain(mixed[0].iloc[:1]))
    assert str(model.make_readable(X, y).rules()) == str(same.make_readable(*mixed).rules())


def test_everything_that_takes_rows_takes_an_arrow_table(mixed, table, monkeypatch):
    monkeypatch.setitem(TSKClassifierCV.fit_iter.__kwdefaults__, "clock", lambda: 0.0)  # the search ends by its work alone
    X, y = table
    model = TSKClassifier(**QUICK).fit(X, y)
    assert explain_with_rules(model, X, X_test=X).fidelity == explain_with_rules(model, mixed[0], X_test=mixed[0]).fidelity
    assert rule_stability(model, X, y, n=2) == rule_stability(model, *mixed, n=2)
    tuned = TSKClassifierCV(budget=1, cv=3, random_state=0).fit(X, y)
    np.testing.assert_array_equal(tuned.predict(X), tuned.predict(mixed[0]))

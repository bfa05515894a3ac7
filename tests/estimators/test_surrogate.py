"""explain_with_rules: how far rules are another classifier is counted on rows that they were not trained on."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from tsk_core import explain_with_rules
from tsk_core.errors import DataError, SettingError
from tsk_core.estimators import surrogate
from tsk_core.evaluate.intervals import wilson


class Silent:
    """A classifier that predicts no class for every other row."""

    def predict(self, X):
        return np.where(np.arange(len(X)) % 2, "a", np.array(None, dtype=object))


class Known:
    """A classifier that two sentences describe: "large" above 0.3 in the first feature, else "small"."""

    def predict(self, X):
        return np.where(np.asarray(X)[:, 0] > 0.3, "large", "small")


@pytest.fixture(scope="module")
def rows():
    return np.random.default_rng(0).normal(size=(300, 3))


@pytest.fixture(scope="module")
def found(rows):
    return explain_with_rules(Known(), rows, max_rules=3, max_conditions=1, max_epochs=60, random_state=1)


@pytest.fixture(scope="module")
def forest():
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = RandomForestClassifier(30, random_state=0).fit(X[::2], y[::2])
    return model, X[::2], X[1::2]


@pytest.fixture(scope="module")
def of_forest(forest):
    model, X, X_test = forest
    return explain_with_rules(model, X, X_test, max_rules=2, max_conditions=1, max_epochs=40)  # too few for three classes


def test_rules_that_can_be_the_model_nearly_are_measured_on_rows_that_do_not_train(rows, found):
    assert found.fidelity > 0.93 and found.constant < 0.9
    assert set(found.classifier.classes_) == {"large", "small"} and 1 <= found.conditions <= 3
    again = explain_with_rules(Known(), rows, max_rules=3, max_conditions=1, max_epochs=60, random_state=1)
    assert str(again) == str(found)
    trained, measured = ({tuple(row) for row in part[0]} for part in (found._train, found._test))
    assert not trained & measured and len(trained) + len(measured) == len(rows) and found.n_rows == 90


def test_fidelity_and_disagreements_are_what_a_reader_counts_on_the_test_rows(forest, of_forest):
    model, _, X_test = forest
    same = model.predict(X_test) == of_forest.classifier.predict(X_test)
    assert (of_forest.n_rows, of_forest.fidelity) == (len(X_test), same.mean())
    assert of_forest.interval == wilson(same.sum(), len(X_test))
    listed = of_forest.disagreements
    assert len(listed) > 0
    assert sorted(listed.index) == sorted(X_test.index[~same])
    assert (listed["model"] == model.predict(listed[X_test.columns])).all() and (listed["model"] != listed["rules"]).all()
    assert listed["probability"].is_monotonic_decreasing
    assert np.allclose(listed["probability"], model.predict_proba(listed[X_test.columns]).max(1))


def test_groups_stay_whole_and_rows_without_one_are_groups_of_their_own(rows):
    groups, numbered = np.arange(300) // 30, np.c_[rows, np.arange(300)]
    quick = partial(explain_with_rules, Known(), numbered, max_rules=2, max_epochs=1, test_size=0.3)
    split = quick(groups=groups)
    trained, measured = ({groups[int(row[-1])] for row in part[0]} for part in (split._train, split._test))
    assert not trained & measured and len(measured) == 3
    some = [None, *np.repeat(["a", "b", "c"], 50), *[None] * 149]
    split = quick(groups=some)
    trained, measured = ({some[int(row[-1])] for row in part[0]} - {None} for part in (split._train, split._test))
    assert not trained & measured


def test_intervals_draw_whole_groups():
    rng, groups = np.random.default_rng(0), np.repeat(np.arange(20), 25)
    X = np.c_[rng.normal(size=(20, 2))[groups] + 0.1 * rng.normal(size=(500, 2)), rng.normal(size=500)]
    model = DecisionTreeClassifier(max_depth=2).fit(X, groups % 3)
    made = partial(explain_with_rules, model, X, max_rules=2, max_conditions=1, max_epochs=15)
    by_group, by_row = made(groups=groups), made()
    widths = [found.interval.high - found.interval.low for found in (by_group, by_row)]
    assert widths[0] > 2 * widths[1] and by_group.interval != wilson(by_group.fidelity * by_group.n_rows, by_group.n_rows)
    assert by_group.rules().rules and by_group.stability(n=1).seeds.of == 1


def test_the_probability_is_that_of_the_class_that_the_model_predicts(forest):
    """Which need not be the most probable one (FixedThresholdClassifier)."""
    model, X, _ = forest
    for k in range(3):
        found = surrogate._probabilities(model, X, np.full(len(X), k))
        np.testing.assert_array_equal(found, model.predict_proba(X)[:, k])
    assert np.isnan(surrogate._probabilities(model, X, np.full(len(X), 3))).all()


def test_a_pipeline_of_a_table_with_categories_and_missing_values_is_explained():
    rng = np.random.default_rng(3)
    X = pd.DataFrame({"colour": rng.choice(["red", "green", "blue"], 200), "size": rng.normal(size=200)})
    y = np.where((X["colour"] == "red") & (X["size"] > 0), "yes", "no")
    encode = make_column_transformer((OneHotEncoder(), ["colour"]), remainder="passthrough")
    model = make_pipeline(encode, RandomForestClassifier(30, random_state=0)).fit(X, y)
    X.loc[::9, "size"] = np.nan
    assert explain_with_rules(model, X, max_rules=6, max_epochs=100, class_weight="balanced").fidelity > 0.75


@pytest.mark.usefixtures("short_readable", "short_search")
def test_a_search_takes_the_size_in_place_of_the_arguments(rows):
    searched = explain_with_rules(Known(), rows, search=True, budget=1e6, max_rules=11)
    assert searched.fidelity > 0.85 and searched.classifier.get_params()["consequents"] == "constant"
    assert searched.classifier.n_rules < 11 and searched.classifier.max_conditions <= 3


@pytest.mark.parametrize(
    ("model", "error", "said"),
    [
        (object(), SettingError, "of the type object, which has no method predict"),
        (LinearRegression().fit(np.eye(3), [0.1, 0.2, 0.7]), DataError, "does not predict one class for each row"),
        (type("Constant", (), {"predict": lambda self, X: np.full(len(X), "k")})(), DataError, "predicts 'k' for every row"),
        (Silent(), DataError, "predicts no class for some rows"),
        (type("Many", (), {"predict": lambda self, X: np.zeros((len(X), 2))})(), DataError, "one class for each row"),
    ],
    ids=["no model", "regressor", "constant", "no class", "several targets"],
)
def test_what_rules_cannot_explain_is_named(rows, model, error, said):
    with pytest.raises(error, match=said):
        explain_with_rules(model, rows)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"max_rules": 0}, "^n_rules is 0;"),
        ({"max_conditions": 0}, "^max_conditions is 0;"),
        ({"shrinkage": -1}, "^shrinkage is -1.0;"),
        ({"random_state": "one"}, "^random_state is 'one';"),
        ({"search": 1}, "^search is 1;"),
        ({"search": True, "l2": 0.1}, "^l2 has no effect with search=True"),
        ({"test_size": 1.5}, "^test_size is 1.5; it must be between 0 and 1"),
        ({"speed": 3}, "^Unknown setting 'speed';"),
    ],
    ids=str,
)
def test_an_impossible_option_is_named(rows, options, said):
    with pytest.raises(SettingError, match=said):
        explain_with_rules(Known(), rows, **options)


def test_columns_of_x_keep_their_names_in_the_disagreements(rows):
    X = pd.DataFrame(np.asarray(rows)[:, :2], columns=["model", "rules"])
    listed = explain_with_rules(Known(), X, max_rules=2, max_conditions=1, max_epochs=1).disagreements
    assert list(listed.columns) == ["model", "rules", "model (2)", "rules (2)", "probability"]
    assert listed[["model", "rules"]].equals(X.loc[listed.index])


@pytest.mark.parametrize(("X", "said"), [(csr_array(np.eye(9)), "X is a sparse matrix"), (np.zeros((4, 2)), "X has 4 rows")])
def test_rows_that_cannot_be_explained_are_refused_in_a_sentence(X, said):
    with pytest.raises(DataError, match=said):
        explain_with_rules(Known(), X)

"""One new row: what may be entered, its typical values, and why it gets its class."""

import datetime

import numpy as np
import pandas as pd
import pytest

from tsk_core import TSKClassifier
from tsk_core.data import Choices, make_dataset
from tsk_core.data.clean.dates import DateFormat
from tsk_core.predict.new_row import fields_of, predict_row, row_of
from tsk_core.predict.prediction import predict_table


def table(rows=60):
    """A column of each kind, the classes told by most of them."""
    noise = np.random.default_rng(0)
    c = np.arange(rows) % 2
    return pd.DataFrame(
        {
            "mass": [f"{10 * k + n:.1f} kg" for k, n in zip(c, noise.random(rows), strict=True)],
            "colour": np.where(c, "red", "blue"),
            "smoker": np.where(noise.random(rows) < 0.5, "TRUE", "false"),
            "year": pd.to_datetime("2001-01-01") + pd.to_timedelta(400 * np.arange(rows) % 5000, "D"),
            "day": [f"{1 + k % 28:02d}.0{3 + k % 2}.2023" for k in range(rows)],
            "moment": [f"2023-03-05 {k % 24:02d}:{k % 60:02d}" for k in range(rows)],
            "time": [f"{8 + k % 12}:30" for k in range(rows)],
            "note": [f"text {k}" if k % 3 else None for k in range(rows)],
            "kind": np.where(c, "heavy", "light"),
        }
    )


@pytest.fixture(scope="module")
def model():
    dataset = make_dataset(table(), name="t", choices=Choices(target="kind", roles={"note": "ignored"}, flags=("note",)))
    classifier = TSKClassifier(n_rules=3, max_epochs=40, batch_size=16, random_state=0).fit(dataset.X, dataset.y)
    classifier.cleaning_ = dataset.cleaning
    return classifier


def test_each_kind_of_column_has_its_own_way_to_be_entered(model):
    fields = {field.column: field for field in fields_of(model)}
    kinds = {name: field.kind for name, field in fields.items()}
    assert kinds == {
        "mass": "number", "colour": "category", "smoker": "category", "year": "date", "day": "date", "moment": "moment",
        "time": "clock", "note": "presence",
    }  # fmt: skip
    assert (fields["mass"].unit, fields["mass"].step) == ("kg", 0.1)
    assert fields["colour"].categories == ("blue", "red")
    assert fields["smoker"].categories == ("False", "True")
    assert isinstance(fields["time"].typical, datetime.time) and isinstance(fields["moment"].typical, datetime.datetime)
    assert fields["day"].typical.year == 2023 and 2001 <= fields["year"].typical.year <= 2014


def test_what_is_entered_becomes_what_the_same_cells_of_a_table_become(model):
    raw = table().iloc[[7]]
    entered = {
        "mass": float(raw["mass"].iloc[0].removesuffix(" kg")), "colour": raw["colour"].iloc[0], "smoker": "False",
        "year": raw["year"].iloc[0].date(), "day": datetime.date(2023, 4, 8), "moment": datetime.datetime(2023, 3, 5, 7, 7),
        "time": datetime.time(15, 30), "note": "known",
    }  # fmt: skip
    typed = model.clean(row_of(fields_of(model), entered))
    cells = model.clean(raw.assign(smoker="false"))
    assert typed.to_dict("records") == cells.to_dict("records")
    assert model.clean(raw).shape == typed.shape


def test_empty_fields_are_missing_and_typical_values_are_close_to_what_replaces_them(model):
    fields = fields_of(model)
    missing = row_of(fields, {})
    assert model.clean(missing).drop(columns="note is missing").isna().all(axis=None)
    assert model.clean(missing)["note is missing"].tolist() == ["yes"]
    typical = row_of(fields, {field.column: field.typical for field in fields if field.column != "note"})
    encoded = [model.encode(row)[0] for row in (missing, typical)]
    assert encoded[0] == pytest.approx(encoded[1], abs=0.02)  # in standard deviations


@pytest.mark.parametrize(
    ("format", "moment"),
    [
        (DateFormat("%Y-%m-%d", "years"), np.datetime64("1999-07-02T12:34:56")),
        (DateFormat("%Y-%m-%d", "days", "2023-01-05"), np.datetime64("2022-12-31T18:00:00")),
        (DateFormat("%Y-%m-%d", "hours", "2023-01-05"), np.datetime64("2023-01-06T05:06:07")),
        (DateFormat("", "clock"), np.timedelta64(8 * 3600 + 61, "s")),
    ],
)
def test_a_moment_is_found_again_from_its_number(format, moment):
    assert abs(format.moment(float(format.numbers(np.array([moment]))[0])) - moment) <= np.timedelta64(1, "s")


@pytest.mark.parametrize("number", [-1e9, 0.5, 1e9, np.nan, np.inf])
def test_a_number_that_is_no_moment_gives_none(number):
    assert np.isnat(DateFormat("%Y-%m-%d", "years").moment(number))
    assert np.isnat(DateFormat("%Y-%m-%d", "days", "2023-01-05").moment(number)) == (number != 0.5)


def test_a_row_is_predicted_as_in_a_table_and_the_contributions_of_its_rules_add_up(model):
    row = table().iloc[[3]].drop(columns="kind")
    prediction, written = predict_row(model, row), predict_table(model, row)
    assert prediction.predicted == written["predicted"].iloc[0]
    assert prediction.probabilities == {name: written[f"p({name})"].iloc[0] for name in prediction.probabilities}
    assert list(prediction.probabilities.values()) == sorted(prediction.probabilities.values(), reverse=True)
    assert prediction.leading.index == written["rule"].iloc[0]
    assert prediction.leading.adds == max(rule.adds for rule in prediction.rules)
    levels = model.contributions(model.clean(row)).firing[0]
    assert [rule.index for rule in prediction.rules] == [r + 1 for r in np.argsort(-levels)]  # by firing
    assert prediction.warning == written["warning"].iloc[0] == ""
    # Of all three rules: firing levels sum to 1, and what they add is how far the score of the class lies above the mean.
    X = model.clean(row)
    difference = float(np.atleast_1d(model.decision_function(X))[0])
    assert sum(rule.firing for rule in prediction.rules) == pytest.approx(1)
    assert sum(rule.adds for rule in prediction.rules) == pytest.approx(abs(difference) / 2)
    assert prediction.effective == pytest.approx(model.contributions(X).effective[0])


def test_the_memberships_of_a_row_in_a_rules_conditions_are_its_gaussians(model):
    row, dataset = table().iloc[[3]].drop(columns="kind"), make_dataset(table(), name="t", choices=Choices(target="kind"))
    X = dataset.X.assign(**{"note is missing": "no"})
    summary = model.rules(max_antecedents=12, training=(X[model.encoder_.features], dataset.y))
    exported, Z = model.to_dict(), model.encoder_.transform(model.clean(row))[0]
    conditions = {rule.index: rule.conditions for rule in predict_row(model, row, summary.rules).rules}
    for rule in summary.rules:
        for antecedent, (_, level, _) in zip(rule.antecedents, conditions[rule.index], strict=True):
            columns = [d for d, column in enumerate(exported["columns"]) if column["feature"] == antecedent.feature]
            values = exported["rules"][rule.index - 1]

            def product(x, columns=columns, values=values):
                return np.prod([np.exp(-((x[d] - values["centers"][d]) ** 2) / 2 / values["sigmas"][d] ** 2) for d in columns])

            top = 1.0 if antecedent.low is not None or antecedent.high is not None else max(product(x) for x in _states(columns))
            assert level == pytest.approx(product(Z) / top, abs=1e-9)


def _states(columns):
    """The values of a category's 0/1 columns, by the number of the column."""
    return [{d: float(d == one) for d in columns} for one in columns]


def test_a_model_without_cleaning_takes_its_own_features():
    X = pd.DataFrame({"a": [1.0, 2, 3, 4] * 5, "b": ["x", "y"] * 10})
    classifier = TSKClassifier(n_rules=2, max_epochs=3, random_state=0).fit(X, np.array(["no", "yes"] * 10))
    fields = fields_of(classifier)
    assert [(f.column, f.kind, f.typical) for f in fields] == [("a", "number", 2.5), ("b", "category", "x")]
    row = row_of(fields, {"a": 2.0, "b": "y"})
    assert predict_row(classifier, row).predicted == classifier.predict(row)[0]
    assert len(predict_table(classifier, X.assign(other=1))) == 20  # unused columns are ignored

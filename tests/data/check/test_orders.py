"""Offers about categories: an order where names or numbers say so, and categories where the order of numbers says nothing."""

import numpy as np
import pandas as pd
import pytest

from tests.data.check.helpers import dataset, found, taken

N = 60
RNG = np.random.default_rng(0)
WIDTH = {"width": np.linspace(0, 1, 30)}


def table(**columns):
    return pd.DataFrame({**{name: RNG.choice(values, N) for name, values in columns.items()}, "class": ["x", "y"] * (N // 2)})


def offers(frame, **choices):
    return found(dataset(frame, **choices), "ordinal")


def test_an_offer_says_the_order_and_its_button_uses_it():
    ds = dataset(table(size=["small", "big", "medium"], width=[1.5, 2.5]))
    (offer,) = found(ds, "ordinal")
    assert (offer.kind, offer.columns) == ("offer", ("size",))
    assert offer.fact == "Column 'size': 3 categories that look ordered, small < medium < big."
    assert offer.advice == "With the order, rules name ranges such as 'size ≥ medium'."
    assert offer.remedy.label == "Use its order: small < medium < big"
    after = taken(ds, offer)
    assert list(after.X["size"].dtype.categories) == ["small", "medium", "big"]
    assert [(note.kind, str(note)) for note in found(after, "ordinal")] == [
        ("note", "Column 'size': ordered categories, small < medium < big. Used in this order, as you chose.")
    ]


def test_columns_with_one_order_are_one_offer():
    (offer,) = offers(table(buying=["low", "high", "med"], upkeep=["low", "high", "med"]))
    assert offer.columns == ("buying", "upkeep")
    assert set(offer.remedy.changes["roles"]) == set(offer.remedy.changes["orders"]) == {"buying", "upkeep"}


@pytest.mark.parametrize(
    ("name", "values"),
    [
        *[("doors", ["2", "3", "4", last]) for last in ("5more", "5 or more", "5+", ">4")],
        *[(name, list(range(first, first + 4))) for first, names in ((0, ["Wifes_education", "painLevel"]),
                                                                     (1, ["risk level", "disease.stage"])) for name in names],
    ],
)  # fmt: skip
def test_numbers_that_end_open_and_grades_are_offered(name, values):
    (offer,) = offers(table(**{name: values}, **WIDTH))
    assert offer.remedy.changes["orders"][name] == tuple(map(str, values))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("children", [0, 1, 2, 3]), ("code", [1, 2, 3]), ("stage", [0, 1]), ("stage", [1, 2, 5]), ("stage", [2, 3, 4]),
        ("level", [0.5, 1.0, 1.5]), ("grade", list(range(10))), ("colour", ["red", "green", "blue"]), ("answer", ["yes", "no"]),
        ("group", ["a", "b", "c"]), ("month", ["Jan", "Feb", "Mar"]), ("size", ["small", "big"]),
        ("size", ["small", "medium", "blue"]), ("backstage", [1, 2, 3]), ("dose", ["20 mg", "40 mg", "80 mg"]),
    ],
)  # fmt: skip
def test_nothing_else_is_offered(name, values):
    assert offers(table(**{name: values}, **WIDTH)) == []


@pytest.mark.parametrize("role", ["category", "ordinal", "ignored"])
def test_a_role_that_was_chosen_stays(role):
    frame = table(size=["small", "big", "medium"], **WIDTH)
    assert not [finding for finding in offers(frame, roles={"size": role}) if finding.kind == "offer"]


# Whole numbers whose order says nothing about the class.

ROWS = 1200
X = np.random.default_rng(7).integers(1, 7, ROWS)
REGIONS = np.array([0.8, 0.2, 0.75, 0.15, 0.7, 0.25])  # of the numbers 1 to 6
GRADES = {
    "no effect": lambda x: 0.5 + 0 * x,
    "a line": lambda x: 0.1 + 0.13 * x,
    "a parabola": lambda x: 0.9 - 0.1 * (x - 3.5) ** 2,
    "a threshold": lambda x: np.where(x > 2, 0.85, 0.2),
    "zero or not": lambda x: np.where(x == 1, 0.9, 0.3),
    "saturation": lambda x: 0.9 - 0.7 * np.exp(1 - x),
}


def numbered(x, chances, seed=0):
    """Rows with numbers x, whose class is "yes" by the chance of their number, and a feature beside it."""
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(len(x)) < np.asarray(chances), "yes", "no")
    return pd.DataFrame({"x": x, "width": rng.normal(size=len(x)), "class": y})


def as_categories(frame, **choices):
    return found(dataset(frame, **choices), "numbered categories")


def test_numbers_that_name_something_are_offered_as_categories():
    ds = dataset(numbered(X, REGIONS[X - 1]))
    (offer,) = found(ds, "numbered categories")
    assert (offer.kind, offer.columns) == ("offer", ("x",))
    assert str(offer) == (
        "Column 'x': small whole numbers whose order says little about the class: rows with neighbouring numbers are hardly more"
        " alike than others."
    )
    assert offer.remedy.label == "Use them as categories"
    after = taken(ds, offer)
    assert {report.name: report.role for report in after.columns}["x"] == "category"
    assert found(after, "numbered categories") == []


def test_columns_share_one_offer():
    (offer,) = as_categories(numbered(X, REGIONS[X - 1]).assign(again=7 - X))
    assert offer.columns == ("x", "again") and offer.remedy.changes["roles"] == {"x": "category", "again": "category"}


@pytest.mark.parametrize("seeds", [4, pytest.param(20, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", GRADES)
def test_numbers_that_grade_or_count_are_left_alone(kind, seeds):
    """Over several tables each: one alone may be chance."""
    assert sum(bool(as_categories(numbered(X, GRADES[kind](X), seed))) for seed in range(seeds)) <= seeds // 20


@pytest.mark.parametrize(
    "x", [100 * X, X + 0.5, X + 3, np.minimum(X, 3), -X], ids=["hundreds", "halves", "from 4", "three of them", "negative"]
)
def test_only_few_small_whole_numbers_from_0_or_1_are_looked_at(x):
    assert as_categories(numbered(x, REGIONS[X - 1])) == []


def test_a_chosen_role_stays_and_numbers_with_few_rows_and_missing_ones_do_not_count():
    frame = numbered(X, REGIONS[X - 1])
    assert as_categories(frame, roles={"x": "number"}) == []
    frame.loc[:3, "x"] = [0, 0, 8, 9]
    frame.loc[10:40, "x"] = np.nan
    assert len(as_categories(frame)) == 1
    assert as_categories(frame.iloc[:30]) == []

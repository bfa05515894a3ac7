"""The offer to use whole numbers as categories: made where their order says nothing about the class, and only there."""

import numpy as np
import pandas as pd
import pytest

from tsk_core.data import Choices, make_dataset

N = 1200


def table(x, chances, seed=0):
    """Rows with numbers x, whose class is "yes" by the chance of their number, and a feature beside it."""
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(len(x)) < np.asarray(chances), "yes", "no")
    return pd.DataFrame({"x": x, "width": rng.normal(size=len(x)), "class": y})


def offers(frame, **choices):
    ds = make_dataset(frame, "class", name="t", choices=Choices(**choices))
    return [finding for finding in ds.findings if finding.check == "numbered categories"]


X = np.random.default_rng(7).integers(1, 7, N)
REGIONS = np.array([0.8, 0.2, 0.75, 0.15, 0.7, 0.25])  # of the numbers 1 to 6


def test_numbers_that_name_something_are_offered_as_categories():
    frame = table(X, REGIONS[X - 1])
    (offer,) = offers(frame)
    assert (offer.kind, offer.columns) == ("offer", ("x",))
    assert str(offer) == (
        "Column 'x': small whole numbers whose order says little about the class: rows with neighbouring numbers are hardly more"
        " alike than others."
    )
    assert offer.remedy.label == "Use them as categories"
    taken = make_dataset(frame, "class", name="t", choices=Choices().with_changes(offer.remedy.changes))
    assert {report.name: report.role for report in taken.columns}["x"] == "category"
    assert not [finding for finding in taken.findings if finding.check == "numbered categories"]


def test_columns_share_one_offer():
    frame = table(X, REGIONS[X - 1]).assign(again=7 - X)
    (offer,) = offers(frame)
    assert offer.columns == ("x", "again") and offer.remedy.changes["roles"] == {"x": "category", "again": "category"}


@pytest.mark.parametrize(
    "chance",
    {
        "no effect": lambda x: 0.5 + 0 * x,
        "a line": lambda x: 0.1 + 0.13 * x,
        "a parabola": lambda x: 0.9 - 0.1 * (x - 3.5) ** 2,
        "a threshold": lambda x: np.where(x > 2, 0.85, 0.2),
        "zero or not": lambda x: np.where(x == 1, 0.9, 0.3),
        "saturation": lambda x: 0.9 - 0.7 * np.exp(1 - x),
    }.items(),
    ids=lambda case: case[0],
)
def test_numbers_that_grade_or_count_are_left_alone(chance):
    """Over twenty tables each: one alone may be chance."""
    assert sum(bool(offers(table(X, chance[1](X), seed))) for seed in range(20)) <= 1


@pytest.mark.parametrize(
    "x", [100 * X, X + 0.5, X + 3, np.minimum(X, 3), -X], ids=["hundreds", "halves", "from 4", "three of them", "negative"]
)
def test_only_few_small_whole_numbers_from_0_or_1_are_looked_at(x):
    assert offers(table(x, REGIONS[X - 1])) == []


def test_a_role_that_a_person_chose_stays():
    assert offers(table(X, REGIONS[X - 1]), roles={"x": "number"}) == []


def test_numbers_with_few_rows_and_missing_ones_do_not_count():
    frame = table(X, REGIONS[X - 1])
    frame.loc[:3, "x"] = [0, 0, 8, 9]
    frame.loc[10:40, "x"] = np.nan
    assert len(offers(frame)) == 1
    assert offers(frame.iloc[:30]) == []

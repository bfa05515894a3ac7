"""The offer of an order: made where names or numbers say so, taken at one press, and not made twice."""

import numpy as np
import pandas as pd
import pytest

from tsk_core.data import Choices, make_dataset

N = 60
RNG = np.random.default_rng(0)


def table(**columns):
    return pd.DataFrame({**{name: RNG.choice(values, N) for name, values in columns.items()}, "class": ["x", "y"] * (N // 2)})


def offers(frame, **choices):
    ds = make_dataset(frame, "class", name="t", choices=Choices(**choices))
    return [finding for finding in ds.findings if finding.check == "ordinal"]


def test_an_offer_says_the_order_and_its_button_uses_it():
    frame = table(size=["small", "big", "medium"], width=[1.5, 2.5])
    (offer,) = offers(frame)
    assert offer.kind == "offer"
    assert offer.columns == ("size",)
    assert offer.fact == "Column 'size': 3 categories that look ordered, small < medium < big."
    assert offer.advice == "With the order, rules name ranges such as 'size ≥ medium'."
    assert offer.remedy.label == "Use its order: small < medium < big"
    taken = make_dataset(frame, "class", name="t", choices=Choices().with_changes(offer.remedy.changes))
    assert list(taken.X["size"].dtype.categories) == ["small", "medium", "big"]
    notes = [finding for finding in taken.findings if finding.check == "ordinal"]
    assert [(note.kind, str(note)) for note in notes] == [
        ("note", "Column 'size': ordered categories, small < medium < big. Used in this order, as you chose.")
    ]


def test_columns_with_one_order_are_one_offer():
    (offer,) = offers(table(buying=["low", "high", "med"], upkeep=["low", "high", "med"]))
    assert offer.columns == ("buying", "upkeep")
    assert set(offer.remedy.changes["roles"]) == set(offer.remedy.changes["orders"]) == {"buying", "upkeep"}


@pytest.mark.parametrize("last", ["5more", "5 or more", "5+", ">4"])
def test_numbers_that_end_open_are_offered(last):
    (offer,) = offers(table(doors=["2", "3", "4", last], width=np.linspace(0, 1, 30)))
    assert offer.remedy.changes["orders"]["doors"] == ("2", "3", "4", last)


def test_numbers_with_units_are_numbers():
    assert offers(table(dose=["20 mg", "40 mg", "80 mg"], width=np.linspace(0, 1, 30))) == []


@pytest.mark.parametrize("name", ["Wifes_education", "painLevel", "risk level", "disease.stage"])
@pytest.mark.parametrize("first", [0, 1])
def test_grades_are_offered_by_their_name(name, first):
    (offer,) = offers(table(**{name: list(range(first, first + 4))}))
    assert offer.remedy.changes["orders"][name] == tuple(str(first + k) for k in range(4))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("children", [0, 1, 2, 3]), ("code", [1, 2, 3]), ("stage", [0, 1]), ("stage", [1, 2, 5]), ("stage", [2, 3, 4]),
        ("level", [0.5, 1.0, 1.5]), ("grade", list(range(10))), ("colour", ["red", "green", "blue"]), ("answer", ["yes", "no"]),
        ("group", ["a", "b", "c"]), ("month", ["Jan", "Feb", "Mar"]), ("size", ["small", "big"]),
        ("size", ["small", "medium", "blue"]), ("backstage", [1, 2, 3]),
    ],
)  # fmt: skip
def test_nothing_else_is_offered(name, values):
    assert offers(table(**{name: values, "width": np.linspace(0, 1, 30)})) == []


@pytest.mark.parametrize("role", ["category", "ordinal", "ignored"])
def test_a_role_that_was_chosen_stays(role):
    frame = table(size=["small", "big", "medium"], width=np.linspace(0, 1, 30))
    assert not [finding for finding in offers(frame, roles={"size": role}) if finding.kind == "offer"]

"""Choices about a table: what the remedy of a finding changes, and their form in JSON."""

import json

import pytest

from tsk_core.data import Choices, read_csv
from tsk_core.data.choices import EVERY
from tsk_core.errors import DataError, SettingError

FULL = Choices(
    target="class", roles={"age": "number", "id": "group"}, bins=3, rare="merge", flags=("age",), missing=("town",),
    codes={EVERY: ("999",), "age": ("-99", "-1")}, orders={"size": ("low", "high")}, repeated="together",
    spellings=("town",),
    not_missing={"land": ("NA",)},
)  # fmt: skip


def test_choices_come_back_from_json():
    assert Choices.from_dict(json.loads(json.dumps(FULL.to_dict()))) == FULL
    assert Choices.from_dict({}) == Choices()


@pytest.mark.parametrize("values", [{"roles": {"a": "leader"}}, {"repeated": "twice"}, {"codes": ["a"]}, {"unknown": 1}])
def test_choices_from_damaged_json_are_refused(values):
    with pytest.raises((DataError, TypeError, AttributeError)):
        Choices.from_dict(values)


def test_a_remedy_adds_to_the_choices_and_one_column_decides_the_split():
    changed = FULL.with_changes(
        {"codes": {"age": ("-99", "999")}, "flags": ("weight",), "roles": {"leak": "ignored"}, "rare": "drop"}
    )
    assert changed.codes == {EVERY: ("999",), "age": ("-99", "-1", "999")}
    assert changed.flags == ("age", "weight")
    assert changed.roles == {"age": "number", "id": "group", "leak": "ignored"}
    assert (changed.rare, changed.repeated) == ("drop", "together")
    changed = FULL.with_changes({"roles": {"visit": "time"}})
    assert changed.roles == {"age": "number", "visit": "time"}


def test_what_a_person_decided_is_what_differs_from_the_defaults():
    assert Choices(target="class").decided == {}
    assert set(FULL.decided) == {
        "roles", "bins", "rare", "flags", "missing", "codes", "orders", "repeated", "spellings", "not_missing",
    }  # fmt: skip


REMEDIES = [
    {"roles": {"a": "ignored"}},
    {"roles": {"a": "group"}},
    {"codes": {"a": ("-99", "0"), EVERY: ("n/a",)}},
    {"not_missing": {"a": ("NA",)}},
    {"orders": {"a": ("low", "high")}, "roles": {"a": "ordinal"}},
    {"repeated": "drop"},
    {"flags": ("a", "b")},
]


@pytest.mark.parametrize("changes", REMEDIES)
@pytest.mark.parametrize(
    "before",
    [
        Choices(),
        Choices(roles={"a": "number", "z": "time"}, codes={"a": ("-99",)}, orders={"a": ("high", "low")}, flags=("b",)),
    ],
)
def test_a_remedy_taken_back_leaves_the_choices_before_it(before, changes):
    assert before.with_changes(changes).taken_back(changes, before) == before


def test_what_was_decided_since_stays_when_a_remedy_is_taken_back():
    before = Choices()
    changes = {"codes": {"a": ("-99",)}, "roles": {"a": "ignored"}}
    now = before.with_changes(changes).with_changes({"codes": {"a": ("0",), "b": ("9",)}, "roles": {"b": "category"}})
    assert now.taken_back(changes, before) == Choices(codes={"a": ("0",), "b": ("9",)}, roles={"b": "category"})


def test_read_csv_says_where_decisions_about_columns_go():
    with pytest.raises(SettingError, match=r"^read_csv has no option 'leave_out'; the options of reading are .*choices="):
        read_csv(b"a,b\n1,x\n", leave_out=["a"])

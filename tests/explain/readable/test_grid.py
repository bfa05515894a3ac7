"""The grid of a rule list has what the list has, and the memberships of the exported rules."""

import json
import math

import numpy as np
import pytest
from hypothesis import given

from tests.explain.examples import base, number, other, rule
from tests.explain.readable.readable_bases import readable_bases
from tsk_core.explain import RuleBaseSummary, rule_grid
from tsk_core.explain.readable.rule_list import short_range


def grid_of(rules, Z, y):
    book = RuleBaseSummary.build(rules, Z, y)
    return book.rule_list, rule_grid(book.rule_list, Z.min(0), Z.max(0))


@given(readable_bases)
def test_it_has_the_lines_of_the_list_and_their_memberships(case):
    rules, Z, y = case
    listed, grid = grid_of(rules, Z, y)
    told = [item for item in listed.rules if item.train.true]
    assert grid["lines"] == listed.text.splitlines() and grid["rows"] == listed.n_test
    for item, line in zip([*told, listed.otherwise], grid["items"], strict=True):
        assert (line["true"], line["right"], line["taken"], line["takenRight"]) == tuple(item.test)
        assert line["class"] == str(item.conclusion) and [one["text"] for one in line["conditions"]] == list(item.conditions)
    assert {one["feature"] for line in grid["items"] for one in line["conditions"]} == set(grid["columns"])
    assert set(grid["columns"]) <= set(grid["features"])
    for line in grid["items"]:
        for one in line["conditions"]:
            check_cell(rules, Z, grid["columns"][one["feature"]], one, line["rule"] - 1)
    json.dumps(grid, allow_nan=False)


def check_cell(rules, Z, column, condition, r):
    """The membership that a cell draws is that of the rule."""
    own = rules["rules"][r]
    places = [d for d, known in enumerate(rules["columns"]) if known["feature"] == condition["feature"]]
    if "categories" not in column:
        (d,) = places
        assert (condition["center"], condition["sigma"]) == (own["centers"][d], own["sigmas"][d])
        assert (column["low"], column["high"]) == (Z[:, d].min(), Z[:, d].max())
        return

    def log(state):
        return sum(
            -((float(d == state) - own["centers"][d]) ** 2) / (2 * own["sigmas"][d] ** 2)
            for d in places
            if own["sigmas"][d] is not None
        )

    logs = [log(state) for state in places]
    assert condition["levels"] == pytest.approx([math.exp(one - max(logs)) for one in logs], abs=1e-3)


def test_whether_a_number_is_missing_has_a_column_of_its_own():
    fixed = [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    rules = base(
        [number("size"), other("size", "missing")], [rule([2.0, 0.0], [1.0, 0.4], fixed), rule([8.0, 1.0], [1.0, 0.4], fixed)]
    )
    Z = np.array([[float(k), float(k > 6)] for k in range(10)])
    _, grid = grid_of(rules, Z, np.arange(10) % 2)
    assert set(grid["columns"]) == {"size", "size missing"} == set(grid["features"])
    assert grid["columns"]["size missing"] == {"categories": ["missing", "not missing"]}
    for line in grid["items"][:-1]:
        for one in line["conditions"]:
            assert ("levels" in one) == (one["feature"] == "size missing") == ("missing" in one["text"])


@pytest.mark.parametrize(
    ("said", "short"),
    [
        ("between 4.4 and 6.1", "4.4 to 6.1"),
        ("≥ 2", "≥ 2"),
        ("not c or d", "not c or d"),
        ("≤ -5.5, beyond the data, which start at 0.0", "≤ -5.5"),
    ],
)
def test_a_range_is_written_short(said, short):
    assert short_range(said) == short

"""Which conditions a rule keeps, and how they read."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.explain.examples import base, category, number, other, random_base, rule
from tsk_core.explain.antecedents import antecedents, flatness, keep, restricting, units_of
from tsk_core.explain.exported import read_rules
from tsk_core.explain.labels import words_of

COLOURS = [category("colour", "red"), category("colour", "blue"), category("colour", "1")]


def read(columns, rules, Z, most=None):
    """The first rule's antecedents."""
    arrays = read_rules(base(columns, rules))
    units = units_of(columns)
    flat = flatness(arrays, Z, units)
    return antecedents(arrays, words_of(Z), units, flat, keep(flat, restricting(arrays, units, Z.min(0), Z.max(0)), most))[0]


def blank(D):
    return [[0.0] * (D + 1)] * 2


def test_columns_group_by_feature():
    columns = [*COLOURS, other("colour", "other"), number("age"), other("age", "missing"), number("colour")]
    found = {(unit.feature, unit.columns): list(unit.states) for unit in units_of(columns)}
    assert found == {
        ("colour", (0, 1, 2, 3)): ["red", "blue", "1", "another value"],
        ("age", (4,)): [],
        ("age", (5,)): ["missing", "not missing"],
        ("colour", (6,)): [],
    }


def test_flatness_is_the_mean_membership_of_the_training_rows():
    rules, Z = random_base(3, 4, 2, seed=5)
    columns = [number("a"), category("b", "x"), category("b", "y"), number("c")]
    rules["columns"] = columns
    got = flatness(read_rules(rules), Z, units_of(columns))
    for r, one in enumerate(rules["rules"]):
        for u, block in enumerate([[0], [1, 2], [3]]):
            mean = 0.0
            for x in Z:
                product = 1.0
                for d in block:
                    if one["sigmas"][d] is not None:
                        product *= np.exp(-((x[d] - one["centers"][d]) ** 2) / (2 * one["sigmas"][d] ** 2))
                mean += product / len(Z)
            assert got[r, u] == pytest.approx(mean, abs=1e-12)


def test_the_least_flat_antecedents_are_kept():
    Z = np.random.default_rng(0).normal(size=(50, 3))
    columns = [number("wide"), number("narrow"), number("middling")]
    got = read(columns, [rule([0, 0, 0], [1.5, 0.1, 1.0], blank(3))], Z)
    assert [a.feature for a in got] == ["narrow", "middling", "wide"]
    assert got[0].flatness < got[1].flatness < got[2].flatness
    assert read(columns, [rule([0, 0, 0], [1.5, 0.1, 1.0], blank(3))], Z, most=2) == got[:2]


def test_a_category_is_listed_from_half_of_the_likeliest_on():
    Z = np.eye(3)[np.arange(30) % 3]
    (one,) = read(COLOURS, [rule([0.5, 0.5, 0.0], [0.6, 0.6, 0.6], blank(3))], Z)
    slow = []
    for state in np.eye(3):
        slow.append(np.prod([np.exp(-((x - m) ** 2) / (2 * 0.6**2)) for x, m in zip(state, [0.5, 0.5, 0.0], strict=True)]))
    listed = [name for name, mu in zip(["red", "blue", "1"], slow, strict=True) if mu / max(slow) >= 0.5]
    assert listed == ["red", "blue"]
    assert (one.label, one.text, one.low, one.high) == ("red or blue", "colour is red or blue", None, None)


def test_a_block_counts_as_one_antecedent_and_survives_widths_far_too_small():
    Z = np.column_stack([np.eye(3)[np.arange(30) % 3], np.arange(30.0)])
    got = read([*COLOURS, number("size")], [rule([1, 0, 0, 5], [0.3, 0.3, 0.3, 9], blank(4))], Z, most=2)
    assert [a.feature for a in got] == ["colour", "size"]
    Z = np.eye(3)[np.arange(30) % 3]
    (one,) = read(COLOURS, [rule([1.0, 0, 0], [1e-200, 1e-3, 1e-3], blank(3))], Z)
    assert one.text == "colour is red"


def test_a_missing_column_of_a_number_reads_as_missing_or_not():
    columns = [number("age"), other("age", "missing")]
    Z = np.column_stack([np.arange(20.0), np.arange(20) % 2])
    (one,) = read(columns, [rule([5, 0.0], [None, 0.3], blank(2))], Z)
    assert one.text == "age is not missing"


def test_a_state_that_no_training_row_has_excludes_none():
    conditions = [rule([0.5, 0.5, 0.0], [0.5] * 3, blank(3))]
    assert read(COLOURS, conditions, np.eye(3)[np.arange(30) % 3])[0].text == "colour is red or blue"
    assert read(COLOURS, conditions, np.eye(3)[np.arange(30) % 2]) == ()
    age = [number("age"), other("age", "missing")]
    never = np.column_stack([np.arange(20.0), np.zeros(20)])
    assert read(age, [rule([5, 0.0], [None, 0.3], blank(2))], never) == ()
    assert read(age, [rule([5, 1.0], [None, 0.3], blank(2))], never)[0].text == "age is missing"


@given(
    st.lists(st.floats(-100, 100), min_size=1, max_size=30),
    st.lists(st.tuples(st.floats(-150, 150), st.floats(0.1, 400)), min_size=1, max_size=4),
)
def test_a_condition_is_printed_where_it_excludes_a_training_row(values, places):
    Z = np.array(values)[:, None]
    arrays = read_rules(base([number("x")], [rule([m], [s], blank(1)) for m, s in places]))
    found = restricting(arrays, units_of([number("x")]), Z.min(0), Z.max(0))[:, 0]
    for (m, s), yes in zip(places, found.tolist(), strict=True):
        least = min(np.exp(-((value - m) ** 2) / (2 * s**2)) for value in values)
        assert yes == (least < 0.5) or abs(least - 0.5) < 1e-9


@given(st.integers(0, 10**6), st.integers(2, 5))
def test_a_category_is_printed_where_a_state_of_some_training_row_does_not_hold(seed, n):
    rng = np.random.default_rng(seed)
    columns, Z = [category("c", str(k)) for k in range(n)], np.eye(n)[rng.integers(0, n, rng.integers(1, 8))]
    m, s = rng.uniform(-0.5, 1.5, n), rng.uniform(0.2, 2, n)
    (unit,) = units_of(columns)
    (yes,) = restricting(read_rules(base(columns, [rule(m.tolist(), s.tolist(), blank(n))])), [unit], Z.min(0), Z.max(0))[:, 0]
    levels = {row.argmax(): np.exp(-((row - m) ** 2 / (2 * s**2)).sum()) for row in np.eye(n)}
    assert yes == any(levels[row.argmax()] / max(levels.values()) < 0.5 for row in Z)

"""A condition on a category says exactly which states it names, and those of an ordered feature as a range."""

import re

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tsk_core.data.orders import order_of
from tsk_core.explain.antecedents import said

SIZES = ["small", "med", "big"]
UGLY = ["a or b", "not c", "≥ 2", "1 to 2", "", " ", "x is y", "<b>", "0", "None"]


def places(names):
    """The names of the ordered states, lowest first."""
    return [names[k] for k in order_of(tuple(names))]


@pytest.mark.parametrize(
    "text",
    [
        "0 < 2 < 10", "-1 < 0.5 < +3", "2 < 3 < 4 < 5more", "<1 < 1 < 3 < >3", "none < mild < MODERATE < Severe",
        "S < M < L < XL", "neutral < agree < strongly_agree", "I < II < III",
    ],
)  # fmt: skip
def test_states_have_the_order_of_their_numbers_or_of_a_scale_beside_others(text):
    names = text.split(" < ")
    assert places(sorted(names)) == places(["missing", *reversed(names), "?"]) == names


@pytest.mark.parametrize(
    "text",
    [
        "low high", "low medium high blue", "low med medium", "1 01 2", "1 1.0 2", "1 2 red", "more 2 5more", "1_0 2 3",
        "nan 1 2", "no yes missing", "0 1 missing",
    ],
)  # fmt: skip
def test_other_states_have_none(text):
    assert order_of(tuple(text.split())) == ()


@pytest.mark.parametrize(
    ("names", "chosen", "text"),
    [
        ("0123", "23", "clubbing ≥ 2"),
        ("3210", "01", "clubbing ≤ 1"),
        ("0123", "12", "clubbing is 1 to 2"),
        ("0123", "2", "clubbing is 2"),
        ("0123", "3", "clubbing is 3"),
        ("0123", "0", "clubbing is 0"),
        ("0123", "023", "clubbing is not 1"),
        ("0123", "02", "clubbing is 0 or 2"),
        ("01234", "034", "clubbing is not 1 to 2"),
        ("012345", "023", "clubbing is 0 or 2 to 3"),
        ("0123?", "0123", "clubbing is not ?"),
        ("0123?", "23?", "clubbing is not 0 to 1"),
        ("0123?", "12?", "clubbing is 1 to 2 or ?"),
        ("0123?", "?", "clubbing is ?"),
        (["none", "mild", "moderate", "severe"], ["moderate", "severe"], "clubbing ≥ moderate"),
        (["red", "blue", "green"], ["red", "green"], "clubbing is red or green"),
        (["a", "b", "c", "d", "e"], ["b", "c", "d", "e"], "clubbing is not a"),
    ],
)
def test_ordered_states_read_as_a_range(names, chosen, text):
    label, whole = said("clubbing", list(names), np.isin(list(names), list(chosen)))
    assert whole == text
    assert whole == f"clubbing {label}" if label[0] in "≥≤" else whole == f"clubbing is {label}"


def truth(label, names, order, state):
    """Whether a label is true of a state, read word by word. order: the ordered states, lowest first."""
    if label[0] in "≥≤":
        if state not in order:
            return False
        place, end = order.index(state), order.index(label[2:])
        return place >= end if label[0] == "≥" else place <= end
    if label.startswith("not "):
        return not truth(label.removeprefix("not "), names, order, state)
    for part in label.split(" or "):
        first, _, last = part.partition(" to ")
        assert first in names and (not last or order.index(first) < order.index(last))
        if state == first or (last and state in order and order.index(first) <= order.index(state) <= order.index(last)):
            return True
    return False


@st.composite
def choices(draw):
    """States, in any order, and which of them a condition names."""
    ordered = draw(
        st.one_of(
            st.lists(st.integers(-50, 50), min_size=1, max_size=9, unique=True).map(lambda found: [str(n) for n in found]),
            st.sampled_from([SIZES, ["low", "med", "high", "vhigh"], ["2", "3", "4", "5more"], ["never", "rarely", "often"]]),
            st.lists(st.sampled_from(["red", "blue", "green", "grey", "white"]), min_size=2, unique=True),
        )
    )
    names = draw(st.permutations([*ordered, *draw(st.lists(st.sampled_from(["missing", "other"]), unique=True))]))
    assume(len(names) > 1)
    listed = np.array(draw(st.lists(st.booleans(), min_size=len(names), max_size=len(names))))
    assume(listed.any() and not listed.all())
    return names, listed


@given(choices())
@example((["0", "1", "2", "3", "missing"], np.array([True, True, False, False, True])))
def test_what_is_printed_is_true_of_exactly_the_states_that_hold(case):
    names, listed = case
    label, text = said("clubbing", names, listed)
    order = places(names)
    assert [truth(label, names, order, state) for state in names] == listed.tolist()
    assert text.startswith("clubbing ")
    for first, second in re.findall(r"(?=(?:^|or |not )(-?\d+) or (-?\d+)(?: or |$))", label):
        assert not order or abs(order.index(first) - order.index(second)) > 1  # neighbours are one range


@given(st.lists(st.sampled_from(UGLY), min_size=2, unique=True), st.integers(1, 1000))
def test_any_name_can_stand_in_a_condition(names, bits):
    listed = np.array([bool(bits >> k & 1) for k in range(len(names))])
    assume(listed.any() and not listed.all())
    label, text = said("is", names, listed)
    chosen, others = ([name for name, yes in zip(names, listed, strict=True) if yes is which] for which in (np.True_, np.False_))
    assert text in (f"is is {label}", f"is {label}")
    assert any(name in label for name in (*chosen, *others))

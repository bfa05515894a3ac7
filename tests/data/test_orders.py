"""The order of categories: known to rules in words, guessed for whoever asks, offered where the names leave no doubt."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.data.orders import guessed_order, known_order

ORDERED = [  # lowest first
    "low < medium < high", "very low < low < high", "low < med < high < vhigh", "XS < S < M < L < XL", "small < big < huge",
    "never < rarely < sometimes < often < always", "none < mild < moderate < severe", "poor < fair < good < excellent",
    "strongly disagree < disagree < neutral < agree < strongly agree", "short < medium < long", "cold < warm < hot",
    "easy < medium < hard", "beginner < intermediate < advanced", "primary < secondary < bachelor < doctorate",
    "1st < 2nd < 3rd",
    "first < second < third", "I < II < III < IV", "two < three < twelve", "<20 < 20-40 < >40", "<=5 < 6-10 < >10",
    "0-17 < 18-64 < 65+", "2 < 4 < more", "1 < 2 < 3 or more", "10-19 years < 20-29 years < 30-39 years",
    "(0, 1] < (1, 2] < (2, 3]", "$20-40k < $40-60k < >$60k", "20mg < 40mg < 80mg", "1-low < 2-medium < 3-high",
    "1: low < 2: medium < 3: high", "grade 1 < grade 2 < grade 10", "stage I < stage II < stage IV",
    "Level2 < Level3 < Level4", "C- < B < A+", "niedrig < mittel < hoch", "nie < selten < manchmal < oft < immer",
    "klein < mittel < groß", "Bachelors < Masters < Doctorate", "0% < 10% < 20%", "very_low < low < medium",
    "slow < normal < fast",
]  # fmt: skip
ORDERED += [
    "<10k < 10k-50k < 50k-100k < >100k", "none < 1-2 < 3-5 < 6+", "Low Risk < Medium Risk < High Risk",
    "1st Class < 2nd Class < 3rd Class", "empty < half < full", "F < D < C < B < A", "Fair < Good < Very Good < Premium < Ideal",
    "priority 1 < priority 2 < priority 3",
]  # fmt: skip
CYCLES_AND_NUMBERED = [
    "Jan < Mar < Dec", "Monday < Tuesday < Sunday", "1-red < 2-green < 3-blue", "a1 < a2 < a3", "Montag < Mittwoch < Freitag",
]  # fmt: skip
NOMINAL = [
    "red green blue", "yes no", "a b c", "A B C D", "male female", "cat dog bird", "x o b", "north south east west",
    "p q r s t", "M F U", "Paris London Berlin", "apple pear plum", "gas diesel electric", "married single divorced", "t f",
    "rwd fwd 4wd", "B- A+ O- AB+", "left right top bottom", "low high blue", "fair brown dark", "circle square triangle",
    "wood iron steel", "1a 2b 3c", "Mr Mrs Miss", "up flat down", "visa mastercard amex", "2024-01 2024-02 2024-03",
    "10.0.0.1 10.0.0.2 10.0.0.3", "de fr uk", "GP hospital pharmacy", "pos neg", "linear round lobular",
    "spring summer autumn winter", "web mail phone", "benign malignant", "k key type", "R1-A R1-B R2-A",
    "motor1 pump2 valve3", "true false", "usual unusual other",
]  # fmt: skip


def names_of(text, apart=" < "):
    return text.split(apart)


@pytest.mark.parametrize("text", ORDERED)
def test_names_that_leave_no_doubt_have_their_order(text):
    names = tuple(names_of(text))
    assert known_order(reversed(names)) == guessed_order(sorted(names)) == names


@pytest.mark.parametrize("text", CYCLES_AND_NUMBERED)
def test_cycles_and_numbers_before_any_words_have_an_order_for_whoever_asks(text):
    names = tuple(names_of(text))
    assert guessed_order(sorted(names)) == names
    assert known_order(names) == ()


@pytest.mark.parametrize("text", NOMINAL)
def test_other_names_have_none(text):
    names = names_of(text, " ")
    assert known_order(names) == guessed_order(names) == ()


@pytest.mark.parametrize("names", [["ward 1", "ward 2", "ward 3"], ["1 unit", "2 unit", "red unit"], ["1a", "2b", "3c"]])
def test_numbers_beside_a_common_word_are_codes(names):
    assert known_order(names) == ()


@given(st.lists(st.text(max_size=8), unique=True, max_size=8))
def test_an_order_has_each_name_once(names):
    for order in (known_order(names), guessed_order(names)):
        assert not order or sorted(order) == sorted(names)


@given(st.lists(st.integers(-99, 99), unique=True, min_size=3, max_size=9).flatmap(st.permutations))
def test_numbers_are_in_their_order(numbers):
    assert known_order(map(str, numbers)) == tuple(map(str, sorted(numbers)))

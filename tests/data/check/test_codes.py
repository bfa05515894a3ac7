"""Likely codes for missing values: found where they stand apart, not where a number belongs to its column."""

import numpy as np
import pandas as pd
import pytest

from tests.data.check import helpers
from tests.data.check.helpers import taken
from tsk_core.data.choices import EVERY

N = 300
RNG = np.random.default_rng(7)
AGES = RNG.integers(18, 91, N).astype(float)


def with_code(values, code, count=12):
    values = np.asarray(values, dtype=object).copy()
    values[5 :: N // count] = code
    return values


def dataset(**columns):
    return helpers.dataset(pd.DataFrame({"x": np.arange(N) / 7, "class": ["a", "b"] * (N // 2), **columns}).infer_objects())


def found(ds):
    return helpers.found(ds, "missing code")


def codes(ds):
    return [finding.remedy.changes["codes"] for finding in found(ds)]


ZERO_INFLATED = np.where(RNG.random(N) < 0.4, 0, RNG.lognormal(3, 1, N).round(1))
APART = {
    "-99 among ages": (AGES, -99), "-9 among ages": (AGES, -9), "999 among ages": (AGES, 999),
    "-1 among ages": (AGES, -1), "0 among ages": (AGES, 0), "-9 among scores": (RNG.integers(0, 101, N), -9),
    "9 beside 1 to 5": (RNG.integers(1, 6, N), 9), "99 beside 0 and 1": (RNG.integers(0, 2, N), 99),
    "-99 beside 0 and 1": (RNG.integers(0, 2, N), -99), "0 among weights": (RNG.normal(70, 10, N).round(1), 0),
    "-999 in a skewed column": (RNG.lognormal(3, 1, N), -999), "9999 in a skewed column": (RNG.lognormal(3, 1, N).round(), 9999),
    "-99 beside many zeros": (ZERO_INFLATED, -99),
    "99.9 among temperatures": (RNG.normal(12, 8, N).round(1), 99.9), "-1 among days": (RNG.integers(1, 900, N), -1),
    "-32768 of a sensor": (RNG.normal(0, 300, N).round(), -32768), "0 among longitudes": (RNG.normal(-90, 10, N), 0),
}  # fmt: skip


@pytest.mark.parametrize("name", APART)
def test_a_code_that_stands_apart_is_found_and_its_remedy_makes_it_missing(name):
    values, code = APART[name]
    ds = dataset(a=with_code(values, code).astype(float))
    text = f"{code:g}"
    assert codes(ds) == [{"a": (text,)}]
    (finding,) = found(ds)
    cells = int((ds.raw[0]["a"] == code).sum())
    assert finding.fact.startswith(f"Column 'a': {cells} cells are {text.replace('-', '−')}, the first in row 6; the others are ")
    mended = taken(ds, finding)
    assert mended.X["a"].isna().sum() == cells
    (after,) = found(mended)
    assert (after.done, after.remedy) == ("Counted as missing, as you chose.", None)


def test_the_first_cell_is_named_by_its_row_in_the_file():
    labels = [None] * 4 + ["a", "b"] * (N // 2 - 2)
    assert "the first in row 6;" in found(dataset(a=with_code(AGES, -99).astype(float), **{"class": labels}))[0].fact


NATURAL = {
    "counts": RNG.poisson(2, N), "few counts": RNG.poisson(0.3, N), "counts to 9": RNG.binomial(9, 0.6, N),
    "ratings": RNG.integers(0, 11, N), "-1, 0 and 1": RNG.integers(-1, 2, N), "-3 to 3": RNG.integers(-3, 4, N),
    "percentages": RNG.integers(0, 100, N), "capped at 99": np.minimum(RNG.normal(80, 15, N).round(), 99),
    "amounts, most of them 0": np.where(RNG.random(N) < 0.9, 0, RNG.lognormal(8, 1, N).round()),
    "amounts, many of them 0": ZERO_INFLATED,
    "damages, 0 where there was none": np.where(RNG.random(N) < 0.45, 0, 900 + RNG.lognormal(7, 0.4, N).round()),
    "word frequencies": np.where(RNG.random(N) < 0.7, 0, RNG.exponential(0.3, N).round(2)),
    "heavy tail": (RNG.pareto(1.1, N) * 9).round(), "both signs": RNG.normal(0, 9, N).round(),
    "even numbers": RNG.integers(0, 9, N) * 2,
    "prices": RNG.choice([49, 99, 149, 199, 299, 499, 999], N), "degrees": np.round(RNG.normal(8, 4, N)),
    "digits": RNG.integers(0, 10, N), "saturated": np.clip(RNG.normal(200, 60, N), 0, 255).round(),
    "doses": RNG.choice([0, 10, 20, 50, 100, 200, 500], N), "counts to 8": np.minimum(RNG.poisson(1.2, N), 8),
}  # fmt: skip


def test_numbers_that_belong_to_their_column_are_no_codes():
    for name, values in NATURAL.items():
        assert found(dataset(a=values.astype(float))) == found(dataset(a=values.astype(float), b=values[::-1])) == [], name


DAYS = pd.Series(pd.date_range("2015-01-01", periods=N, freq="5D").strftime("%d/%m/%Y"))
SHARED = {  # a far value that nobody uses as a code, at the end of two columns, in one row of so many
    "sensors": (RNG.normal(15, 8, N).round(1), RNG.gamma(3, 90, N).round(), -200, 25),
    "mostly missing": (RNG.normal(200, 40, N).round(1), RNG.gamma(3, 90, N).round(), -500, 2),
    "skewed": (RNG.lognormal(3, 1, N).round(), RNG.lognormal(3.5, 1, N).round(), 2500, 25),
    "a survey": (RNG.integers(1, 6, N), RNG.integers(1, 6, N), 66, 25),
    "units": ([f"{k} kg" for k in RNG.integers(40, 99, N)], [f"{k} kg" for k in RNG.integers(4, 99, N)], "-750 kg", 25),
    "dates": (DAYS, DAYS[::-1], "11/11/1111", 25),
}  # fmt: skip


@pytest.mark.parametrize("name", SHARED)
def test_a_far_value_at_the_end_of_several_columns_is_a_code(name):
    one, other, code, step = SHARED[name]
    ds = dataset(a=with_code(one, code, N // step), b=with_code(other, code, N // step))
    (finding,) = found(ds)
    total = 2 * len(range(5, N, step))
    assert finding.fact.startswith(f"{total} cells are ") and finding.remedy.changes == {"codes": {EVERY: (str(code),)}}
    assert sum(report.missing for report in taken(ds, finding).columns) == total
    assert found(dataset(a=with_code(one, code, N // step), b=other)) == []


def measurements():
    """As in a table of diabetes: 0 for what was not measured, the last column so seldom that its zeros do not stand apart."""
    random = np.random.default_rng(11)
    missing = random.random(N) < 0.3
    insulin = np.where(missing | (random.random(N) < 0.15), 0, (10 + random.lognormal(4.8, 0.7, N)).round())
    return {
        "pregnancies": random.poisson(3, N), "glucose": with_code(random.normal(120, 25, N).round(), 0, 6).astype(float),
        "skin": np.where(missing, 0, random.normal(29, 5, N).round()), "insulin": insulin,
    }  # fmt: skip


def test_zeros_that_come_with_missing_ones_are_codes_too():
    (finding,) = found(dataset(**measurements()))
    assert finding.remedy.changes == {"codes": {"glucose": ("0",), "skin": ("0",), "insulin": ("0",)}}
    assert finding.remedy.label == "Count 0 as missing"
    assert ": 'insulin' " in finding.fact
    alone = measurements()
    del alone["skin"], alone["glucose"]
    assert found(dataset(**alone)) == []


def test_columns_with_one_code_share_a_finding_and_the_code_of_the_file():
    columns = {name: with_code(AGES, -99).astype(float) for name in ("a", "b", "c")}
    (finding,) = found(dataset(**columns, d=AGES))
    assert finding.remedy.changes == {"codes": {EVERY: ("-99",)}}
    assert finding.fact == "36 cells are −99, the first in row 6: 'a' 12, 'b' 12, 'c' 12."
    balance = np.linspace(-500, 500, N)
    balance[3:9] = -99  # a number like others there
    assert codes(dataset(**columns, balance=balance)) == [dict.fromkeys("abc", ("-99",))]


def test_codes_of_a_survey_are_found_together():
    answers = np.random.default_rng(1).integers(1, 6, N).astype(float)
    answers[::20], answers[1::25] = 98, 99
    (finding,) = found(dataset(a=answers))
    assert finding.remedy.label == "Count 98 and 99 as missing"
    assert finding.remedy.changes == {"codes": {"a": ("98", "99")}}


def test_dates_at_the_end_of_time_are_codes():
    days = pd.Series(pd.date_range("2015-01-01", periods=N, freq="5D"))
    days[::30] = pd.Timestamp("9999-12-31")
    for cells, text in ((days, "9999-12-31"), (days.dt.strftime("%d.%m.%Y"), "31.12.9999")):
        ds = dataset(a=cells)
        assert codes(ds) == [{"a": (text,)}]
        mended = taken(ds, found(ds)[0])
        assert mended.X.iloc[:, 1].isna().sum() == 10


def test_the_only_word_in_a_column_of_numbers_is_a_code():
    ds = dataset(a=with_code((AGES // 4).astype(int).astype(str), "refused to say", 50), b=["1", "2", "more"] * (N // 3))
    assert ds.cleaning.steps[1].role == "category"
    assert codes(ds) == [{"a": ("refused to say",)}]
    mended = taken(ds, found(ds)[0])
    assert mended.cleaning.steps[1].role == "number"


def test_words_that_say_missing_are_codes_and_others_are_not():
    sizes = np.random.default_rng(2).choice(["low", "high"], N)
    ds = dataset(a=with_code(sizes, "Unknown"), b=with_code(sizes, "k. A."), c=with_code(sizes, "none"))
    assert codes(ds) == [{"a": ("Unknown",)}, {"b": ("k. A.",)}]


@pytest.mark.parametrize(
    ("others", "is_code"), [(("rent", "own"), True), (("yes", "no"), True), (("+", "0"), False), (("A", "B"), False)]
)
def test_a_sign_is_a_code_among_words_alone(others, is_code):
    ds = dataset(a=with_code(np.random.default_rng(2).choice(others, N), "-"))
    assert codes(ds) == ([{"a": ("-",)}] if is_code else [])


def test_numbers_with_units_keep_the_code_as_written():
    cells = np.array([f"{age:g} kg" for age in AGES], dtype=object)
    ds = dataset(a=with_code(cells, "−99"))
    assert codes(ds) == [{"a": ("−99",)}]


def test_a_class_can_be_a_code():
    classes = np.random.default_rng(3).integers(0, 2, N)
    classes[::25] = -9
    ds = dataset(x=AGES, **{"class": classes})
    assert codes(ds) == [{"class": ("-9",)}]
    mended = taken(ds, found(ds)[0])
    assert mended.classes == ["0", "1"]
    assert len(mended.frame) == N - 12

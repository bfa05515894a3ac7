"""Dates and times: as people write them, and what they become."""

import datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.dates import DateFormat, read_dates
from tsk_core.data.dataset import make_dataset


def read(*texts):
    return read_dates(Cells.of(pd.Series(texts, name="a")))


WRITTEN = {
    "ISO": "%Y-%m-%d",
    "ISO with slashes": "%Y/%m/%d",
    "ISO with a time": "%Y-%m-%dT%H:%M:%S",
    "ISO with a zone": "%Y-%m-%d %H:%M:%SZ",
    "German": "%d.%m.%Y",
    "German with a time": "%d.%m.%Y %H:%M",
    "German, two digits": "%d.%m.%y",
    "British": "%d/%m/%Y",
    "American": "%m/%d/%Y",
    "American with a time": "%m/%d/%Y %I:%M %p",
    "day, name, year": "%d %B %Y",
    "day, short name, year": "%d-%b-%Y",
    "day, short name, short year": "%d-%b-%y",
    "name, day, year": "%B %d, %Y",
    "weekday": "%a, %d %b %Y",
}
DAYS = [datetime.datetime(2019, 1, 31, 13, 5) + datetime.timedelta(days=41 * k) for k in range(30)]


@pytest.mark.parametrize("kind", WRITTEN)
def test_a_common_way_of_writing_dates_is_read(kind):
    found = read(*(day.strftime(WRITTEN[kind]) for day in DAYS))
    exact = "%H" in WRITTEN[kind] or "%I" in WRITTEN[kind]
    expected = np.array(DAYS if exact else [day.date() for day in DAYS], dtype="datetime64[us]")
    np.testing.assert_array_equal(found.moments, expected)
    assert found.assumption == ""


@pytest.mark.parametrize(("texts", "first"), [(["1/2/2024", "3/4/2024"], "the month"), (["1.2.2024", "3.4.2024"], "the day")])
def test_an_ambiguous_order_is_assumed_with_a_note(texts, first):
    assert f"{first} is assumed to come first" in read(*texts).assumption


NO_DATES = {
    "words": ["red", "blue"],
    "versions": ["1.2.3", "1.2.4"],
    "telephone": ["0171-1234567", "030-123456"],
    "rooms": ["Room 1234", "Hall 2345"],
    "impossible": ["2024-02-31", "2024-13-01"],
    "year 0": ["0000-01-01", "0000-02-01"],
    "beyond": ["99999-01-01", "9999999-01-01"],
    "hour 25": ["25:00", "31:10"],
    "mixed": ["2024-01-01", "red", "blue", "2024-01-02"],
    "a gate and its hour": ["Hall 10:30", "Hall 11:45"],
    "cars": ["Toyota 2015 1.6", "Honda 2016 2.4"],
}


@pytest.mark.parametrize("kind", NO_DATES)
def test_other_text_is_not_read_as_a_date(kind):
    assert read(*NO_DATES[kind]) is None


def test_years_become_a_number_with_a_fraction():
    form = read("2019-01-01", "2020-07-02", "2021-01-01").format
    assert form.scale == "years"
    np.testing.assert_allclose(form.numbers(np.array(["2021-01-01", "2020-07-02"], "datetime64[us]")), [2021, 2020.5])
    assert form.unit == "year"


def test_a_short_span_becomes_days_since_the_first():
    found = read("2020-01-03", "2020-03-01 12:00", "2020-01-04")
    assert found.format.unit == "days since 2020-01-03"
    assert found.format.numbers(found.moments).tolist() == [0, 58.5, 1]


def test_within_two_days_hours_are_counted():
    found = read("2020-01-03 00:30", "2020-01-03 12:00")
    assert found.format.unit == "hours since 2020-01-03"
    assert found.format.numbers(found.moments).tolist() == [0.5, 12]


def test_times_of_day_become_hours():
    found = read("6:30", "18:45:30", "12:00 AM", "12:15 pm")
    assert found.format.numbers(found.moments).tolist() == [6.5, 18.758333333333333, 0, 12.25]
    assert found.format.unit == "hours"


def test_cells_of_dates_from_a_spreadsheet_are_read():
    found = read(datetime.date(2020, 1, 1), None, datetime.date(2024, 1, 1))
    np.testing.assert_allclose(found.format.numbers(found.moments), [2020, np.nan, 2024])


def test_the_same_column_as_text_and_as_dates_gives_the_same_numbers():
    days = pd.Series(pd.date_range("2020-01-01", periods=40, freq="30D"), name="a")
    found = read_dates(Cells.of(days))
    again = found.format.read(Cells.of(days.dt.strftime("%Y-%m-%d")))
    np.testing.assert_array_equal(found.format.read(Cells.of(days)), again)


@given(
    st.lists(st.dates(datetime.date(1000, 1, 1)), min_size=1, max_size=20), st.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%d %B %Y"])
)
def test_any_date_in_an_unambiguous_form_is_read(days, form):
    found = read(*(day.strftime(form) for day in days))
    if not (found.assumption and form == "%d.%m.%Y"):
        assert found.moments.astype("datetime64[D]").tolist() == days


@given(st.lists(st.text("0123456789-/.: TZ+APMJanMay,", max_size=70), min_size=1, max_size=10))
def test_any_text_like_a_date_gives_moments_or_none(texts):
    found = read(*texts)
    assert found is None or len(found.moments) == len(texts)


def new_dates(form, *texts):
    """New cells read by the format of a column, as ISO dates; None for cells that cannot be read."""
    numbers = DateFormat(form, "days", "2024-01-01").read(Cells.of(pd.Series(texts, name="a", dtype="str")))
    days = np.datetime64("2024-01-01") + pd.to_timedelta(numbers, unit="D")
    return [None if pd.isna(day) else str(day.date()) for day in days]


def test_new_dates_in_another_unambiguous_spelling_are_read():
    assert new_dates("%d-%m-%Y", "2024-03-05", "05.03.2024", "5 March 2024") == ["2024-03-05"] * 3
    assert new_dates("%Y-%m-%d", "05.03.2024", "5. Mär 2024", "2024-03-05") == ["2024-03-05"] * 3
    assert new_dates("%Y-%m-%d", "05/03/2024", "25/03/2024") == ["2024-03-05", "2024-03-25"]  # no month is above 12
    assert new_dates("%d-%m-%Y", "05/03/2024", "05/25/2024") == ["2024-05-03", "2024-05-25"]


def test_new_dates_that_fit_two_orders_or_none_are_not_read():
    assert new_dates("%Y-%m-%d", "05/03/2024", "2024-03-05") == [None, "2024-03-05"]
    assert new_dates("%Y-%m-%d", "2024-03", "30.02.2024", "soon") == [None] * 3
    assert new_dates("%d-%m-%Y", "05.03.2024", "03.25.2024") == ["2024-03-05", None]  # one wrong cell moves no other
    assert new_dates("%d-%m-%Y", "25/03/2024", "03/25/2024", "05/03/2024") == ["2024-03-25", None, "2024-03-05"]
    assert new_dates("%d-%m-%y", "25.03.24", "05.03.24", "24/13/45") == ["2024-03-25", "2024-03-05", None]


@given(
    st.lists(st.dates(datetime.date(1971, 1, 1), datetime.date(2068, 1, 1)), min_size=1, max_size=10),
    st.sampled_from(["%d.%m.%Y", "%Y-%m-%d", "%d %B %Y", "%b %d, %Y"]),
    st.sampled_from(["%d-%m-%Y", "%Y-%m-%d", "%d-%b-%Y"]),
)
def test_new_dates_are_read_alike_in_every_unambiguous_form(days, form, trained):
    assert new_dates(trained, *(day.strftime(form) for day in days)) == [day.isoformat() for day in days]


def test_dates_that_begin_with_a_year_of_two_digits_are_read_as_they_lie_closest():
    days = [datetime.date(2021, 1, 1) + datetime.timedelta(days=29 * k) for k in range(20)]
    for form, says in (("%y-%m-%d", "The year is assumed to come first"), ("%d-%m-%y", ""), ("%d.%m.%y", "")):
        found = read(*(day.strftime(form) for day in days))
        assert found.moments.astype("datetime64[D]").tolist() == days
        assert found.assumption.startswith(says) and bool(found.assumption) == bool(says)


def test_where_both_ends_may_be_the_year_that_is_said():
    assert "it may come first instead" in read("20-01-21", "21-02-20", "22-12-22").assumption


def test_cells_that_are_no_dates_are_named():
    days = [f"{k + 1:02d}.03.2024" for k in range(20)]
    assert read(*days).note == ""
    assert read(*days, "soon").note == "1 cell that is not one, such as 'soon', counted as missing"
    frame = pd.DataFrame({"day": [*days, "soon"], "x": np.arange(21) * 0.7, "class": ["p", "q", "p"] * 7})
    assert "such as 'soon', counted as missing." in " ".join(make_dataset(frame, "class", name="t").notes)


def test_durations_are_called_durations():
    ds = make_dataset(pd.DataFrame({"wait": pd.to_timedelta(np.arange(20) % 7, unit="h"), "class": ["a", "b"] * 10}), name="t")
    assert ds.X["wait (hours)"].tolist()[:3] == [0, 1, 2]
    assert "Column 'wait': durations. Used as a number, in hours." in ds.notes

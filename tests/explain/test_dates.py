"""A column of dates is told as dates: in conditions, in what changes a score, and where a value is filled in."""

import datetime as dt
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.explain.examples import base, number, rule
from tsk_core import TSKClassifier
from tsk_core.data import make_dataset, read_csv
from tsk_core.data.clean.dates import DateFormat
from tsk_core.explain import RuleBaseSummary
from tsk_core.explain.labels import end_writer, finest, step_text, writer, written_date

# scale, origin, value, spread of the column, text or null where the value is no date; the browser's are held against them, too
VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "dates.json").read_text(encoding="utf-8"))


def column(scale, origin=""):
    form = "" if scale == "clock" else "%Y-%m-%d"
    return number("seen") | {"date": {"format": form, "scale": scale, "origin": origin}}


@pytest.mark.parametrize(("scale", "origin", "value", "spread", "text"), VECTORS)
def test_a_date_is_as_exact_as_its_column_is_spread(scale, origin, value, spread, text):
    date = column(scale, origin)["date"]
    assert writer(date, spread)(value) == (text or writer(None, spread)(value))


@pytest.mark.parametrize(("value", "day"), [(28.2, "29 February 2024"), (28.75, "29 February 2024"), (29.0, "1 March 2024")])
def test_without_a_spread_a_date_is_the_day_on_which_it_is(value, day):
    date = column("days", "2024-02-01")["date"]
    assert writer(date | {"midnights": True}, None)(value) == day
    time = {28.2: "04:48", 28.75: "18:00", 29.0: "00:00"}[value]
    assert writer(date, None)(value) == f"{day} {time}"  # others have a time of day
    assert writer(column("years")["date"], None)(2024 + (31 + value) / 366) == day


@given(st.floats(1800, 2200), st.floats(0.01, 0.4))
def test_a_written_day_is_within_a_day_of_its_number(value, spread):
    text = writer(column("years")["date"], spread)(value)
    read = dt.datetime.strptime(text, "%d %B %Y" if text.count(" ") == 2 else "%d %B %Y %H:%M")
    start = dt.datetime(int(value), 1, 1)
    exact = start + (value % 1) * (dt.datetime(int(value) + 1, 1, 1) - start)
    assert abs(read - exact) <= dt.timedelta(days=0.51)


@given(st.sampled_from(["days", "hours"]), st.floats(-1000, 1000), st.floats(0, 1000))
def test_no_text_of_plain_dates_has_a_time_of_day(scale, value, spread):
    date = column(scale, "2024-02-01")["date"]
    text = writer(date | {"midnights": True}, spread)(value)
    assert ":" not in text
    assert text == writer(date, spread)(value) or ":" in writer(date, spread)(value)
    exact = dt.datetime(2024, 2, 1) + dt.timedelta(**{scale: value})
    if text.count(" ") == 2:
        assert abs(dt.datetime.strptime(text, "%d %B %Y") - exact) <= dt.timedelta(days=0.5, seconds=1)


@pytest.mark.parametrize(
    ("spread", "text", "first", "last"),
    [
        (20.0, "2020", "2020-01-01 00:00:00", "2020-12-31 23:59:59"),
        (5.0, "March 2020", "2020-03-01 00:00:00", "2020-03-31 23:59:59"),
        (0.5, "14 March 2020", "2020-03-14 00:00:00", "2020-03-14 23:59:59"),
    ],
)
def test_a_date_at_an_end_stands_for_its_whole_day_month_or_year(spread, text, first, last):
    form = DateFormat("%Y-%m-%d", "years")
    write = end_writer(column("years")["date"], spread)
    start, end = (form.numbers(np.array([np.datetime64(moment)]))[0] for moment in (first, last))
    assert write(float(start), False, 0) == (text, start)
    told, value = write(float(end), True, 0)
    assert told == text and end <= value < form.numbers(np.array([np.datetime64(last) + 1]))[0]


@pytest.mark.parametrize("clock", ["", " 00:00", " 06:30"])
def test_rules_of_a_few_days_say_a_time_of_day_where_a_date_has_one(clock):
    days = pd.date_range("2024-03-01", periods=12)
    rows = [f"{day:%Y-%m-%d}{clock if k % 2 else ' 00:00' if clock else ''},{k % 3},{'late' if k > 5 else 'early'}"
            for k, day in enumerate(days) for _ in range(4)]  # fmt: skip
    dataset = read_csv("\n".join(["seen,size,class", *rows]).encode(), target="class")
    classifier = TSKClassifier(n_rules=3, max_epochs=5, random_state=0).fit(dataset.X, dataset.y)
    classifier.cleaning_ = dataset.cleaning
    rules = classifier.to_dict()
    assert rules["columns"][0]["date"]["midnights"] == (clock != " 06:30")
    summary = RuleBaseSummary.build(rules, dataset.X.to_numpy(float), max_antecedents=2)
    texts = [a.text for one in summary.rules for a in one.antecedents if a.feature.startswith("seen")]
    assert texts and all("March 2024" in text for text in texts)
    assert all(":" in text for text in texts) if clock == " 06:30" else not any(":" in text for text in texts)


def test_numbers_stay_numbers_and_steps_have_their_unit():
    assert writer(None, 1.8)(2023.918) == "2023.9"
    assert (step_text(number("size"), 1.8), step_text(column("years"), 1.8), step_text(column("clock"), 3.0)) == (
        "1.8", "1.8 years", "3.0 hours"
    )  # fmt: skip


@pytest.fixture(scope="module")
def dated():
    """A classifier of a table with dates, and the table."""
    days = pd.date_range("2019-01-03", periods=120, freq="11D")
    rows = [f"{day:%Y-%m-%d},{(7 * k) % 10},{'late' if day.year > 2020 else 'early'}" for k, day in enumerate(days)]
    dataset = read_csv("\n".join(["seen,size,class", *rows]).encode(), target="class")
    classifier = TSKClassifier(n_rules=3, max_epochs=5, random_state=0).fit(dataset.X, dataset.y)
    assert "date" not in classifier.to_dict()["columns"][0]  # the model was given numbers
    classifier.cleaning_ = dataset.cleaning
    return classifier, dataset


def test_a_table_with_dates_has_dates_in_its_rules_and_in_a_row_explained(dated):
    classifier, dataset = dated
    rules = classifier.to_dict()
    assert rules["columns"][0]["date"]["scale"] == "years" and "date" not in rules["columns"][1]
    summary = RuleBaseSummary.build(rules, dataset.X.to_numpy(float), max_antecedents=2)
    texts = [a.text for one in summary.rules for a in one.antecedents if a.feature == "seen (year)"]
    assert texts and all(" 20" in text and "." not in text for text in texts)
    effects = [m.text for one in summary.rules for m in one.effects if m.column == "seen (year)"]
    assert effects and all(" years " in text for text in effects)
    why = dated[0].explain(pd.DataFrame({"seen": ["2020-03-05"], "size": [3]}))
    assert why.to_dict()["row"] == {"seen (year)": "5 March 2020", "size": "3"}
    assert "seen (year) = 5 March 2020" in str(why)


def test_a_filled_date_is_told_as_a_day():
    days = column("days", "2024-02-01")
    days |= {"impute": 28.0, "date": days["date"] | {"midnights": True}}
    rules = base([days], [rule([10.0], [3.0], [[0.0, 1.0], [0.0, 0.0]])] * 2)
    Z = np.linspace(0, 60, 30)[:, None]
    found = RuleBaseSummary.build(rules, Z, missing={"seen": np.ones(30, bool)}).rules[0].antecedents[0]
    assert found.note.endswith("a missing one counts as 29 February 2024.") and "2024" in found.text


FORMATS = [("years", "", True), ("years", "", False), ("clock", "", False)]
FORMATS += [(scale, "2020-01-03", midnights) for scale in ("days", "hours") for midnights in (True, False)]


@pytest.mark.parametrize(("scale", "origin", "midnights"), FORMATS)
@given(st.floats(0, 1))
def test_a_written_date_is_the_value_that_its_text_stands_for(scale, origin, midnights, share):
    date = {"format": "" if scale == "clock" else "%Y-%m-%d %H:%M", "scale": scale, "origin": origin, "midnights": midnights}
    value = {"years": 2001 + 30 * share, "clock": 23 * share}.get(scale, 600 * share)
    unit, second = finest(date), {"years": 1 / 365 / 86_400, "days": 1 / 86_400}.get(scale, 1 / 3600)
    down, near, up = (written_date(date, value, side) for side in (-1, 0, 1))
    assert near in (down, up)
    assert value - 1.01 * unit - second <= down <= value + second
    assert value - second <= up <= value + 1.01 * unit + second
    for at in (down, up):
        text = writer(date, None)(at)
        moment = pd.Timedelta(f"{text}:00").to_numpy() if scale == "clock" else pd.to_datetime(text).to_numpy()
        assert DateFormat(**date).numbers(np.array([moment]))[0] == pytest.approx(at, abs=1e-9)


def test_the_date_of_a_change_flips_the_decision():
    random = np.random.default_rng(0)
    days = pd.to_datetime("2015-01-01") + pd.to_timedelta(random.integers(0, 4 * 365, 200), "D")
    late = (days > "2017-01-01") ^ (random.random(200) < 0.1)
    frame = pd.DataFrame({"admitted": days.strftime("%Y-%m-%d"), "class": np.where(late, "late", "early")})
    frame["size"] = random.normal(size=200)
    dataset = make_dataset(frame, "class", name="t")
    classifier = TSKClassifier(n_rules=4, max_epochs=40, random_state=0).fit(dataset.X, dataset.y)
    classifier.cleaning_, changes = dataset.cleaning, 0
    for n in range(20):
        row = frame[["admitted", "size"]].iloc[[n]]
        for change in classifier.explain(row, locked=["size"]).to_dict()["changes"]:
            day = change["features"]["admitted (year)"]["to"]
            changed = row.assign(admitted=pd.to_datetime(day).strftime("%Y-%m-%d"))
            assert classifier.predict(changed)[0] == change["predicted"] != classifier.predict(row)[0]
            changes += 1
    assert changes > 10

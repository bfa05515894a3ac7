"""Columns that name what rows come from: subjects, IDs of rows, and their times; measurements and counts are none of these."""

import re

import numpy as np
import pandas as pd
import pytest

from tests.data.check.helpers import dataset, found, taken

N, SUBJECTS = 320, 40


def visits(seed=0, within=0.2):
    """Eight rows of each of 40 subjects, which differ in all features and are of one class, shuffled."""
    rng = np.random.default_rng(seed)
    who = rng.permutation(np.repeat(np.arange(SUBJECTS), N // SUBJECTS))
    y = rng.permutation(np.arange(SUBJECTS) % 2)[who]
    of_subject = rng.normal(size=(SUBJECTS, 4))
    frame = pd.DataFrame(of_subject[who] + within * rng.normal(size=(N, 4)), columns=list("abcd"))
    return frame, who, y


def of_classes(frame, y):
    return dataset(frame.assign(outcome=np.array(["well", "ill"])[y]), "outcome")


SUBJECT = {
    "Patienten-ID": lambda who: [f"P{1200 + k}" for k in who],
    "id_paciente": lambda who: 1000 + 7 * who,
    "患者编号": lambda who: [f"{k:03d}" for k in who],
    "N° patient": lambda who: [f"patient {k}" for k in who],
    "subject": lambda who: who + 1,
    "User": lambda who: [f"{'abcdefgh'[k % 8] * 3}@{'pqrst'[k // 8] * 4}.org" for k in who],
    "code x": lambda who: [f"VP{k}" for k in who],
    "Maschine": lambda who: [f"Anlage {k}" for k in who],
    "w": lambda who: [f"{k * 2654435761 % 2**32:08x}" for k in who],
    "kz": lambda who: np.random.default_rng(1).permutation(500)[who],
}
NO_ID = {"Maschine", "code x", "kz"}  # neither their name nor their cells are those of a subject's id


@pytest.mark.parametrize("name", SUBJECT)
def test_subjects_are_found_by_name_by_words_or_by_class(name):
    frame, who, y = visits()
    ds = of_classes(frame.assign(**{name: SUBJECT[name](who)}), y)
    (finding,) = found(ds, "group")
    assert finding.columns == (name,) and finding.kind == "warning"
    assert (name in ds.X) == (name in NO_ID)
    assert f"Column '{name}' repeats: 40 values in 320 rows, 8 rows each" in finding.fact
    assert finding.remedy.label == f"Split by '{name}'"
    # What a fair test changes is said.
    known, apart = re.search(rf"accuracy (\S+), but (\S+) when rows with the same '{name}' are left out", finding.fact).groups()
    assert float(known) > 0.95 and float(apart) < 0.65
    after = taken(ds, finding)
    split = after.split()
    assert not set(who[split.train]) & set(who[split.test])
    assert found(after, "group") == []
    assert any("decides the split, as you chose" in note for note in after.notes)


@pytest.mark.parametrize("name", [name for name in SUBJECT if name not in {*NO_ID, "w"}])
def test_an_id_is_no_feature_whatever_its_rows_tell_unless_a_person_says_so(name):
    frame, who, _ = visits(within=9)
    ds = of_classes(frame.assign(**{name: SUBJECT[name](who)}), np.arange(N) % 2)
    (offer,) = found(ds, "group")
    assert (offer.kind, offer.fact) == ("offer", f"Column '{name}' repeats: 40 values in 320 rows, 8 rows each.")
    assert list(ds.X.columns) == list("abcd")
    assert f"Column '{name}': an ID that repeats, like that of a patient or a user, 40 values in 320" in " ".join(ds.notes)
    as_category = ds.with_choices(ds.choices.with_changes({"roles": {name: "category"}}))
    assert name in as_category.X and found(as_category, "group") == []


def test_of_several_columns_that_name_subjects_one_is_offered_and_rows_without_one_do_not_matter():
    frame, who, y = visits()
    patient = pd.Series([f"P{k}" for k in who], dtype=object)
    patient[:20] = None
    (finding,) = found(of_classes(frame.assign(patient=patient, device=[f"D{k // 2}" for k in who]), y), "group")
    assert "40 values in 300 rows" in finding.fact


REPEATED = {
    "age": lambda rng, y: (45 + 12 * rng.normal(size=N) + 6 * y).round(),
    "children": lambda rng, y: rng.poisson(3 + y),
    "zip": lambda rng, y: rng.choice([10115, 20095, 30159, 40210, 50667, 60311, 70173, 80331, 1067], N),
    "price": lambda rng, y: rng.integers(20, 60, N) * 5 + 20 * y,
    "city": lambda rng, y: rng.choice([f"town {'abcdefghijklmnopqrst'[k]}" for k in range(20)], N),
    "session": lambda rng, y: rng.integers(1, 31, N),
    "n_patients": lambda rng, y: rng.integers(1, 31, N) + 10 * y,
    "job": lambda rng, y: np.array([f"work{letter}" for letter in "abcdefghijkl"])[rng.integers(0, 6, N) + 6 * y],
    "education_num": lambda rng, y: rng.integers(1, 9, N) + 8 * y,
    "one stray cell": lambda rng, y: np.append(rng.integers(0, 12, N - 1) * 3 + 20 * y[1:], "12?"),
    "leading zeros": lambda rng, y: [f"{k:02d}" for k in rng.integers(0, 12, N) + 9 * y],
    "station": lambda rng, y: 2 * rng.integers(1, 9, N) + y,  # each has one class, and the other columns tell nothing of it
    "line": lambda rng, y: [f"line {k}" for k in rng.integers(1, 31, N)],
    "purpose": lambda rng, y: [f"A{k}" for k in rng.integers(40, 52, N)],
}


@pytest.mark.parametrize("name", REPEATED)
def test_measurements_counts_and_categories_that_repeat_are_no_subjects(name):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, N)
    frame = pd.DataFrame(rng.normal(size=(N, 4)) + y[:, None], columns=list("abcd"))
    ds = of_classes(frame.assign(**{name: REPEATED[name](rng, y)}), y)
    assert found(ds, "group") == [] and name in ds.X
    classes = rng.integers(0, 20, N)
    numbers = pd.DataFrame(rng.normal(size=(20, 4))[classes] + 0.1 * rng.normal(size=(N, 4)), columns=list("abcd"))
    assert found(dataset(numbers.assign(**{name: classes}), name), "group") == []  # classes name no subjects


def test_smooth_measurements_in_whole_numbers_are_no_subjects():
    rng = np.random.default_rng(3)
    at = rng.uniform(0, 1, N)
    frame = pd.DataFrame({f"m{k}": (60 * at + rng.normal(size=N)).round() for k in range(4)})
    assert found(of_classes(frame, (at > 0.5).astype(int)), "group") == []


# IDs and times.

ROWS = 200
RNG = np.random.default_rng(1)
IDS = {
    "record": (RNG.permutation(ROWS) + 1, "whereas some measurements would be equal by chance"),
    "lfd": (np.arange(ROWS) + 1, "count the rows"),
    "customer": (RNG.choice(10**7, ROWS, replace=False) + 10**7, "its name says what they are"),
    "reference": (RNG.choice(9 * 10**8, ROWS, replace=False) + 10**8, "have 9 digits"),
    "article": (RNG.choice(9 * 10**5, ROWS, replace=False) + 10**5, "have 6 digits"),
    "phone": (RNG.integers(3 * 10**9, 10**10, ROWS), "10 digits"),
    "zip_code": (RNG.integers(10**4, 10**5, ROWS), "5 digits"),
    "Belegnr": (np.append(RNG.permutation(ROWS - 10) + 300, np.arange(10) + 300), "its name says what they are"),
}
MEASUREMENTS = {
    "salary": np.exp(12.5 + 0.4 * RNG.normal(size=ROWS)).astype(int),  # in cents, so that nearly all differ
    "price": (RNG.choice(8_000, ROWS, replace=False) + 1_000) * 100,
    "area": np.round(np.exp(5 + RNG.normal(size=ROWS)), 2),
    "population": np.exp(11 + 2 * RNG.normal(size=ROWS)).astype(int),
    "age": RNG.integers(18, 90, ROWS),
    "visits": RNG.poisson(4, ROWS),
    "group id": RNG.integers(1, 6, ROWS),
    "year": RNG.integers(1990, 2020, ROWS),
    "seconds": np.sort(RNG.integers(1_600_000_000, 1_650_000_000, ROWS)),
    "balance": RNG.normal(size=ROWS).round(3) * 1000,
}


def beside_measurements(rows=ROWS, **columns):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, rows)
    return of_classes(pd.DataFrame(rng.normal(size=(rows, 3)) + 0.5 * y[:, None], columns=list("abc")).assign(**columns), y)


@pytest.mark.parametrize("name", IDS)
def test_numbers_that_name_rows_are_found_with_a_reason_and_can_be_left_out(name):
    values, why = IDS[name]
    ds = beside_measurements(**{name: values})
    (finding,) = found(ds, "id")
    assert finding.columns == (name,) and finding.kind == "warning" and why in finding.fact
    after = taken(ds, finding)
    assert name not in after.X and f"Column '{name}': left out as you chose. Left out." in after.notes
    assert found(ds.with_choices(ds.choices.with_changes({"roles": {name: "number"}})), "id") == []  # a chosen role stays


def test_measurements_are_no_ids_even_where_all_differ():
    assert found(beside_measurements(**MEASUREMENTS), "id") == []


def test_a_few_rows_are_not_judged():
    assert found(beside_measurements(6, record=[5, 3, 9, 1, 7, 2]), "id") == []


DAYS = pd.to_datetime("2022-01-01") + pd.to_timedelta(np.sort(RNG.integers(0, 700, ROWS)), unit="D")
TIMES = [
    ("when", DAYS.strftime("%Y-%m-%d"), "the rows are sorted by it, 2022 to 202"),
    ("when", DAYS[::-1].strftime("%d.%m.%Y"), "the rows are sorted by it, 2022 to 202"),
    ("when", RNG.permutation(DAYS.strftime("%Y-%m-%d")), "it has dates of the rows, 2022 to 202"),
    ("when", pd.date_range("2020-01-01", periods=ROWS), "the rows are sorted by it, 2020."),
    ("when", np.datetime64("30000-01-01", "s") + np.arange(ROWS) * 10**8, "the rows are sorted by it."),
    ("recorded", RNG.permutation(DAYS.strftime("%Y%m%d").astype(int)), "it has dates of the rows, 2022 to 202"),
    ("year", np.sort(RNG.integers(2001, 2021, ROWS)), "the rows are sorted by it, 2001 to 2020."),
    ("period", np.arange(ROWS) // 3, "the rows are sorted by it."),
    ("ts", np.sort(RNG.integers(1_600_000_000, 1_650_000_000, ROWS)), "the rows are sorted by it, 2020 to 2022."),
]
NO_TIMES = {
    "birth date": RNG.permutation(DAYS.strftime("%Y-%m-%d")),
    "built": RNG.integers(1950, 2020, ROWS),
    "year": RNG.integers(1950, 2020, ROWS),
    "time": RNG.integers(3, 90, ROWS),
    "dose": np.sort(RNG.integers(3, 90, ROWS)),
    "age in years": np.sort(RNG.integers(18, 90, ROWS)) + 0.5,
    "when": [f"{k % 24:02d}:30" for k in range(ROWS)],
    "at": ["2024-03-05", "2024-03-06"] * (ROWS // 2),
}


@pytest.mark.parametrize(("name", "values", "fact"), TIMES)
def test_times_are_offered_as_the_split(name, values, fact):
    ds = beside_measurements(**{name: values})
    (offer,) = found(ds, "time")
    assert fact in offer.fact and offer.kind == "offer" and offer.columns == (name,)
    assert offer.remedy.label == "Test on the latest rows"
    after = taken(ds, offer)
    assert after.split_column.kind == "time" and found(after, "time") == []
    assert f"Column '{name}' decides the split, as you chose. The latest rows are tested." in after.notes


def test_births_lengths_of_time_and_unsorted_years_are_no_times():
    assert found(beside_measurements(**NO_TIMES), "time") == []


def test_of_several_times_the_one_in_whose_order_the_rows_are_is_offered():
    dates = DAYS.strftime("%Y-%m-%d")
    (offer,) = found(beside_measurements(ordered=RNG.permutation(dates), shipped=dates), "time")
    assert offer.columns == ("shipped",)

"""Subjects: columns whose values name what several alike rows come from, and columns that only repeat."""

import re

import numpy as np
import pandas as pd
import pytest

from tsk_core.data import make_dataset

N, SUBJECTS = 320, 40


def visits(seed=0, within=0.2):
    """Eight rows of each of 40 subjects, which differ in all features and are of one class, shuffled."""
    rng = np.random.default_rng(seed)
    who = rng.permutation(np.repeat(np.arange(SUBJECTS), N // SUBJECTS))
    y = rng.permutation(np.arange(SUBJECTS) % 2)[who]
    of_subject = rng.normal(size=(SUBJECTS, 4))
    frame = pd.DataFrame(of_subject[who] + within * rng.normal(size=(N, 4)), columns=list("abcd"))
    return frame, who, y


def found(frame, y, check="group"):
    ds = make_dataset(frame.assign(outcome=np.array(["well", "ill"])[y]), "outcome", name="t")
    return [finding for finding in ds.findings if finding.check == check], ds


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("patient", lambda who: [f"P{k:03d}" for k in who]),
        ("PatientID", lambda who: 1000 + 7 * who),
        ("Maschine", lambda who: [f"Anlage {k}" for k in who]),
        ("w", lambda who: [f"{k * 2654435761 % 2**32:08x}" for k in who]),
        ("kz", lambda who: np.random.default_rng(1).permutation(500)[who]),
    ],
)
def test_subjects_are_found_by_name_by_words_or_by_class(name, values):
    frame, who, y = visits()
    (finding,), ds = found(frame.assign(**{name: values(who)}), y)
    assert finding.columns == (name,) and finding.kind == "warning"
    assert f"Column '{name}' repeats: 40 values in 320 rows, 8 rows each" in finding.fact
    assert finding.remedy.label == f"Split by '{name}'"
    after = ds.with_choices(ds.choices.with_changes(finding.remedy.changes))
    split = after.split()
    assert not set(who[split.train]) & set(who[split.test])
    assert not [one for one in after.findings if one.check == "group"]
    assert any("decides the split, as you chose" in note for note in after.notes)


def test_what_a_fair_test_changes_is_said():
    frame, who, y = visits()
    (finding,), _ = found(frame.assign(patient=who), y)
    known, apart = re.search(
        r"balanced accuracy (\S+), but (\S+) when rows with the same 'patient' are left out", finding.fact
    ).groups()
    assert float(known) > 0.95 and float(apart) < 0.65


def test_of_several_columns_that_name_subjects_one_is_offered():
    frame, who, y = visits()
    assert len(found(frame.assign(patient=who, device=[f"D{k // 2}" for k in who]), y)[0]) == 1


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("age", lambda rng, y: (45 + 12 * rng.normal(size=N) + 6 * y).round()),
        ("children", lambda rng, y: rng.poisson(3 + y)),
        ("zip", lambda rng, y: rng.choice([10115, 20095, 30159, 40210, 50667, 60311, 70173, 80331, 1067], N)),
        ("price", lambda rng, y: rng.integers(20, 60, N) * 5 + 20 * y),
        ("city", lambda rng, y: rng.choice([f"town {'abcdefghijklmnopqrst'[k]}" for k in range(20)], N)),
        ("session", lambda rng, y: rng.integers(1, 31, N)),
        ("n_patients", lambda rng, y: rng.integers(1, 31, N) + 10 * y),
    ],
)
def test_measurements_counts_and_categories_that_repeat_are_no_subjects(name, values):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, N)
    frame = pd.DataFrame(rng.normal(size=(N, 4)) + y[:, None], columns=list("abcd"))
    assert found(frame.assign(**{name: values(rng, y)}), y)[0] == []


def test_smooth_measurements_in_whole_numbers_are_no_subjects():
    rng = np.random.default_rng(3)
    at = rng.uniform(0, 1, N)
    frame = pd.DataFrame({f"m{k}": (60 * at + rng.normal(size=N)).round() for k in range(4)})
    assert found(frame, (at > 0.5).astype(int))[0] == []


def test_rows_without_a_subject_do_not_matter():
    frame, who, y = visits()
    patient = pd.Series([f"P{k}" for k in who], dtype=object)
    patient[:20] = None
    (finding,), _ = found(frame.assign(patient=patient), y)
    assert "40 values in 300 rows" in finding.fact

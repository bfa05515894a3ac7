"""Repeated rows: found where they matter, and kept together or dropped as a person chooses."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from tests.data.check import helpers
from tests.data.check.helpers import dataset
from tsk_core.data.folds import equal_rows, make_folds

N = 300


def measured(copies, seed=0, n=N):
    """A table of measurements of which some rows stand twice, shuffled."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(n, 3)), columns=list("abc")).assign(kind=rng.choice(["x", "y"], n))
    frame["class"] = np.where(rng.random(n) < 0.2, "rare", "usual")
    return pd.concat([frame, frame.head(copies)]).sample(frac=1, random_state=seed).reset_index(drop=True)


def found(ds):
    return helpers.found(ds, "repeated rows")


def test_copies_are_counted_and_the_test_rows_that_training_knows():
    ds = dataset(measured(60))
    (finding,) = found(ds)
    split, rows = ds.split(), [tuple(row) for row in ds.X.to_numpy()]
    known = {rows[k] for k in split.train}
    share = np.mean([rows[k] in known for k in split.test])
    assert "60 of 360 rows equal an earlier one in all features" in finding.fact
    assert f"{share:.0%} of the test rows equal a training row." in finding.fact
    assert finding.kind == "warning" and finding.remedy.changes == {"repeated": "together"}


def test_equal_rows_stay_together_in_the_split_in_folds_and_in_hold_outs_and_classes_in_proportion():
    ds = dataset(measured(60), repeated="together")
    (finding,) = found(ds)
    assert finding.kind == "note" and "as you chose" in finding.done
    rows = equal_rows(ds.X)
    split = ds.split(seed=3)
    assert not set(rows[split.train]) & set(rows[split.test])
    assert abs(len(split.test) - 0.3 * len(rows)) < 5
    assert abs((ds.y[split.test] == "rare").mean() - (ds.y == "rare").mean()) < 0.03
    for fold in make_folds(ds.y, ds.split_column, 1, 5, 0).folds:
        assert not set(rows[fold.train]) & set(rows[fold.test])
        assert abs(len(fold.test) - len(rows) / 5) <= 6
        assert abs((ds.y[fold.test] == "rare").mean() - (ds.y == "rare").mean()) < 0.06
    assert (ds.fit_params(np.arange(5))["groups"] == ds.split_column.values[:5]).all()


def test_all_but_the_first_of_equal_rows_are_dropped():
    frame = measured(60)
    ds = dataset(frame, repeated="drop")
    pd.testing.assert_frame_equal(ds.frame, frame.drop_duplicates(ignore_index=True), check_dtype=False)
    (finding,) = found(ds)
    assert finding.fact.startswith("60 rows equal an earlier one") and finding.done == "Dropped, as you chose."


def test_rows_of_another_class_are_not_dropped_but_noted():
    frame = measured(0)
    twice = pd.concat([frame, frame.head(40).assign(**{"class": "other"})], ignore_index=True)
    (note,) = [finding for finding in found(dataset(twice, repeated="drop")) if finding.kind == "note"]
    assert "80 rows equal others of another class" in note.fact and "wrong for at least 40 of them" in note.fact
    assert "88.2% of all rows" in note.fact
    assert len(dataset(twice, repeated="drop").frame) == N + 40


def test_a_split_column_has_its_rows_dropped_too_and_keeps_no_equal_rows_together():
    frame = measured(60).assign(part=["train", "train", "test"] * 120)
    ds = dataset(frame)
    assert found(ds)[0].remedy.changes == {"repeated": "drop"}
    dropped = dataset(frame, repeated="drop")
    assert len(dropped.split_column.values) == len(dropped.frame) == N
    together = dataset(frame, repeated="together")
    assert together.split_column.column == "part"
    assert any("Not kept together, since column 'part' decides the split." in note for note in together.notes)


def test_rows_that_chance_makes_equal_are_not_reported():
    full = pd.DataFrame(list(product("abc", repeat=5)), columns=list("vwxyz"))
    assert found(dataset(full.assign(**{"class": np.where(full["v"] == full["w"], "s", "d")}))) == []
    rng = np.random.default_rng(0)
    few = pd.DataFrame(rng.choice(["yes", "no"], (200, 6))).assign(**{"class": rng.choice(["s", "d"], 200)})
    assert found(dataset(few)) == []
    assert found(dataset(measured(2))) == []  # a few copies


@pytest.mark.parametrize("choice", ["together", "drop"])
def test_without_equal_rows_a_choice_changes_nothing(choice):
    ds = dataset(measured(0), repeated=choice)
    assert found(ds) == [] and ds.split_column is None
    np.testing.assert_array_equal(ds.split().test, dataset(measured(0)).split().test)

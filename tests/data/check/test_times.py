"""Time: a column that says when rows were is offered as the split; births, lengths of time and unsorted years are not."""

import numpy as np
import pandas as pd
import pytest

from tsk_core.data import make_dataset

N = 120
RNG = np.random.default_rng(0)
DAYS = pd.to_datetime("2022-01-01") + pd.to_timedelta(np.sort(RNG.integers(0, 700, N)), unit="D")


def found(**columns):
    y = RNG.integers(0, 2, N)
    frame = pd.DataFrame(RNG.normal(size=(N, 3)), columns=list("abc")).assign(**columns, outcome=np.array(["well", "ill"])[y])
    ds = make_dataset(frame, "outcome", name="t")
    return [finding for finding in ds.findings if finding.check == "time"], ds


@pytest.mark.parametrize(
    ("name", "values", "fact"),
    [
        ("when", DAYS.strftime("%Y-%m-%d"), "the rows are sorted by it, 2022 to 202"),
        ("when", DAYS[::-1].strftime("%d.%m.%Y"), "the rows are sorted by it, 2022 to 202"),
        ("when", RNG.permutation(DAYS.strftime("%Y-%m-%d")), "it has dates of the rows, 2022 to 202"),
        ("when", pd.date_range("2020-01-01", periods=N), "the rows are sorted by it, 2020."),
        ("when", np.datetime64("30000-01-01", "s") + np.arange(N) * 10**8, "the rows are sorted by it."),
        ("recorded", RNG.permutation(DAYS.strftime("%Y%m%d").astype(int)), "it has dates of the rows, 2022 to 202"),
        ("year", np.sort(RNG.integers(2001, 2021, N)), "the rows are sorted by it, 2001 to 2020."),
        ("period", np.arange(N) // 3, "the rows are sorted by it."),
        ("ts", np.sort(RNG.integers(1_600_000_000, 1_650_000_000, N)), "the rows are sorted by it, 2020 to 2022."),
    ],
)
def test_times_are_offered_as_the_split(name, values, fact):
    (offer,), ds = found(**{name: values})
    assert fact in offer.fact and offer.kind == "offer" and offer.columns == (name,)
    assert offer.remedy.label == "Test on the latest rows"
    after = ds.with_choices(ds.choices.with_changes(offer.remedy.changes))
    assert after.split_column.kind == "time"
    assert not [finding for finding in after.findings if finding.check == "time"]
    assert f"Column '{name}' decides the split, as you chose. The latest rows are tested." in after.notes


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("birth date", RNG.permutation(DAYS.strftime("%Y-%m-%d"))),
        ("built", RNG.integers(1950, 2020, N)),
        ("year", RNG.integers(1950, 2020, N)),
        ("time", RNG.integers(3, 90, N)),
        ("dose", np.sort(RNG.integers(3, 90, N))),
        ("age in years", np.sort(RNG.integers(18, 90, N)) + 0.5),
        ("when", [f"{k % 24:02d}:30" for k in range(N)]),
        ("when", ["2024-03-05", "2024-03-06"] * (N // 2)),
    ],
)
def test_other_columns_are_no_times(name, values):
    assert found(**{name: values})[0] == []


def test_of_several_times_the_one_in_whose_order_the_rows_are_is_offered():
    dates = DAYS.strftime("%Y-%m-%d")
    (offer,), _ = found(ordered=RNG.permutation(dates), shipped=dates)
    assert offer.columns == ("shipped",)

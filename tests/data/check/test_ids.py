"""IDs: numbers that name rows are found among the numbers, and measurements of which all differ are not."""

import numpy as np
import pandas as pd
import pytest

from tsk_core.data import make_dataset

N = 200


def found(name, values, n=N):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    frame = pd.DataFrame(rng.normal(size=(n, 3)) + 0.5 * y[:, None], columns=list("abc"))
    ds = make_dataset(frame.assign(**{name: values}, outcome=np.array(["well", "ill"])[y]), "outcome", name="t")
    return [finding for finding in ds.findings if finding.check == "id"], ds


RNG = np.random.default_rng(1)
IDS = {
    "record": (RNG.permutation(N) + 1, "whereas some measurements would be equal by chance"),
    "lfd": (np.arange(N) + 1, "count the rows"),
    "customer": (RNG.choice(10**7, N, replace=False) + 10**7, "its name says what they are"),
    "reference": (RNG.choice(9 * 10**8, N, replace=False) + 10**8, "have 9 digits"),
    "article": (RNG.choice(9 * 10**5, N, replace=False) + 10**5, "have 6 digits"),
    "phone": (RNG.integers(3 * 10**9, 10**10, N), "10 digits"),
    "zip_code": (RNG.integers(10**4, 10**5, N), "5 digits"),
    "Kundennr": (np.append(RNG.permutation(N - 10) + 300, np.arange(10) + 300), "its name says what they are"),
}
MEASUREMENTS = {
    "salary": np.exp(12.5 + 0.4 * RNG.normal(size=N)).astype(int),  # in cents, so that nearly all differ
    "price": (RNG.choice(8_000, N, replace=False) + 1_000) * 100,
    "area": np.round(np.exp(5 + RNG.normal(size=N)), 2),
    "population": np.exp(11 + 2 * RNG.normal(size=N)).astype(int),
    "age": RNG.integers(18, 90, N),
    "visits": RNG.poisson(4, N),
    "group id": RNG.integers(1, 6, N),
    "year": RNG.integers(1990, 2020, N),
    "seconds": np.sort(RNG.integers(1_600_000_000, 1_650_000_000, N)),
    "balance": RNG.normal(size=N).round(3) * 1000,
}


@pytest.mark.parametrize("name", IDS)
def test_numbers_that_name_are_found_with_a_reason_and_can_be_left_out(name):
    values, why = IDS[name]
    (finding,), ds = found(name, values)
    assert finding.columns == (name,) and finding.kind == "warning" and why in finding.fact
    after = ds.with_choices(ds.choices.with_changes(finding.remedy.changes))
    assert name not in after.X and f"Column '{name}': left out as you chose. Left out." in after.notes


@pytest.mark.parametrize("name", MEASUREMENTS)
def test_measurements_are_no_ids_even_where_all_differ(name):
    assert found(name, MEASUREMENTS[name])[0] == []


def test_a_chosen_role_is_not_questioned():
    ds = found("record", IDS["record"][0])[1]
    chosen = ds.with_choices(ds.choices.with_changes({"roles": {"record": "number"}}))
    assert not [finding for finding in chosen.findings if finding.check == "id"]


def test_a_few_rows_are_not_judged():
    assert found("record", [5, 3, 9, 1, 7, 2], n=6)[0] == []

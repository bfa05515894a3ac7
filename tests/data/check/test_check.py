"""All checks together: they end for any table, bad ones raise nothing, remedies work, and a column has one offer."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.data.check.helpers import dataset, taken
from tsk_core.data import load_dataset
from tsk_core.data.check import CHECKS
from tsk_core.data.findings import KINDS
from tsk_core.errors import DataError

NAMES = ("id", "patient", "date", "year", "age", "zip", "grade", "score", "x", "when", "order_no")
COLUMNS = {
    "copy": lambda y, rng: y,
    "copy in words": lambda y, rng: np.array(["low", "medium", "high"], dtype=object)[y],
    "nearly a copy": lambda y, rng: y + rng.normal(0, 0.05, len(y)),
    "filled for one class": lambda y, rng: np.where(y == 0, rng.normal(size=len(y)), np.nan),
    "subjects": lambda y, rng: np.char.add("P", rng.integers(0, max(len(y) // 4, 1), len(y)).astype(str)).astype(object),
    "counter": lambda y, rng: np.arange(len(y)),
    "long numbers": lambda y, rng: rng.integers(10**9, 10**10, len(y)),
    "years": lambda y, rng: np.sort(rng.integers(1990, 2024, len(y))),
    "dates": lambda y, rng: pd.Timestamp("2024-02-28") + pd.to_timedelta(np.sort(rng.integers(0, 400, len(y))), "D"),
    "with a code": lambda y, rng: np.where(rng.random(len(y)) < 0.2, -99, rng.integers(20, 90, len(y))),
    "zeros": lambda y, rng: np.where(rng.random(len(y)) < 0.3, 0.0, rng.gamma(5, 20, len(y))),
    "few categories": lambda y, rng: rng.choice(["a", "b", None], len(y)),
    "one cell": lambda y, rng: np.where(np.arange(len(y)) == 0, 1.0, np.nan),
    "huge": lambda y, rng: rng.normal(size=len(y)) * 1e140,
}
KINDS_BY_NAME = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(sorted(COLUMNS)), min_size=1, max_size=6)


@given(n=st.integers(2, 80), classes=st.integers(1, 3), seed=st.integers(0, 99), doubled=st.booleans(), kinds=KINDS_BY_NAME)
def test_checks_end_and_their_remedies_make_a_table(n, classes, seed, doubled, kinds):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    frame = pd.DataFrame({name: COLUMNS[kind](y, rng) for name, kind in kinds.items()} | {"class": np.array(["p", "q", "r"])[y]})
    if doubled:
        frame = pd.concat([frame, frame], ignore_index=True)
    try:
        ds = dataset(frame)
    except DataError:  # such as one class, or no feature
        return
    for finding in ds.findings:
        assert finding.kind in KINDS and finding.fact
        if finding.remedy is not None:
            try:
                mended = taken(ds, finding)
            except DataError as error:  # the only feature left out
                assert "No column besides the target" in str(error)
                continue
            assert finding.fact not in [other.fact for other in mended.findings], finding


N = 40
HALVES = ["x", "y"] * (N // 2)
BAD = {
    "an empty column": {"a": [None] * N},
    "a constant column": {"a": [1] * N},
    "one filled cell": {"a": [3, *[None] * (N - 1)]},
    "odd signs": {"a": ["\u202e", "{}", "' OR 1=1", "<b>", "\U0001f600", "$$", "%s", "|"] * (N // 8)},
    "huge numbers": {"a": [1e300, -1e300, np.inf, 0] * (N // 4)},
    "negative IDs": {"patient": [-1, -2, 3, 4] * (N // 4)},
    "truth": {"a": [True, False] * (N // 2)},
    "lengths of time": {"a": pd.to_timedelta(range(N), unit="h")},
    "every row its own subject": {"patient": [f"P{k}" for k in range(N)]},
    "subjects without features": {"patient": [f"P{k // 4}" for k in range(N)], "one": [1] * N},
    **{f"classes {labels[:5]}": {"patient": np.arange(len(labels)) // 2, "copy": labels, "class": labels}
       for labels in (["x"] * 39 + ["y"], [f"c{k // 2}" for k in range(N)], ["x", "x", "y", "y"], ["x", "x", "x", "y"])},
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_bad_tables_are_survived(kind):
    rows = len(next(iter(BAD[kind].values())))
    frame = pd.DataFrame({"good": np.arange(rows) % 7 + 0.5, "class": HALVES[:rows]} | BAD[kind])
    for repeated in ("keep", "together", "drop"):
        ds = dataset(frame, repeated=repeated)
        split = ds.split()
        assert len(split.train) + len(split.test) == len(ds.frame)


def test_a_column_has_one_offer_of_a_role():
    rng = np.random.default_rng(0)
    who = np.repeat(np.arange(40), 8)  # sorted by class: the number alone predicts it, too
    frame = pd.DataFrame(rng.normal(size=(320, 3)), columns=list("abc")).assign(
        patient_id=who, outcome=np.repeat(["s", "t"], 160)
    )
    assert [one.check for one in dataset(frame, "outcome").findings if one.columns == ("patient_id",) and one.check] == ["group"]


def test_every_finding_names_its_check_and_every_issue_has_a_remedy_with_a_label():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    frame = pd.DataFrame(rng.normal(size=(400, 3)), columns=list("abc")).assign(code=7 - y, record=rng.permutation(400))
    frame = pd.concat([frame.assign(year=np.sort(rng.integers(2001, 2021, 400)), outcome=y)] * 2)
    some = [finding for finding in dataset(frame, "outcome").findings if finding.check]
    assert {"leak", "repeated rows"} <= {finding.check for finding in some}
    assert all(finding.remedy and finding.remedy.label and len(str(finding)) < 400 for finding in some if finding.kind != "note")
    assert len(CHECKS) == len(set(CHECKS))


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer"])
def test_bundled_tables_have_no_finding_of_a_check(name):
    assert not [finding for finding in load_dataset(name).findings if finding.check]

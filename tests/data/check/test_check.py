"""All checks together: bad tables raise nothing, and a column has one offer."""

import numpy as np
import pandas as pd
import pytest

from tsk_core.data import Choices, make_dataset
from tsk_core.data.check import CHECKS
from tsk_core.errors import DataError

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
}


@pytest.mark.parametrize("columns", BAD.values(), ids=BAD)
@pytest.mark.parametrize("repeated", ["keep", "together", "drop"])
def test_bad_columns_are_survived(columns, repeated):
    frame = pd.DataFrame({"good": np.arange(N) % 7 + 0.5, **columns, "class": HALVES})
    assert make_dataset(frame, "class", name="t", choices=Choices(repeated=repeated)).findings is not None


@pytest.mark.parametrize(
    "labels", [["x"] * 39 + ["y"], [f"c{k // 2}" for k in range(N)], ["x", "x", "y", "y"], ["x", "x", "x", "y"]]
)
@pytest.mark.parametrize("repeated", ["keep", "together", "drop"])
def test_classes_of_a_row_and_tables_of_four_rows_are_survived(labels, repeated):
    n = len(labels)
    frame = pd.DataFrame({"patient": np.arange(n) // 2, "copy": labels, "a": [1.5] * (n - 1) + [2], "class": labels})
    ds = make_dataset(frame, "class", name="t", choices=Choices(repeated=repeated))
    split = ds.split()
    assert len(split.train) + len(split.test) == len(ds.frame)


def test_two_rows_are_an_error_of_the_target_as_before():
    with pytest.raises(DataError, match="rows"):
        make_dataset(pd.DataFrame({"a": [1, 2], "class": ["x", "y"]}), "class", name="t")


def test_a_column_has_one_offer_of_a_role():
    rng = np.random.default_rng(0)
    who = np.repeat(np.arange(40), 8)  # sorted by class: the number alone predicts it, too
    y = (who >= 20).astype(int)
    frame = pd.DataFrame(rng.normal(size=(320, 3)), columns=list("abc")).assign(patient_id=who, outcome=np.array(["s", "t"])[y])
    offers = [
        finding.check for finding in make_dataset(frame, "outcome", name="t").findings if finding.columns == ("patient_id",)
    ]
    assert offers == ["group"]


def test_every_finding_names_its_check_and_every_issue_has_a_remedy_with_a_label():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    frame = pd.DataFrame(rng.normal(size=(400, 3)), columns=list("abc")).assign(code=7 - y, record=rng.permutation(400))
    frame = pd.concat([frame.assign(year=np.sort(rng.integers(2001, 2021, 400)), outcome=y)] * 2)
    found = [finding for finding in make_dataset(frame, "outcome", name="t").findings if finding.check]
    assert {"leak", "repeated rows"} <= {finding.check for finding in found}
    assert all(finding.remedy and finding.remedy.label and len(str(finding)) < 400 for finding in found if finding.kind != "note")
    assert len(CHECKS) == len(set(CHECKS))

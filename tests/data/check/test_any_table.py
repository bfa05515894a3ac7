"""The checks end for any table, also one of a few rows, of copies of the class, or of empty columns."""

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.data import make_dataset
from tsk_core.data.finding import KINDS
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
        dataset = make_dataset(frame, "class", name="any")
    except DataError:  # such as one class, or no feature
        return
    for finding in dataset.findings:
        assert finding.kind in KINDS and finding.fact
        if finding.remedy is not None:
            try:
                mended = dataset.with_choices(dataset.choices.with_changes(finding.remedy.changes))
            except DataError as error:  # the only feature left out
                assert "No column besides the target" in str(error)
                continue
            assert finding.fact not in [other.fact for other in mended.findings], finding

"""The canonical hash: blind to how a table is written down, and to nothing else."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.data.gallery.paper import canonical_hash

CELLS = st.sampled_from([0.0, 1.0, -2.5, 1000.0, 0.333333])
TABLES = st.integers(1, 4).flatmap(lambda d: st.lists(st.tuples(*[CELLS] * d, st.sampled_from("ab")), min_size=1, max_size=8))


def as_frame(rows):
    return pd.DataFrame(rows, columns=[*(f"x{k}" for k in range(len(rows[0]) - 1)), "class"])


@given(TABLES, st.randoms(use_true_random=False))
def test_order_and_names_do_not_count(rows, random):
    frame = as_frame(rows)
    columns = random.sample(list(frame.columns), frame.shape[1])
    other = frame.sample(frac=1, random_state=random.randrange(1000))[columns].rename(columns=lambda c: f"<{c}>")
    other["<class>"] = other["<class>"].map({"a": "second", "b": "first"})
    assert canonical_hash(other, "<class>") == canonical_hash(frame)


@given(TABLES, st.data())
def test_a_changed_cell_counts(rows, data):
    frame = as_frame(rows)
    row, column = data.draw(st.integers(0, len(rows) - 1)), data.draw(st.integers(0, frame.shape[1] - 2))
    other = frame.copy()
    other.iloc[row, column] += 0.5
    assert (canonical_hash(other) == canonical_hash(frame)) == bool(other.iloc[row, column] == frame.iloc[row, column])


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    return pd.DataFrame({"a": rng.normal(size=40), "b": rng.integers(0, 9, 40), "s": np.resize(["M", "F"], 40)}).assign(
        **{"class": np.resize(["p", "p", "q"], 40)}
    )


def test_an_added_removed_reclassified_or_mixed_row_counts(frame):
    moved = frame.assign(**{"class": frame["class"].where(frame.index != 3, "q")})
    tables = [frame, frame.iloc[1:], pd.concat([frame, frame.iloc[:1]]), frame.drop(columns="b"), moved]
    assert len({canonical_hash(table) for table in tables}) == len(tables)
    swapped = frame.copy()
    swapped.loc[[0, 3], "a"] = frame.loc[[3, 0], "a"].to_numpy()
    assert canonical_hash(swapped) != canonical_hash(frame)


def test_how_a_number_or_word_is_printed_does_not_count_but_six_digits_do(frame):
    printed = frame.assign(
        a=frame["a"].map("{:.12f}".format), b=frame["b"].astype(float), s=frame["s"].str.lower().astype("category"),
        **{"class": frame["class"].map({"p": 1, "q": 2})},
    )  # fmt: skip
    assert canonical_hash(printed) == canonical_hash(frame)
    assert canonical_hash(frame.assign(a=frame["a"].map("{:.9g}".format).astype(float))) == canonical_hash(frame)
    assert canonical_hash(frame.assign(a=frame["a"] * 1.0001)) != canonical_hash(frame)


def test_minus_zero_is_zero_and_missing_is_neither():
    zero, minus, missing = (pd.DataFrame({"a": [1.0, cell, 2.0], "class": list("xyx")}) for cell in (0.0, -0.0, np.nan))
    assert canonical_hash(zero) == canonical_hash(minus) != canonical_hash(missing)

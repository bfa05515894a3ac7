"""The order of a rule list against a search that goes through the rows one by one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.evaluate.intervals import wilson
from tsk_core.explain.readable.rule_list import default_class, ordered, taken_by


def slow_order(true, says, y):
    """Row by row: the most precise of the sentences left, on the rows left, a row counting one over the rows of its class."""
    free, rest, order = list(range(len(true))), list(range(len(says))), []
    weight = [1 / sum(other == own for other in y) for own in y]
    while rest:
        best, best_key = None, None
        for r in rest:
            rows = [n for n in free if true[n][r]]
            total = sum(weight[n] for n in rows)
            share = sum(weight[n] for n in rows if y[n] == says[r]) / total if rows else 0.0
            key = (round(wilson(share * len(rows), len(rows)).low, 12), -len(rows))
            if best_key is None or key > best_key:
                best, best_key = r, key
        order.append(best)
        rest.remove(best)
        free = [n for n in free if not true[n][best]]
    return order, free


@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 25), st.floats(0, 1))
def test_the_most_precise_sentence_of_those_left_is_next(seed, R, N, share):
    rng = np.random.default_rng(seed)
    true, says, y = rng.random((N, R)) < share, rng.integers(0, 3, R), rng.integers(0, 3, N)
    order, free = slow_order(true.tolist(), says.tolist(), y.tolist())
    assert ordered(true, says, y) == order
    taken = taken_by(true[:, order])
    assert (taken.sum(1) == 1).all()
    assert np.flatnonzero(taken[:, -1]).tolist() == free
    for n in range(N):
        first = next((k for k, r in enumerate(order) if true[n, r]), R)
        assert taken[n].argmax() == first


def test_the_last_class_is_that_of_most_rows_left_or_of_most_rows():
    y = np.array([0, 0, 0, 1, 2, 2])
    assert default_class(y, np.array([1, 0, 0, 0, 1, 1], bool)) == 2
    assert default_class(y, np.zeros(6, bool)) == 0

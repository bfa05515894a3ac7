"""Two runs on the same test rows."""

from types import SimpleNamespace

import numpy as np
import pytest

from tsk_core.runs.paired import paired_runs
from tsk_core.runs.run_files import Predictions

ROWS = np.arange(1931)
TRUE = ROWS % 3


def run(wrong=(), rows=ROWS, true=TRUE):
    """A run that classifies all its test rows correctly but these."""
    predicted = true.copy()
    predicted[list(wrong)] = 9
    found = Predictions(true, predicted, np.empty((len(true), 0)), np.arange(len(true)))
    return SimpleNamespace(split=lambda: SimpleNamespace(test=rows), predictions=lambda: found)


def test_as_many_rows_lost_as_won_are_no_difference():
    """+0.005 on 1,931 rows: 60 errors before, 50 now, of which 40 rows are new."""
    paired = paired_runs(run(range(60)), run(range(50, 100)))
    assert paired.scores["rca"].difference == pytest.approx(10 / 1931)
    assert (paired.rows, paired.differing) == (1931, 90)
    assert paired.verdict("rca") == paired.verdict("bca") == 0


def test_a_run_that_loses_no_row_and_wins_many_is_better_and_the_other_worse():
    worse, better = run(range(60)), run(range(40))
    assert paired_runs(worse, better).verdict("rca") == 1 and paired_runs(better, worse).verdict("rca") == -1
    assert paired_runs(worse, better).verdict("bca") == 1


@pytest.mark.parametrize(("won", "verdict"), [(5, 0), (6, 1)])
def test_fewer_rows_than_a_sign_test_needs_tell_nothing(won, verdict):
    assert paired_runs(run(range(won)), run()).verdict("rca") == verdict


def test_other_test_rows_are_not_compared():
    assert paired_runs(run(), run(rows=ROWS + 1)) is None
    assert paired_runs(run(), run(rows=ROWS[:50], true=TRUE[:50])) is None
    empty = run(rows=ROWS[:0], true=TRUE[:0])
    assert paired_runs(empty, empty) is None


def test_chance_is_called_a_difference_in_at_most_one_of_twenty():
    random, found = np.random.default_rng(0), 0
    for _ in range(200):
        differing = random.random(len(ROWS)) < 0.03
        first = random.random(len(ROWS)) < 0.5
        found += paired_runs(run(ROWS[differing & first]), run(ROWS[differing & ~first])).verdict("rca") != 0
    assert found <= 18  # of 200; 10 are expected, 18 or more have a probability of 1%

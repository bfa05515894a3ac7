"""Rows that belong together: intervals of groups and of blocks of time, recounted."""

import numpy as np
import pytest

from tsk_core.data.splitting import SplitColumn
from tsk_core.evaluate.comparing import paired_differences
from tsk_core.evaluate.confusion import intervals_and_classes
from tsk_core.evaluate.intervals import RESAMPLES, Units, block_length, drawn_text, how_drawn, rows_alone, units_of

CLASSES = ["0", "1"]
PATIENTS, VISITS = 24, 40


def visits(rng):
    """True and predicted classes, patients; of each patient another share is right, so that rows of a patient are alike."""
    patient = np.repeat(np.arange(PATIENTS), VISITS)
    right = rng.random(len(patient)) < rng.beta(1.35, 1.65, PATIENTS)[patient]
    true = rng.integers(0, 2, len(patient))
    return true, np.where(right, true, 1 - true), patient


def intervals(true, predicted, units):
    return intervals_and_classes(true, predicted, CLASSES, units, 0)["intervals"]


def width(interval):
    return interval[1] - interval[0]


def slow_groups(true, predicted, patient, seed):
    """Patient by patient: draw them with replacement and score the rows of all that were drawn."""
    rng, scores = np.random.default_rng(seed), []
    names = np.unique(patient)
    for _ in range(RESAMPLES):
        rows = np.concatenate([np.flatnonzero(patient == name) for name in rng.choice(names, len(names))])
        right = true[rows] == predicted[rows]
        scores.append((right.mean(), np.mean([right[true[rows] == k].mean() for k in (0, 1)])))
    t, G = 2.0687, len(names)  # the t table: 97.5%, 23 degrees of freedom
    from scipy.stats import norm

    tail = norm.cdf(-t * (G / (G - 1)) ** 0.5)
    return np.quantile(scores, [tail, 1 - tail], axis=0).T


def test_the_interval_of_patients_is_that_of_whole_patients_drawn_again_and_much_wider_than_that_of_rows():
    true, predicted, patient = visits(np.random.default_rng(4))
    units = Units(patient, "groups", "patient")
    found, by_rows = intervals(true, predicted, units), intervals(true, predicted, rows_alone(len(true)))
    slow = slow_groups(true, predicted, patient, 9)
    for score, bounds in zip(("rca", "bca"), slow, strict=True):
        assert found[score] == pytest.approx(bounds, abs=0.02)
        assert width(found[score]) > 2.5 * width(by_rows[score])


def test_the_difference_of_two_classifiers_is_that_of_patients_too():
    rng = np.random.default_rng(0)
    true, one, patient = visits(rng)
    better = rng.random(PATIENTS)[patient] < 0.5  # of half of the patients
    other = np.where(better, true, one)
    units = Units(patient, "groups")
    found = paired_differences(true, one, other, units, 0)["rca"]
    gained, drawn = (
        (one == true).astype(float) - (other == true),
        np.random.default_rng(5).integers(0, PATIENTS, (4000, PATIENTS)),
    )
    slow = np.quantile(gained.reshape(PATIENTS, VISITS).mean(1)[drawn].mean(1), [0.0184, 0.9816])  # Φ(−2.0687 √(24/23))
    assert found[1:] == pytest.approx(slow, abs=0.02) and found.difference == pytest.approx(gained.mean())
    by_rows = paired_differences(true, one, other, rows_alone(len(true)), 0)["rca"]
    assert found.high - found.low > 2 * (by_rows.high - by_rows.low)


def test_where_all_rows_of_few_patients_are_right_each_patient_counts_as_one_row():
    true, patient = np.tile([0, 1], 140), np.repeat(np.arange(7), 40)
    found = intervals_and_classes(true, true, CLASSES, Units(patient, "groups"), 0)
    assert found["intervals"]["rca"] == pytest.approx([0.6457, 1], abs=0.0001)  # Wilson, 7 of 7
    assert found["intervals"]["bca"][0] < 0.75 and found["by_class"][0]["recall_interval"] == pytest.approx(
        [0.6457, 1], abs=0.0001
    )
    one_wrong = np.append(true[:-1], 0)
    assert intervals(true, one_wrong, Units(patient, "groups"))["rca"][0] < 0.7  # one mistake does not prove more


def test_patients_of_a_single_row_are_rows():
    column = SplitColumn("group", "patient", np.array([5, 3, 9, 4]))
    assert units_of(column, np.ones(4, bool)).kind == "rows"
    assert units_of(None, np.ones(4, bool)).to_dict() == {"unit": "rows", "count": 4, "column": "", "length": 0}
    codes = SplitColumn("group", "patient", np.array([5, 3, 5, 3]))
    assert units_of(codes, np.ones(4, bool)).to_dict() == {"unit": "groups", "count": 2, "column": "patient", "length": 0}


def series(rng, length, stays):
    """Right or wrong, time after time: each time as before with a probability, else drawn anew."""
    fresh = rng.random(length) > stays
    fresh[0] = True
    return (rng.random(length) < 0.8)[np.maximum.accumulate(np.where(fresh, np.arange(length), 0))]


def test_blocks_are_consecutive_times_and_longer_where_mistakes_come_together():
    rng = np.random.default_rng(0)
    alone, together = (np.mean([block_length(series(rng, 300, stays)) for _ in range(20)]) for stays in (0.0, 0.9))
    assert 7 <= alone < 9 and together > 2 * alone  # ∛300 = 6.7
    right = series(rng, 300, 0.9)
    order = rng.permutation(300)
    units = units_of(SplitColumn("time", "date", order.astype(float)), right[order])
    assert units.kind == "blocks" and units.count == 300 // units.length and units.column == "date"
    in_time = units.codes[np.argsort(order)]
    assert (np.diff(in_time) >= 0).all() and np.bincount(in_time).min() >= units.length
    same = SplitColumn("time", "date", np.repeat(np.arange(30.0), 10))
    assert all(len(np.unique(units_of(same, right).codes[at : at + 10])) == 1 for at in range(0, 300, 10))


def test_what_intervals_are_over_is_said_with_its_numbers():
    rows = rows_alone(1450).to_dict()
    groups = Units(np.repeat(np.arange(7), 40), "groups", "patient").to_dict()
    blocks = Units(np.repeat(np.arange(23), 12), "blocks", "date", 12).to_dict()
    assert drawn_text(rows, 1450) == " over 1,450 test rows" and "Wilson" in how_drawn(rows)
    assert drawn_text(groups, 280) == ", by the 7 groups of 'patient' (280 test rows)"
    assert "whole groups are drawn" in how_drawn(groups) and "later rows" not in how_drawn(groups)
    assert drawn_text(blocks, 276) == ", by 23 blocks of 12 consecutive times of 'date' (276 test rows)"
    assert "later rows may differ" in how_drawn(blocks)

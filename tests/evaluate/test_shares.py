"""Intervals at scores of 0 and 1, and how often intervals of simulated rows hold the true score."""

import numpy as np
import pytest
from scipy import stats

from tsk_core.evaluate.confusion import intervals_and_classes
from tsk_core.evaluate.intervals import Units, overlaps, rows_alone, share_interval, wilson


def slow_mean_interval(right, rows):
    """The interval of BCA by its definition: Wilson's, of as many rows as have the variance of the mean of the recalls."""
    recalls = [k / n for k, n in zip(right, rows, strict=True)]
    added = [(k + 1) / (n + 2) for k, n in zip(right, rows, strict=True)]
    variance = sum(a * (1 - a) / n for a, n in zip(added, rows, strict=True)) / len(rows) ** 2
    mean, effective = sum(added) / len(rows), 0.0
    effective = mean * (1 - mean) / variance
    share, z = sum(recalls) / len(rows), stats.norm.ppf(0.975)
    centre = (share + z**2 / (2 * effective)) / (1 + z**2 / effective)
    half = z / (1 + z**2 / effective) * (share * (1 - share) / effective + z**2 / (4 * effective**2)) ** 0.5
    return centre - half, centre + half


def scored(right, rows, classes=3):
    """Intervals where so many rows of each class are right; the others are predicted as the next class."""
    true = np.repeat(np.arange(len(rows)), rows)
    wrong = np.concatenate([np.arange(n) >= k for k, n in zip(right, rows, strict=True)])
    return intervals_and_classes(
        true, np.where(wrong, (true + 1) % classes, true), list("abc")[:classes], rows_alone(len(true)), 0
    )


@pytest.mark.parametrize(("right", "rows"), [((5, 5, 4), (5, 5, 4)), ((0, 0, 0), (5, 5, 4)), ((30, 8, 2), (31, 12, 2))])
def test_the_interval_of_bca_is_that_of_its_definition(right, rows):
    found = scored(right, rows)["intervals"]
    assert found["bca"] == pytest.approx(slow_mean_interval(right, rows))
    whole = stats.binomtest(sum(right), sum(rows)).proportion_ci(method="wilson")
    assert found["rca"] == pytest.approx([whole.low, whole.high])


def test_measures_of_rows_that_are_all_right_have_a_width():
    found = scored((5, 5, 4), (5, 5, 4))
    assert found["intervals"]["rca"] == pytest.approx([0.785, 1], abs=0.001)
    assert found["intervals"]["bca"][0] == pytest.approx(0.78, abs=0.02) and found["intervals"]["bca"][1] == 1
    for one in found["by_class"]:
        for name in ("precision", "recall", "specificity", "f1"):
            low, high = one[f"{name}_interval"]
            assert one[name] == high == 1 and low < 0.8
    true, codes = np.repeat([0, 1], [65, 7]), np.arange(72) // 5
    found = intervals_and_classes(true, np.zeros(72, int), ["good", "bad"], Units(codes, "groups", "ward"), 0)["intervals"]
    low, high = found["bca"]  # of 1 and 0
    assert low < 0.45 and high > 0.55


def test_measures_of_a_class_have_wilsons_interval_and_f1_that_of_its_share():
    one = scored((30, 8, 2), (31, 12, 2))["by_class"][1]  # 8 of its 12 rows, and 1 of the first class
    assert (one["recall"], one["precision"]) == pytest.approx((8 / 12, 8 / 9))
    for name, right, of in (("recall", 8, 12), ("precision", 8, 9), ("specificity", 32, 33)):
        wilson = stats.binomtest(right, of).proportion_ci(method="wilson")
        assert one[f"{name}_interval"] == pytest.approx([wilson.low, wilson.high]), name
    share = stats.binomtest(8, 13).proportion_ci(method="wilson")
    assert one["f1_interval"] == pytest.approx([2 * share.low / (1 + share.low), 2 * share.high / (1 + share.high)])


def test_the_interval_of_a_share_is_by_units_where_rows_belong_together():
    rng, codes = np.random.default_rng(0), np.repeat(np.arange(12), 40)
    right = rng.random(480) < rng.beta(4, 2, 12)[codes]
    alone, together = (share_interval(right, units, 0) for units in (rows_alone(480), Units(codes, "groups", "ward")))
    assert alone == wilson(right.sum(), 480)
    assert together.high - together.low > 2 * (alone.high - alone.low)
    assert share_interval(np.empty(0, bool), rows_alone(0), 0) is None


def test_units_of_equal_sizes_count_as_one_row_each():
    trials = np.array([[4.0, 0], [4, 3], [4, 3], [0, 3]])
    worth, alike = overlaps(trials)
    assert worth == pytest.approx([3, 3]) and alike == pytest.approx(np.array([[1, 2 / 3], [2 / 3, 1]]))
    assert overlaps(np.array([[9.0], [1]])).worth == pytest.approx([100 / 82])

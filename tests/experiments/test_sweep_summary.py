"""The cells of a sweep against the definitions, computed one by one."""

import statistics

import numpy as np
import pytest
from scipy import stats

from tests.experiments.sweeps import BASELINES, make_plan, make_points
from tsk_core.experiments.in_process import every_training
from tsk_core.experiments.sweep_summary import axis_values, cell_name, sentence, summarise
from ui.sweep.words import cell_lines, verdict


def scores_of(points, variant):
    return [point["scores"]["mean"][1] for point in points if point["variant"] == variant]


def test_the_means_and_intervals_are_those_of_the_definition_and_a_diverged_training_counts():
    plan = make_plan(seeds=6)
    points = make_points(plan, [0.7, 0.8, 0.75])
    for cell in summarise(plan, points):
        scores = scores_of(points, cell.variant)
        half = stats.t.ppf(0.975, 5) * (statistics.variance(scores) * (1 / 6 + 0.3 / 0.7)) ** 0.5
        mean = cell.metrics["bca"]
        assert (cell.n, cell.diverged, mean.n) == (6, 0, 6)
        assert mean.mean == pytest.approx(statistics.mean(scores))
        assert mean.sd == pytest.approx(statistics.stdev(scores))
        assert (mean.low, mean.high) == pytest.approx((mean.mean - half, mean.mean + half))
        assert cell.metrics["seconds_share"].mean == 2.0
    plan = make_plan("batch=16,32", seeds=3)
    points = make_points(plan, [0.7, 0.8])
    points[3] |= {"message": "Training diverged in epoch 2.", "scores": {"last": None, "mean": [None, None], "best": None}}
    found = summarise(plan, points)
    assert [cell.diverged for cell in found] == [0, 1]
    assert found[1].metrics["bca"].mean == pytest.approx((0 + sum(scores_of(points, 1)[1:])) / 3)
    assert found[0].highest


def test_cells_are_separated_from_the_highest_by_holm_over_all_pairs_and_rivals_are_what_is_left():
    plan = make_plan("batch=16,32,64,128,256", seeds=8)
    points = make_points(plan, [0.7, 0.8, 0.797, 0.72, 0.78], noise=0.01)
    found = summarise(plan, points)
    assert [cell.highest for cell in found] == [False, True, False, False, False]
    others = [cell for cell in found if not cell.highest]
    gaps = {cell.variant: np.subtract(scores_of(points, cell.variant), scores_of(points, 1)) for cell in others}
    scale = {at: (gap.var(ddof=1) * (1 / 8 + 0.3 / 0.7)) ** 0.5 for at, gap in gaps.items()}
    p_values = {at: 2 * stats.t.sf(abs(gap.mean()) / scale[at], 7) for at, gap in gaps.items()}
    stopped, divisor = False, 10  # pairs of five cells
    for rank, at in enumerate(sorted(p_values, key=p_values.get)):
        divisor = divisor if stopped else 10 - rank
        stopped = stopped or divisor * p_values[at] >= 0.05
        half = stats.t.ppf(1 - 0.05 / divisor / 2, 7) * scale[at]
        difference = found[at].difference
        assert (difference.low, difference.high) == pytest.approx((gaps[at].mean() - half, gaps[at].mean() + half))
        assert found[at].separated == (not stopped) == (difference.high < 0) and found[at].rival == stopped
        assert difference.level == pytest.approx(1 - 0.05 / divisor)
    assert [cell.separated for cell in found] == [True, False, False, True, False]


def test_where_nothing_is_separated_there_are_no_rivals_and_the_sentence_says_so():
    plan = make_plan("ur=1,10", "rules=5,10", seeds=3)
    found = summarise(plan, make_points(plan, [0.7, 0.78, 0.75, 0.83], noise=0.02))
    assert not any(cell.separated or cell.rival for cell in found)
    mean = found[3].metrics["bca"]
    assert sentence(plan, found, BASELINES) == (
        "Highest: λ 10, R 10; 3 seeds cannot separate it from the others."
        f" It reaches BCA {mean.mean:.3f} (SD {mean.sd:.3f} over 3 seeds); logistic regression BCA 0.765."
    )
    plan = make_plan("batch=16,32,64", seeds=2)
    text = sentence(plan, summarise(plan, make_points(plan, [0.7, 0.8, 0.8], noise=0)), {})
    assert text.startswith("Highest: batch size 32, tied with 64; 2 seeds cannot separate it from the others.")
    plan = make_plan("ur=10", seeds=3)
    text = sentence(plan, summarise(plan, make_points(plan, [0.7])), {})
    assert text.startswith("λ 10 reaches BCA 0.") and "ighest" not in text and "separate" not in text


def test_only_cells_with_the_most_seeds_can_be_the_best_and_pairs_have_the_seeds_of_both():
    plan = make_plan(seeds=4)
    points = make_points(plan, [0.7, 0.8, 0.9])
    some = [point for point in points if point["variant"] < 2 or point["seed"] < 2]
    found = summarise(plan, some)
    assert [cell.n for cell in found] == [4, 4, 2]
    assert [cell.highest for cell in found] == [False, True, False]
    assert found[2].difference.of == 2
    expected = np.subtract(scores_of(some, 2), scores_of(some, 1)[:2]).mean()
    assert found[2].difference.difference == pytest.approx(expected)


def test_a_cell_with_fewer_trainings_that_is_above_the_highest_is_not_called_lower():
    plan = make_plan("batch=16,32", seeds=6)
    points = [one for one in make_points(plan, [0.7, 0.95], noise=0.001) if (one["variant"], one["seed"]) != (1, 5)]
    found = summarise(plan, points)
    assert found[0].highest and found[1].difference.clear and found[1].difference.difference > 0
    assert found[1].ahead and not found[1].separated and not found[1].rival
    assert verdict(found[1]) == "higher so far" and cell_lines(plan, found[1], "bca")[-1] == "higher so far, with fewer trainings"
    assert "cannot separate it from the other" in sentence(plan, found, {})


def test_the_score_and_the_figure_decide_what_is_best_and_a_repeated_point_counts_once():
    plan = make_plan("batch=16,32", seeds=2)
    points = [point | {"fidelity": None} for point in make_points(plan, [0.7, 0.8])]
    for point in points:
        point["scores"]["last"] = [0.9 - 0.1 * point["variant"], 0.5]
    assert [cell.highest for cell in summarise(plan, points, "last", "rca")] == [True, False]
    assert [cell.highest for cell in summarise(plan, points, "mean", "bca")] == [False, True]
    assert not any(cell.highest for cell in summarise(plan, points, "best"))  # nothing was validated
    assert [cell.n for cell in summarise(plan, [*points, points[0]])] == [2, 2]
    assert all("fidelity" not in cell.metrics for cell in summarise(plan, points))  # it was not measured


def test_values_and_names_of_cells_are_those_of_their_axes_to_the_last_digit_in_a_file_of_all_trainings():
    plan = make_plan("batch=16,32", "ur=0,1,10")
    found = summarise(plan, [])
    assert [cell.values for cell in found] == [(16, 0), (16, 1), (16, 10), (32, 0), (32, 1), (32, 10)]
    assert all(cell.values == axis_values(plan, cell.variant) for cell in found)
    for cell in found:
        config = plan.variants[cell.variant].config
        assert (config.batch_size, config.ur_weight) == cell.values
    assert found[4].name == cell_name(plan.axes, (32, 1)) == "batch size 32, λ 1"
    plan = make_plan("batch=1000000,1234567", "ur=0.3,10", seeds=1)
    text = every_training(plan, reversed(make_points(plan, [0.5] * 4))).to_csv(index=False)
    assert [line.split(",")[:2] for line in text.splitlines()] == [
        ["batch", "ur"], ["1000000", "0.3"], ["1000000", "10.0"], ["1234567", "0.3"], ["1234567", "10.0"],
    ]  # fmt: skip
    assert summarise(plan, [])[3].name == "batch size 1234567, λ 10"


def test_the_sentence_says_from_how_many_cells_the_highest_is_separated_and_what_is_missing():
    plan = make_plan("batch=16,32,64,128", seeds=8)
    points = make_points(plan, [0.7, 0.8, 0.797, 0.6])
    found = summarise(plan, points)
    mean = found[1].metrics["bca"]
    assert sentence(plan, found, BASELINES) == (
        "Highest: batch size 32; 8 seeds separate it from 2 of 3 others, not from 64."
        f" It reaches BCA {mean.mean:.3f} (SD {mean.sd:.3f} over 8 seeds); logistic regression BCA 0.765."
    )
    plan = make_plan("batch=16,32", seeds=8)
    assert "; 8 seeds separate it from the other." in sentence(plan, summarise(plan, make_points(plan, [0.7, 0.8])), {})
    plan = make_plan("batch", "ur=0,1", seeds=8)
    found = summarise(plan, make_points(plan, [*np.linspace(0.78, 0.8, 12), *[0.3] * 4]))
    separated = sum(cell.separated for cell in found)  # many are counted rather than listed
    assert 4 <= separated <= 8 and f"8 seeds separate it from {separated} of 15 others." in sentence(plan, found, {})
    plan = make_plan(seeds=1)
    points = make_points(plan, [0.7, 0.8, 0.75])
    assert sentence(plan, summarise(plan, []), {}) == "No training has ended yet."
    partly = sentence(plan, summarise(plan, points[:2]), {})
    assert partly.startswith(
        "So far, after 2 of 3 trainings: highest: batch size 32; one seed cannot separate it from the other."
    )
    assert "one seed, so no interval" in partly
    points[0]["message"] = "Training diverged."
    assert sentence(plan, summarise(plan, points), {}).endswith(" 1 of 3 trainings diverged.")

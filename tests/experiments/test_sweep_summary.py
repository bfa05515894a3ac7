"""The cells of a sweep against the definitions, computed one by one."""

import statistics

import numpy as np
import pytest
from scipy import stats

from tests.experiments.sweeps import BASELINES, make_plan, make_points
from tsk_core.experiments.frames import every_training
from tsk_core.experiments.metrics import metric_of
from tsk_core.experiments.sweep_summary import axis_values, cell_name, sentence, summarise


def scores_of(points, variant):
    return [point["scores"]["mean"][1] for point in points if point["variant"] == variant]


def test_the_means_and_intervals_are_those_of_the_definition():
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


def test_a_cell_is_not_clearly_worse_where_the_paired_interval_includes_zero():
    plan = make_plan("batch=16,32,64,128", seeds=8)
    points = make_points(plan, [0.7, 0.8, 0.797, 0.72], noise=0.01)
    found = summarise(plan, points)
    assert [cell.best for cell in found] == [False, True, False, False]
    best = scores_of(points, 1)
    for cell in (found[0], found[2], found[3]):
        differences = np.subtract(scores_of(points, cell.variant), best)
        half = stats.t.ppf(0.975, 7) * (differences.var(ddof=1) * (1 / 8 + 0.3 / 0.7)) ** 0.5
        assert cell.difference.high == pytest.approx(differences.mean() + half)
        assert cell.not_worse == (differences.mean() + half >= 0)
    assert [cell.not_worse for cell in found] == [False, False, True, False]


def test_only_cells_with_the_most_seeds_can_be_the_best_and_pairs_have_the_seeds_of_both():
    plan = make_plan(seeds=4)
    points = make_points(plan, [0.7, 0.8, 0.9])
    some = [point for point in points if point["variant"] < 2 or point["seed"] < 2]
    found = summarise(plan, some)
    assert [cell.n for cell in found] == [4, 4, 2]
    assert [cell.best for cell in found] == [False, True, False]
    assert found[2].difference.of == 2
    expected = np.subtract(scores_of(some, 2), scores_of(some, 1)[:2]).mean()
    assert found[2].difference.difference == pytest.approx(expected)


def test_a_diverged_training_is_counted_and_not_left_out():
    plan = make_plan("batch=16,32", seeds=3)
    points = make_points(plan, [0.7, 0.8])
    points[3] |= {"message": "Training diverged in epoch 2.", "scores": {"last": None, "mean": [None, None], "best": None}}
    found = summarise(plan, points)
    assert [cell.diverged for cell in found] == [0, 1]
    assert found[1].metrics["bca"].mean == pytest.approx((0 + sum(scores_of(points, 1)[1:])) / 3)
    assert found[0].best


def test_a_point_with_the_number_of_another_replaces_it():
    plan = make_plan("batch=16,32", seeds=1)
    points = make_points(plan, [0.7, 0.8])
    assert [cell.n for cell in summarise(plan, [*points, points[0]])] == [1, 1]


def test_the_score_and_the_figure_decide_what_is_best():
    plan = make_plan("batch=16,32", seeds=2)
    points = make_points(plan, [0.7, 0.8])
    for point in points:
        point["scores"]["last"] = [0.9 - 0.1 * point["variant"], 0.5]
    assert [cell.best for cell in summarise(plan, points, "last", "rca")] == [True, False]
    assert [cell.best for cell in summarise(plan, points, "mean", "bca")] == [False, True]
    assert not any(cell.best for cell in summarise(plan, points, "best"))  # nothing was validated


def test_a_figure_that_was_not_measured_has_no_mean():
    plan = make_plan("batch=16,32", seeds=2)
    points = [point | {"fidelity": None} for point in make_points(plan, [0.7, 0.8])]
    found = summarise(plan, points)
    assert all("fidelity" not in cell.metrics for cell in found)
    assert metric_of(points[0], "fidelity", "mean") is None


def test_values_and_names_of_cells_are_those_of_their_axes():
    plan = make_plan("batch=16,32", "ur=0,1,10")
    found = summarise(plan, [])
    assert [cell.values for cell in found] == [(16, 0), (16, 1), (16, 10), (32, 0), (32, 1), (32, 10)]
    assert all(cell.values == axis_values(plan, cell.variant) for cell in found)
    for cell in found:
        config = plan.variants[cell.variant].config
        assert (config.batch_size, config.ur_weight) == cell.values
    assert found[4].name == cell_name(plan.axes, (32, 1)) == "batch size 32, λ 1"


def test_the_sentence_names_the_best_cell_those_not_clearly_worse_and_the_baseline():
    plan = make_plan(seeds=8)
    points = make_points(plan, [0.7, 0.8, 0.797])
    found = summarise(plan, points)
    mean = found[1].metrics["bca"]
    assert sentence(plan, found, BASELINES) == (
        f"Batch size 32 is best: BCA {mean.mean:.3f} (SD {mean.sd:.3f} over 8 seeds); 64 is not clearly worse;"
        " logistic regression 0.765."
    )


def test_the_sentence_says_what_is_missing():
    plan = make_plan(seeds=1)
    points = make_points(plan, [0.7, 0.8, 0.75])
    assert sentence(plan, summarise(plan, []), {}) == "No training has ended yet."
    partly = sentence(plan, summarise(plan, points[:2]), {})
    assert partly.startswith("So far, after 2 of 3 trainings: batch size 32 is best: BCA ")
    assert "one seed, so no interval" in partly
    assert "one seed cannot tell whether the others are worse" in partly
    points[0]["message"] = "Training diverged."
    assert sentence(plan, summarise(plan, points), {}).endswith(" 1 of 3 trainings diverged.")


def test_the_sentence_of_one_cell_calls_nothing_best():
    plan = make_plan("ur=10", seeds=3)
    text = sentence(plan, summarise(plan, make_points(plan, [0.7])), {})
    assert text.startswith("λ 10 reaches BCA 0.") and "best" not in text and "worse" not in text


def test_many_cells_are_counted_rather_than_listed():
    plan = make_plan("batch", "ur=0,1", seeds=3)
    assert "; no other is clearly worse." in sentence(plan, summarise(plan, make_points(plan, [0.8] * 16, noise=0)), {})
    text = sentence(plan, summarise(plan, make_points(plan, [*[0.8] * 12, *[0.3] * 4], noise=0)), {})
    assert "11 of the 15 others are not clearly worse" in text


def test_a_file_of_all_trainings_has_the_values_of_the_axes_to_the_last_digit():
    plan = make_plan("batch=1000000,1234567", "ur=0.3,10", seeds=1)
    text = every_training(plan, reversed(make_points(plan, [0.5] * 4))).to_csv(index=False)
    assert [line.split(",")[:2] for line in text.splitlines()] == [
        ["batch", "ur"], ["1000000", "0.3"], ["1000000", "10.0"], ["1234567", "0.3"], ["1234567", "10.0"],
    ]  # fmt: skip
    assert summarise(plan, [])[3].name == "batch size 1234567, λ 10"

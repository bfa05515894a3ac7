"""Verdicts: who is better in how many seeds, by how much, and when nothing can be said."""

import numpy as np
import pytest

from tsk_core.config import TrainConfig
from tsk_core.evaluate.across_seeds import holm, paired_over_seeds
from tsk_core.experiments.plan import COMPARISON, Plan
from tsk_core.experiments.variants import parse_variants
from tsk_core.experiments.verdicts import assumption, pairs

NAMES = ["none", "bn", "ur-bn"]


def points(plan, scores, only=None):
    """Points whose BCA (and RCA) at the mean of the last epochs are these, (variants, seeds)."""
    return [
        {"variant": one.variant, "seed": one.seed, "split": one.split, "message": "",
         "scores": {"last": [0.5, 0.5], "mean": [scores[one.variant][one.seed]] * 2, "best": None}}
        for one in plan.trainings() if only is None or one.seed in only[one.variant]
    ]  # fmt: skip


@pytest.fixture
def plan():
    return Plan(COMPARISON, parse_variants(NAMES, TrainConfig()), seeds=10)


@pytest.fixture
def scores():
    """The second is as good as the first, the third two points better, in each seed."""
    rng = np.random.default_rng(0)
    base = rng.normal(0.8, 0.03, 10)
    return [base, base + rng.normal(0, 0.004, 10), base + 0.02 + rng.normal(0, 0.004, 10)]


def test_each_pair_is_compared_over_its_seeds(plan, scores):
    found = pairs(plan, points(plan, scores))
    assert [(one.a, one.b) for one in found] == [(1, 0), (2, 0), (2, 1)]
    for one in found:
        assert one.difference == paired_over_seeds(scores[one.a], scores[one.b], 3 / 7)
    assert [one.p_adjusted for one in found] == holm([one.difference.p_value for one in found])
    assert [one.clear for one in found] == [False, True, True]


def test_the_sentence_names_the_better_one_first(plan, scores):
    found = pairs(plan, points(plan, scores))
    assert found[1].sentence.startswith("UR-BN is better than MBGD in 10 of 10 seeds; BCA +2.")
    assert "95% interval 1." in found[1].sentence and "difference is above 1 point: above .99" in found[1].sentence
    assert found[0].sentence.startswith("No clear difference between")
    turned = pairs(plan, points(plan, scores[::-1]))
    assert turned[1].sentence == found[1].sentence.replace("UR-BN", "?").replace("MBGD", "UR-BN").replace("?", "MBGD")
    assert turned[1].difference.difference < 0


def test_where_all_seeds_have_the_same_test_rows_the_interval_is_of_these_alone(plan, scores):
    known = [{**one, "test_rows": "the same"} for one in points(plan, scores)]
    found = pairs(plan, known)
    assert found[1].difference == paired_over_seeds(scores[2], scores[0], 0.0)
    assert "these data have one split" in assumption(plan, points=known) and "Nadeau" not in assumption(plan, points=known)
    others = [{**one, "test_rows": str(one["seed"])} for one in known]
    assert pairs(plan, others)[1].difference == paired_over_seeds(scores[2], scores[0], 3 / 7)


def test_one_seed_gives_no_verdict():
    plan = Plan(COMPARISON, parse_variants(NAMES, TrainConfig()), seeds=1)
    found = pairs(plan, points(plan, [[0.8], [0.9], [0.7]]))
    assert not any(one.clear for one in found)
    assert found[0].sentence == "BN and MBGD: BCA +10.0 points in the only seed; more seeds are needed for a verdict."


def test_pairs_count_the_seeds_that_both_have(plan, scores):
    found = pairs(plan, points(plan, scores, only=[range(10), range(4), []]))
    assert [(one.a, one.b, one.difference.of) for one in found] == [(1, 0, 4)]
    assert pairs(plan, []) == [] and pairs(plan, points(plan, scores), score="best") == []


def test_the_assumption_says_what_was_paired_and_adjusted(plan):
    text = assumption(plan, "last")
    assert "the last epoch" in text and "10 seeds" in text and "Nadeau and Bengio" in text and "3 pairs (Holm)" in text
    assert "\n" not in text
    two = Plan(COMPARISON, parse_variants(NAMES[:2], TrainConfig()), seeds=3, splits=4)
    assert "Holm" not in assumption(two) and "3 seeds × 4 splits" in assumption(two)

"""Verdicts: who is better in how many seeds, by how much, and when nothing can be said."""

import io
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from tests.tables import make_table
from tsk_core.config import TrainConfig
from tsk_core.data import Choices, make_dataset
from tsk_core.errors import SettingError
from tsk_core.evaluate.comparing import SeedDifference, paired_over_seeds
from tsk_core.experiments.in_process import compare, compare_pairs, every_pair, every_training
from tsk_core.experiments.plan import COMPARISON, Plan
from tsk_core.experiments.variants import parse_variants
from tsk_core.experiments.verdicts import assumption, differences, interval_text, pairs, seed_notes

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


def test_every_number_of_the_pairs_file_can_be_recounted_from_the_trainings_file(plan, scores):
    known = [point | {"point": k} for k, point in enumerate(points(plan, scores))]
    trainings = pd.read_csv(io.StringIO(every_training(plan, known).to_csv(index=False)))
    file = pd.read_csv(io.StringIO(every_pair(plan, known, "mean").to_csv(index=False)))
    assert len(file) == 6 and set(file["accuracy"]) == {"rca", "bca"}
    for accuracy, rows in file.groupby("accuracy"):
        by_seed = trainings.pivot(index="seed", columns="variant", values=f"{accuracy}_mean")
        J, ratio, m = 10, 0.3 / 0.7, len(rows)
        p_values = {}
        for line in rows.itertuples():
            gap = (by_seed[line.a] - by_seed[line.b]).to_numpy()
            scale = np.sqrt(gap.var(ddof=1) * (1 / J + ratio))
            p_values[line.Index] = 2 * stats.t.sf(abs(gap.mean()) / scale, J - 1)
            assert (line.wins, line.losses, line.of) == ((gap > 0).sum(), (gap < 0).sum(), J)
            assert (line.difference, line.p_value) == pytest.approx((gap.mean(), p_values[line.Index]))
        stopped, highest, divisor = False, 0.0, m
        for rank, at in enumerate(sorted(p_values, key=p_values.get)):
            divisor = divisor if stopped else m - rank
            highest, stopped = max(highest, min(1, (m - rank) * p_values[at])), stopped or divisor * p_values[at] >= 0.05
            line = rows.loc[at]
            gap = (by_seed[line.a] - by_seed[line.b]).to_numpy()
            half = stats.t.ppf(1 - 0.05 / divisor / 2, J - 1) * np.sqrt(gap.var(ddof=1) * (1 / J + ratio))
            assert (line.low, line.high) == pytest.approx((gap.mean() - half, gap.mean() + half))
            assert (line.detectable, line.level) == pytest.approx((half, 1 - 0.05 / divisor))
            assert line.p_adjusted == pytest.approx(highest) and line.clear == (not stopped)


def test_the_sentence_has_one_direction_whichever_is_higher(plan, scores):
    sentences = [one.sentence for one in pairs(plan, points(plan, scores))]
    assert sentences[1].startswith("UR-BN is better than MBGD in BCA. UR-BN − MBGD: +2.")
    assert "(98.3% interval 1." in sentences[1] and sentences[1].endswith("; higher in 10 of 10 seeds.")
    assert sentences[0].startswith("No clear difference in BCA. BN − MBGD: ") and "(95% interval −" in sentences[0]
    turned = pairs(plan, points(plan, scores[::-1]))
    assert turned[1].sentence.startswith("UR-BN is worse than MBGD in BCA. UR-BN − MBGD: −2.")
    assert "(98.3% interval −2." in turned[1].sentence and turned[1].sentence.endswith("; lower in 10 of 10 seeds.")


def test_ties_are_counted_as_what_they_are():
    plan = Plan(COMPARISON, parse_variants(["none", "ur"], TrainConfig()), seeds=5)

    def told(*gaps):
        return pairs(plan, points(plan, [[0.5] * 5, [0.5 + gap / 100 for gap in gaps]]))[0].sentence

    assert told(-6, 0, 0.5, 0, 5).endswith("(95% interval −8.7 to 8.5); lower in 1, equal in 2, higher in 2 of 5 seeds.")
    assert "UR − MBGD: −0.1 points (" in told(-6, 0, 0.5, 0, 5)
    assert told(3, 1, 0, 0, 2).endswith("higher in 3, equal in 2 of 5 seeds.")
    assert told(3, 1, -1, 4, 2).endswith("higher in 4, lower in 1 of 5 seeds.")
    assert told(0, 0, 0, 0, 0).startswith("No clear difference in BCA. UR − MBGD: 0.0 points in each of 5 seeds, so there is no")
    assert told(1, 1, 1, 1, 1).startswith("No verdict on BCA. UR − MBGD: +1.0 points in each of 5 seeds")


def test_the_same_sign_in_all_seeds_need_not_be_enough_and_the_page_says_why(plan, scores):
    wide = [scores[0], scores[0] + np.linspace(0.001, 0.06, 10)]
    two = Plan(COMPARISON, parse_variants(NAMES[:2], TrainConfig()), seeds=10)
    known = points(two, wide)
    found = pairs(two, known)
    assert not found[0].clear and found[0].sentence.endswith("higher in 10 of 10 seeds.")
    could, why = seed_notes(two, found)
    half = stats.t.ppf(0.975, 9) * np.sqrt((wide[1] - wide[0]).var(ddof=1) * (1 / 10 + 3 / 7))
    assert could == f"These 10 seeds could detect a difference of about ±{100 * half:.1f} points."
    assert why == (
        "The same sign in 10 of 10 seeds need not be enough: they share one dataset's rows, so their training and test sets"
        " overlap; the corrected resampled t-test allows for that, and 10 of them count as 1.9 independent ones."
    )
    clear = points(two, [scores[0], scores[2]])
    assert len(seed_notes(two, pairs(two, clear))) == 1  # all is clear, so there is nothing to explain
    small = Plan(COMPARISON, parse_variants(NAMES[:2], TrainConfig()), seeds=3)
    fixed = [{**one, "test_per_train": 0.0} for one in points(small, [[0.8] * 3, [0.801, 0.81, 0.83]])]
    why = seed_notes(small, pairs(small, fixed))[1]
    assert "all have the same test rows and differ only in initial state and batch order" in why
    assert seed_notes(two, pairs(two, [])) == []


@pytest.mark.parametrize(
    ("low", "high", "level", "text"),
    [(0.0004, 0.09, 0.95, "95% interval 0.04 to 9.00"), (-0.0004, 0.09, 0.975, "97.5% interval −0.04 to 9.00"),
     (0.007, 0.091, 1 - 0.05 / 3, "98.3% interval 0.7 to 9.1"), (-0.09, -0.000004, 0.9995, "99.95% interval −9.0000 to −0.0004"),
     (0.0, 0.09, 1 - 0.05 / 28, "99.8% interval 0.0 to 9.0")],
)  # fmt: skip
def test_a_printed_bound_is_on_the_side_of_zero_on_which_it_lies(low, high, level, text):
    assert interval_text(SeedDifference(0.04, 5, 0, 5, low, high, level)) == text


def test_where_all_seeds_have_the_same_test_rows_the_interval_is_of_these_alone(plan, scores):
    known = [{**one, "test_per_train": 0.0} for one in points(plan, scores)]
    found = pairs(plan, known)
    assert [(one.a, one.b) for one in found] == [(1, 0), (2, 0), (2, 1)]
    assert found[1].difference.p_value == paired_over_seeds(scores[2], scores[0], 0.0).p_value
    assert pairs(plan, points(plan, scores))[1].difference.p_value == paired_over_seeds(scores[2], scores[0], 3 / 7).p_value
    text = assumption(plan, found, points=known)
    assert "these data have one split" in text and "Nadeau" not in text and "only in initial state and batch order, which" in text
    text = assumption(replace(plan, validated=True), found, points=known)
    assert "initial state, batch order and any rows held out for validation, which" in text
    fewer = replace(plan, variants=(plan.variants[0], *parse_variants(["rows=0.2"], TrainConfig())))
    assert "batch order and the rows drawn for training" in assumption(fewer, [], points=known)


def test_pairs_count_the_seeds_and_splits_that_both_have(plan, scores):
    found = pairs(plan, points(plan, scores, only=[range(10), range(4), []]))
    assert [(one.a, one.b, one.difference.of) for one in found] == [(1, 0, 4)]
    assert pairs(plan, []) == [] and pairs(plan, points(plan, scores), score="best") == []
    one_seed = replace(plan, seeds=1)
    found = pairs(one_seed, points(one_seed, [[0.8], [0.9], [0.7]]))
    assert not any(one.clear for one in found)
    assert found[0].sentence == "No verdict on BCA from one seed. BN − MBGD: +10.0 points in the only seed."
    first = {(0, 0): 0.9, (1, 0): 0.5, (2, 0): 0.6}
    second = {(1, 0): 0.7, (2, 0): 0.6, (3, 0): 0.1}
    ((a, b, found),) = differences([first, second], 0.4)
    assert (a, b, found.of, found.wins, found.losses) == (1, 0, 2, 1, 0) and found.difference == pytest.approx(0.1)


def test_the_assumption_says_what_was_paired_and_adjusted(plan, scores):
    known = points(plan, scores)
    text = assumption(plan, pairs(plan, known), "last")
    assert "the last epoch" in text and "10 seeds" in text and "Nadeau and Bengio" in text and "3 pairs (Holm)" in text
    assert "\n" not in text
    two = Plan(COMPARISON, parse_variants(NAMES[:2], TrainConfig()), seeds=3, splits=4)
    assert "Holm" not in assumption(two, []) and "3 seeds × 4 splits" in assumption(two, [])
    equal = pairs(plan, points(plan, [scores[0], scores[0], scores[2]]))  # a pair without spread is no comparison
    assert "2 pairs (Holm)" in assumption(plan, equal) and {one.difference.level for one in equal[1:]} == {0.975, 0.95}


def test_where_whole_groups_are_tested_the_intervals_are_corrected_by_groups():
    rng = np.random.default_rng(0)
    table = make_table(rows=300, classes=2)
    ward = np.minimum(rng.geometric(0.12, 300), 25)  # some large wards, some small ones
    dataset = make_dataset(table.frame.assign(ward=ward), table.target, name="wards", choices=Choices(roles={"ward": "group"}))
    frame = compare(dataset, ["none", "bn"], config=TrainConfig(n_rules=2), epochs=2, seeds=3)
    counts = [[len(set(ward[rows])) for rows in dataset.split(seed=seed)[:2]] for seed in range(3)]
    by_groups = np.mean([tested / trained for trained, tested in counts])
    assert frame["test_per_train"].tolist() == pytest.approx([by_groups] * 6) and abs(by_groups - 3 / 7) > 0.02
    bn, plain = (frame.loc[frame["variant"] == name, "bca"].to_numpy() for name in ("bn", "none"))
    half = 4.302653 * (np.var(bn - plain, ddof=1) * (1 / 3 + by_groups)) ** 0.5  # the t table: 97.5%, 2 degrees of freedom
    pair = compare_pairs(frame).iloc[0]
    assert list(compare_pairs(frame[frame["variant"] == frame["variant"].iloc[0]]).columns) == list(pair.index)
    assert (pair["a"], pair["b"], pair["high"] - pair["low"]) == ("bn", "none", pytest.approx(2 * half, rel=1e-6))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [(compare, "dataset is a DataFrame; it must be a Dataset, the name of one, or a file."),
     (compare_pairs, "The frame lacks the column 'variant'; it must be one of compare")],
)  # fmt: skip
def test_what_is_no_experiment_is_refused_in_a_sentence(call, sentence):
    with pytest.raises(SettingError, match=re.escape(sentence)):
        call(pd.DataFrame({"x": [1.0]}))

"""The line that puts the paper's gain, the study's and a comparison's side by side, counted again from the raw tables."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.pages.comparisons import points_of
from tests.tables import make_table
from tsk_core.config import TrainConfig
from tsk_core.experiments import comparison_plan, study_choices
from tsk_study import DATASETS
from ui.compare.texts import beside_paper
from ui.platform.caches import shipped_results

ROOT = Path(__file__).parents[2]
SCORES = [[0.70, 0.74], [0.75, 0.80]]
VEHICLE = make_table(rows=846, columns=18, classes=4, name="vehicle")


def line(dataset, variants=("none", "ur-bn-val"), results=None, **settings):
    plan = comparison_plan(variants, TrainConfig.paper(**settings), chosen=study_choices(dataset), seeds=2)
    scores = [SCORES[0]] * (len(variants) - 1) + [SCORES[1]]
    return beside_paper(plan, dataset, points_of(plan, scores), "last", shipped_results() if results is None else results)


def numbers(text, name):
    """Gain in points and both levels, as the line has them after a word."""
    found = re.search(rf"{name}[^.;]*? ([+−][\d.]+) \(([\d.]+) → ([\d.]+)", text)
    gain, plain, other = (float(one.replace("−", "-")) for one in found.groups())
    return gain, plain, other


def study_scores(tables, algorithm):
    """BCA of the two algorithms on their common splits, indexed by dataset and split."""
    rows = pd.read_csv(ROOT / "study" / "results" / "results.csv")
    scores = rows[rows["dataset"].isin(tables)].pivot(index=["dataset", "split"], columns="algorithm", values="bca")
    return scores[["TSK-MBGD", algorithm]].dropna()


def study_levels(tables, algorithm):
    return study_scores(tables, algorithm).groupby("dataset").mean().mean().tolist()


def paper_levels(tables, algorithm):
    rows = pd.read_csv(ROOT / "tsk_study" / "published.csv")
    rows = rows[(rows["metric"] == "bca") & rows["dataset"].isin([DATASETS[table] for table in tables])]
    means = rows.drop_duplicates(["dataset", "algorithm"]).astype({"value": float}).groupby("algorithm")["value"].mean()
    return [means["TSK-MBGD"], means[algorithm]]


@pytest.mark.parametrize(
    ("variant", "algorithm"),
    [("ur-bn-val", "TSK-MBGD-UR-BN"), ("ur-val", "TSK-MBGD-UR"), ("ur", "TSK-MBGD-UR"), ("bn", "TSK-MBGD-BN")],
)
def test_all_three_gains_come_back_from_the_tables(variant, algorithm):
    text, here = line(VEHICLE, ("none", variant)), [np.mean(scores) for scores in SCORES]
    found = {
        "paper": paper_levels(["vehicle"], algorithm),
        "our study": study_levels(["vehicle"], algorithm),
        "here": here,
    }
    for name, (plain, other) in found.items():
        assert numbers(text, name) == pytest.approx((100 * (other - plain), plain, other), abs=0.051)
        assert numbers(text, name)[1:] == pytest.approx((plain, other), abs=0.00051)
    (low, high), (ours_low, ours_high) = found["paper"], found["our study"]
    for theirs, ours in ((low, ours_low), (high, ours_high)):
        assert f"{abs(100 * (theirs - ours)):.1f} points {'below' if theirs < ours else 'above'}" in text
    n_splits = len(study_scores(["vehicle"], algorithm))
    assert f"{n_splits} splits" in text and "2 seeds" in text and "on Vehicle" in text


def test_on_other_data_it_is_the_mean_of_the_papers_comparable_datasets():
    text, tables = line(make_table()), [name for name in DATASETS if name != "abalone"]
    for name, (plain, other) in {
        "paper": paper_levels(tables, "TSK-MBGD-UR-BN"), "our study": study_levels(tables, "TSK-MBGD-UR-BN"),
    }.items():  # fmt: skip
        assert numbers(text.split("datasets:")[1], name) == pytest.approx((100 * (other - plain), plain, other), abs=0.051)
    assert "on 11 of the paper's datasets" in text and "on blobs" in text


def test_it_says_which_settings_differ_from_the_papers_and_where_lambda_is_not_the_one_that_validation_chooses():
    assert "here α 0.001 instead of 0.05, 200 epochs instead of as many as validation finds" in line(VEHICLE)
    text = line(VEHICLE, l2=0.05, n_rules=10, max_epochs=60)
    assert "α" not in text and "here R 10 instead of 20, 60 epochs" in text
    chosen = study_choices(VEHICLE)["bn"]
    wanted = f"λ 1 instead of {chosen.ur_weight:g}, which validation chose in {chosen.splits} of {chosen.of} splits"
    assert f"here {wanted}, α 0.001 instead of 0.05" in line(VEHICLE, ("none", "ur-bn"))
    for variants, settings in (
        (("none", "ur-bn"), {"ur_weight": chosen.ur_weight}),
        (("none", "ur-bn-val"), {}),
        (("none", "bn"), {}),
    ):
        assert "; here α 0.001 instead of 0.05" in line(VEHICLE, variants, **settings)
    assert "here λ 1 instead of the one that validation chooses" in line(make_table(), ("none", "ur-bn"))


def test_without_a_pair_that_the_paper_has_or_without_results_of_the_study_there_is_no_line():
    assert [line(VEHICLE, variants) for variants in (("bn", "ur"), ("none", "rules=30"), ("none",))] == [""] * 3
    assert line(VEHICLE, results={}) == ""

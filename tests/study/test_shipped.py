"""The results that come with the app: complete, of this format, and as good as the sentences of the documents say."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from tsk_study import COMPARABLE, DATASETS, MBGD, PAPER, TUNED, mean_scores, printed_scores, read_results, split_counts
from tsk_study.figures import FIGURES

FOLDER = Path(__file__).parents[2] / "study" / "results"
SHIPPED = (*PAPER, "TSK-recommended", *TUNED)
LEAST = 10  # splits


@pytest.fixture(scope="module")
def results():
    return read_results(FOLDER / "results.csv")


def test_every_algorithm_has_ten_splits_of_every_dataset_whose_seeds_are_their_numbers(results):
    counts = split_counts(results).reindex(index=list(DATASETS), columns=list(SHIPPED)).fillna(0)
    assert (counts >= LEAST).all(axis=None), counts
    with (FOLDER / "results.csv").open(encoding="utf-8") as file:
        assert sum(1 for _ in csv.reader(file)) == 1 + len(results)
    for (dataset, algorithm, split), one in results.items():
        assert (dataset in DATASETS, one.seed, 0 < one.bca <= 1, one.seconds > 0) == (True, split, True, True)
        assert (one.epochs is not None) == (algorithm in MBGD)
        assert one.ur_weight in (0.1, 1, 10, 20, 50) if "-UR" in algorithm else True


def averages(results, metric):
    """Of the eleven comparable datasets, ours and the paper's."""
    return [frame.loc[list(COMPARABLE)].mean() for frame in (mean_scores(results, metric), printed_scores(metric))]


@pytest.mark.parametrize("metric", ["rca", "bca"])
def test_ur_and_bn_together_reach_the_papers_average(results, metric):
    ours, paper = averages(results, metric)
    assert ours["TSK-MBGD-UR-BN"] >= paper["TSK-MBGD-UR-BN"]


def test_the_algorithms_that_others_wrote_are_within_two_points_of_the_papers_average(results):
    names = ["CART", "RF", "JRip", "PART", "TSK-FCM-LSE"]
    ours, paper = averages(results, "rca")
    assert ((ours - paper)[names].abs() < 0.02).all(), ours - paper


def test_the_row_tuned_for_rca_is_ahead_of_gradient_boosting_and_the_row_tuned_for_bca_has_the_best_bca(results):
    shared = {key: one for key, one in results.items() if key[2] < LEAST}  # others have more splits
    rca, bca = averages(shared, "rca")[0], averages(shared, "bca")[0]
    assert rca["TSK-tuned-RCA"] > 0.83 > rca["HistGB"] and bca["TSK-tuned-RCA"] > 0.785
    assert bca.idxmax() == "TSK-tuned"


def test_a_claim_of_significance_follows_from_the_test_of_the_raw_figures():
    """With pandas and SciPy: ratios of gradient norms by repetition, their logarithms tested as overlapping splits ask for."""
    frame = pd.read_csv(FOLDER / "figures" / "first_epochs.csv")
    claims = {claim.says: claim for claim in FIGURES["first_epochs"].claims(frame) if "significantly" in claim.says}
    drawn = frame[frame["epoch"] >= 3].groupby(["algorithm", "split"]).mean(numeric_only=True)
    assert len(claims) == 2
    for says, claim in claims.items():
        column, certain = f"gradient_{says.split(' of the ')[1].rstrip('.')}", []
        for without, with_bn in (("TSK-MBGD", "TSK-MBGD-BN"), ("TSK-MBGD-UR", "TSK-MBGD-UR-BN")):
            logs = np.log(drawn.loc[with_bn, column] / drawn.loc[without, column])
            error = logs.std() * np.sqrt(1 / len(logs) + 0.3 / 0.7)
            p = 2 * stats.t.sf(abs(logs.mean() / error), len(logs) - 1)
            low, high = np.exp(stats.t.interval(0.95, len(logs) - 1, logs.mean(), error))
            certain.append(low > 1)
            assert (low > 1) == (p < 0.05)
            assert f"{np.exp(logs.mean()):.2f} times as large (95% interval {low:.2f} to {high:.2f}" in claim.numbers
            assert f"larger in {(logs > 0).sum()} of {len(logs)} repetitions" in claim.numbers
            assert f"p {p:.3f}".replace("0.", ".") in claim.numbers or (p < 0.001 and "p below .001" in claim.numbers)
        assert claim.holds == ("yes" if all(certain) else "partly" if any(certain) else "not certain")
    text = (FOLDER / "figures" / "figures.md").read_text(encoding="utf-8")
    assert all(f"| {claim.says} | {claim.holds} | {claim.numbers} |" in text for claim in claims.values())

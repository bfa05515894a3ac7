"""The study's statistics: scores averaged over splits, ranks, and tests over datasets, each with what it assumes.

Sources: Dunn, Multiple comparisons using rank sums (1964); Benjamini and Hochberg, Controlling the false discovery rate (1995);
Demšar, Statistical comparisons of classifiers over multiple data sets (2006): Friedman's test and the critical difference;
Benavoli, Corani, Demšar, Zaffalon, Time for a change (2017): the Bayesian signed-rank test; Nadeau and Bengio, Inference for the
generalization error (2003): paired splits of one dataset.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from tsk_core.errors import DataError
from tsk_core.numbers import counted
from tsk_study.names import ALGORITHMS, DATASETS
from tsk_study.parts import TEST_SIZE
from tsk_study.results import Key, Result

if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Literal

    import pandas as pd
    from pandas.core.groupby import DataFrameGroupBy

    from tsk_core.evaluate.comparing import SeedDifference

ROPE = 0.01  # a difference of up to one point counts as none
PRIOR = 0.5  # weight of the prior, in datasets
SAMPLES = 50_000  # of the posterior: the probabilities are then exact to .005
LEVEL = 0.05
PAPER_SPLITS = 30
T = TypeVar("T")
Results = Mapping[Key, Result]


def split_scores(results: Results, metric: str = "bca") -> "pd.DataFrame":
    """(dataset, split) × algorithms, in the study's order; NaN where nothing was computed.

    metric: "rca", "bca" or "seconds". Raises DataError where a dataset or an algorithm is none of the study's.
    """
    import pandas as pd

    for key in results:
        for name, known, kind in ((key[0], DATASETS, "dataset"), (key[1], ALGORITHMS, "algorithm")):
            if name not in known:
                raise DataError(f"The results name the {kind} {name[:60]!r}, which the study does not have.")
    rows = [(*key, getattr(one, metric)) for key, one in results.items()]
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "split", metric])
    frame = frame.pivot(index=["dataset", "split"], columns="algorithm", values=metric).astype(float)
    return frame.reindex(list(DATASETS), level="dataset")[[name for name in ALGORITHMS if name in frame]]


def mean_scores(results: Results, metric: str = "bca") -> "pd.DataFrame":
    """The mean over the splits: datasets × algorithms, in the study's order; NaN where nothing was computed."""
    return _by_dataset(results, metric).mean()


def sd_scores(results: Results, metric: str = "bca") -> "pd.DataFrame":
    """The standard deviation over the splits, as ``mean_scores``; NaN for fewer than two splits."""
    return _by_dataset(results, metric).std()


def split_counts(results: Results) -> "pd.DataFrame":
    """How many splits were computed: datasets × algorithms, 0 where none was."""
    return _by_dataset(results, "bca").count()


def error_beside_paper(sd: T, splits: T) -> T:
    """The standard error of a mean of ours less the paper's, both over splits of the same rows, though not the same splits.

    sd, splits: the standard deviation over our splits, and their number; the paper's scores are taken to spread as ours do.
    """
    return sd * (1 / splits + 1 / PAPER_SPLITS) ** 0.5  # type: ignore[operator]  # numbers, or frames of them


def fewer_splits(counts: "pd.DataFrame") -> dict[str, list[int]]:
    """The algorithms that have less than half the splits of others on some dataset -> how many on each.

    Their means are of other test rows than those of the others: only pairs on shared splits compare them. counts: as of
    ``split_counts``; a dataset on which an algorithm was not computed does not count.
    """
    most = counts.max(axis=1)
    few = {}
    for name, column in counts.items():
        known = column[column > 0]
        if (2 * known < most[known.index]).any():
            few[str(name)] = known.astype(int).tolist()
    return few


def shared_scores(results: Results, algorithms: Iterable[str], metric: str = "bca") -> "pd.DataFrame":
    """As ``split_scores``, of the splits that all these algorithms have."""
    return split_scores(results, metric).reindex(columns=list(algorithms)).dropna()


def shared_means(results: Results, algorithms: Iterable[str], metric: str = "bca") -> "pd.DataFrame":
    """As ``mean_scores``, of the splits that all these algorithms have; datasets without such splits are left out."""
    return shared_scores(results, algorithms, metric).groupby(level="dataset", sort=False).mean()


def _by_dataset(results: Results, metric: str) -> "DataFrameGroupBy[tuple[Hashable, ...], Literal[True]]":
    return split_scores(results, metric).groupby(level="dataset", sort=False)


def complete(scores: "pd.DataFrame") -> "pd.DataFrame":
    """The scores without gaps: again and again, the dataset or the algorithm that lacks the largest share of cells is left out.

    scores: datasets × algorithms; or as of ``split_scores``: those splits of what is left that all its algorithms have.
    """
    if scores.index.nlevels > 1:
        kept = complete(scores.groupby(level="dataset", sort=False).mean())
        return scores.loc[scores.index.isin(kept.index, level="dataset"), kept.columns].dropna()
    while (missing := scores.isna()).to_numpy().any():
        rows, columns = missing.mean(axis=1), missing.mean(axis=0)
        scores = scores.drop(columns=columns.idxmax()) if columns.max() >= rows.max() else scores.drop(index=rows.idxmax())
    return scores


def left_out(scores: "pd.DataFrame") -> str:
    """What ``complete`` leaves out of these scores, in a sentence; "" where nothing is."""
    kept = complete(scores)
    datasets = kept.index.unique(0)
    names = [*scores.columns.difference(kept.columns, sort=False), *scores.index.unique(0).difference(datasets, sort=False)]
    splits = scores.index.isin(datasets, level=0).sum() - len(kept)  # 0 where rows are datasets
    return _lacking([*names, *([counted(splits, "split")] if splits else [])])


def _lacking(names: Iterable[str]) -> str:
    listed = ", ".join(DATASETS.get(name, str(name)) for name in names)
    return f"Left out, since results are missing: {listed}." if listed else ""


def ranks(scores: "pd.DataFrame") -> "pd.DataFrame":
    """The rank of each algorithm on each dataset, 1 for the highest score; equal scores share the mean of their ranks.

    Algorithms without a score have none, and do not count.
    """
    return scores.rank(axis=1, ascending=False)


def average_ranks(scores: "pd.DataFrame") -> "pd.Series":
    """The mean rank of each algorithm over the datasets of ``complete(scores)``."""
    return ranks(complete(scores)).mean().rename("average rank")


@dataclass(frozen=True, eq=False)
class Dunn:
    """Dunn's test on all pairs of algorithms. p_values: two-sided, adjusted by Benjamini and Hochberg; observations: of each."""

    p_values: "pd.DataFrame"
    observations: int
    left_out: str
    assumption: str = (
        "Dunn's test treats all scores as independent draws, but those of one dataset are alike and its splits share rows:"
        " counting every split makes p-values too small, and ranking across datasets hides how far algorithms differ within each."
    )

    @property
    def one_sided(self) -> "pd.DataFrame":
        """As the paper prints them: half the two-sided ones, to be judged at 0.025."""
        return self.p_values / 2


def dunn(scores: "pd.DataFrame", copies: int = 1) -> Dunn:
    """Dunn's test, rows of ``scores`` pooled, with the correction of Benjamini and Hochberg for all pairs.

    scores: observations × algorithms, as ``split_scores``: the paper pooled all splits of all datasets. copies: how often a row
    counts, 30 where each is the average of 30 splits that are not at hand. Raises DataError for fewer than two algorithms or
    observations.
    """
    import scikit_posthocs

    kept = _enough(scores, 2)
    pooled = {name: np.tile(column, copies) for name, column in kept.items()}
    p_values = (
        scikit_posthocs.posthoc_dunn(list(pooled.values()), p_adjust="fdr_bh")
        .set_axis(kept.columns)
        .set_axis(kept.columns, axis=1)
    )
    return Dunn(p_values, len(kept) * copies, left_out(scores))


def _enough(scores: "pd.DataFrame", algorithms: int) -> "pd.DataFrame":
    kept = complete(scores)
    if len(kept.columns) < algorithms or len(kept) < 2:
        raise DataError(f"The test needs at least {algorithms} algorithms that were computed on the same two datasets or more.")
    return kept


@dataclass(frozen=True, eq=False)
class Friedman:
    """Friedman's test that all algorithms rank alike. statistic: χ² with algorithms − 1 degrees of freedom."""

    statistic: float
    p_value: float
    datasets: int
    algorithms: int
    left_out: str
    assumption: str = (
        "Friedman's test treats the datasets as independent draws and uses nothing of a dataset but the order of its algorithms."
    )


def friedman(scores: "pd.DataFrame") -> Friedman:
    """scores: datasets × algorithms, at least three of them. Raises DataError for fewer."""
    from scipy import stats

    kept = _enough(scores, 3)
    test = stats.friedmanchisquare(*(column for _, column in kept.items()))
    return Friedman(float(test.statistic), float(test.pvalue), *kept.shape, left_out(scores))


@dataclass(frozen=True, eq=False)
class CriticalDifference:
    """Nemenyi's test over datasets, as a critical-difference diagram draws it.

    average_ranks: best first. difference: average ranks that are further apart differ at the 5% level. groups: the algorithms
    that do not, each group a run of neighbours in average_ranks, the best first.
    """

    average_ranks: "pd.Series"
    difference: float
    groups: tuple[tuple[str, ...], ...]
    datasets: int
    left_out: str
    assumption: str = (
        "Nemenyi's test compares average ranks over datasets, as independent draws, at 5% over all pairs together; a pair's"
        " verdict depends on which other algorithms take part."
    )


def critical_difference(scores: "pd.DataFrame") -> CriticalDifference:
    """q₀.₀₅ √(k (k + 1) / 6N) for k algorithms on N datasets; scores: datasets × algorithms. Raises DataError for too few."""
    from scipy import stats

    kept = _enough(scores, 2)
    N, k = kept.shape
    difference = float(stats.studentized_range.ppf(1 - LEVEL, k, np.inf) / np.sqrt(2) * np.sqrt(k * (k + 1) / (6 * N)))
    order = average_ranks(kept).sort_values(kind="stable")
    return CriticalDifference(order, difference, _groups(order, difference), N, left_out(scores))


def _groups(order: "pd.Series", difference: float) -> tuple[tuple[str, ...], ...]:
    """The longest runs of neighbours whose first and last are no further apart than the critical difference."""
    values, names = order.to_numpy(), list(order.index)
    ends = [int(np.searchsorted(values, value + difference, side="right")) for value in values]
    runs = [(start, end) for start, end in enumerate(ends) if end - start > 1 and (not start or end > ends[start - 1])]
    return tuple(tuple(names[start:end]) for start, end in runs)


@dataclass(frozen=True)
class SignedRank:
    """Three probabilities that sum to 1: that on datasets like these the most likely is that a is higher by more than rope,
    that neither is, that b is. mean: of a − b. counts: of the datasets on which each of the three is so.
    """

    a: str
    b: str
    p_a: float
    p_rope: float
    p_b: float
    mean: float
    counts: tuple[int, int, int]
    rope: float
    left_out: str
    meaning: str = (
        "A probability says how sure it is that this is the most likely of the three on datasets like these; on how many datasets"
        " it is so is counted beside it."
    )
    assumption: str = (
        "The Bayesian signed-rank test treats the datasets as independent draws from all that one may meet, and their differences"
        " as symmetric around the middle; its prior expects no difference, with the weight of half a dataset."
    )


def signed_rank(scores: "pd.DataFrame", a: str, b: str, rope: float = ROPE) -> SignedRank:
    """The Bayesian signed-rank test of algorithm a against b over the datasets that both have; deterministic.

    scores: datasets × algorithms. rope: the region of practical equivalence, in (0, 1). Raises DataError where they have fewer
    than two datasets in common.
    """
    pair = scores[[a, b]]
    kept = pair.dropna()
    if len(kept) < 2:
        raise DataError(f"{a} and {b} have fewer than two datasets in common.")
    differences = (kept[a] - kept[b]).to_numpy()
    note = _lacking(pair.index.difference(kept.index, sort=False))
    p_a, p_rope, p_b = _posterior(differences, rope)
    counts = int((differences > rope).sum()), int((np.abs(differences) <= rope).sum()), int((differences < -rope).sum())
    return SignedRank(a, b, p_a, p_rope, p_b, float(differences.mean()), counts, rope, note)


def _posterior(differences: np.ndarray, rope: float) -> list[float]:
    """How often, under a Dirichlet process, most mass of the pairwise means lies above rope, within it, below −rope.

    Each dataset has weight 1, a pseudo-dataset without a difference PRIOR; a pair's mass is the product of its two weights.
    """
    values = np.append(differences, 0.0)
    weights = np.random.default_rng(0).dirichlet(np.append(np.ones(len(differences)), PRIOR), SAMPLES)  # (SAMPLES, N + 1)
    means = (values[:, None] + values) / 2
    above, below = (((weights @ (side > rope)) * weights).sum(1) for side in (means, -means))
    winners = np.argmax([above, 1 - above - below, below], axis=0)
    return (np.bincount(winners, minlength=3) / SAMPLES).tolist()


def paired(results: Results, a: str, b: str, metric: str = "bca") -> "dict[str, SeedDifference]":
    """On each dataset, a less b over the splits that both have: the corrected resampled t-test (Nadeau and Bengio).

    It assumes nearly normal differences, and corrects for rows that the splits share; datasets without such splits are left out.
    """
    from tsk_core.evaluate.comparing import paired_over_seeds

    ratio = TEST_SIZE / (1 - TEST_SIZE)
    by_dataset = shared_scores(results, (a, b), metric).groupby(level="dataset", sort=False)
    return {str(name): paired_over_seeds(part[a].to_numpy(), part[b].to_numpy(), ratio) for name, part in by_dataset}


def paired_over_datasets(results: Results, a: str, b: str, metric: str = "bca") -> "SeedDifference":
    """The mean over datasets of what ``paired`` finds on each: a t-test, to which a dataset is one independent draw.

    Raises DataError where no dataset has a split that both have.
    """
    from tsk_core.evaluate.comparing import paired_over_seeds

    means = shared_means(results, (a, b), metric)
    if means.empty:
        raise DataError(f"{a} and {b} have no split of any dataset in common.")
    return paired_over_seeds(means[a].to_numpy(), means[b].to_numpy(), 0.0)

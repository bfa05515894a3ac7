"""The tables that compare algorithms: ranks, p-values, differences paired by split, the Bayesian test."""

import pandas as pd

from tsk_core.errors import DataError
from tsk_core.study.names import DATASETS
from tsk_core.study.statistics import (
    Results,
    average_ranks,
    complete,
    critical_difference,
    dunn,
    fewer_splits,
    friedman,
    left_out,
    paired,
    ranks,
    shared_scores,
    signed_rank,
    split_counts,
    split_scores,
)
from tsk_core.study.table import AVERAGE, METRICS, Table, fewer_splits_note, range_of, smallest, table, with_splits

__all__ = ["PAIRS", "RANKED", "p_values_table", "paired_table", "ranks_table", "signed_rank_table"]

PROPOSED = "TSK-MBGD-UR-BN"
RANKED = ("CART", "RF", "JRip", "PART", "TSK-FCM-LSE", "TSK-MBGD", "TSK-MBGD-BN", "TSK-MBGD-UR", PROPOSED)  # by the paper
TESTED = ("TSK-MBGD-BN", "TSK-MBGD-UR", PROPOSED)  # the rows of the paper's p-values
BEYOND_PAIRS = (
    ("TSK-recommended", PROPOSED), ("HTSK", "TSK-MBGD-BN"), ("LogTSK", "TSK-MBGD-BN"),
    ("TSK-MBGD-BN-PAB", "TSK-MBGD-BN"), ("TSK-MBGD-BN-DropRule", "TSK-MBGD-BN"), ("TSK-MBGD-BN-LN", "TSK-MBGD-BN"),
    ("TSK-tuned", "TSK-recommended"), ("TSK-tuned", "RF"),
    ("TSK-tuned", "LR"), ("TSK-tuned", "HistGB"), ("TSK-tuned", "EBM"), ("TSK-tuned-RCA", "TSK-tuned"), ("TSK-tuned-RCA", "RF"),
    ("TSK-tuned-RCA", "HistGB"),
)  # fmt: skip
PAIRS = (  # UR, BN and both against neither; each beside the other; then what somebody would use instead
    ("TSK-MBGD-UR", "TSK-MBGD"), ("TSK-MBGD-BN", "TSK-MBGD"), (PROPOSED, "TSK-MBGD"), (PROPOSED, "TSK-MBGD-UR"),
    (PROPOSED, "TSK-MBGD-BN"), (PROPOSED, "RF"), *BEYOND_PAIRS,
)  # fmt: skip
ONE_SIDED = 0.025
LIKELY = 0.95


def ranks_table(results: Results, metric: str, algorithms: tuple[str, ...] = RANKED) -> Table | None:
    """Ranks of the mean scores, and the tests over datasets in the note; None with fewer than two algorithms to rank.

    None too where ``algorithms`` are more than the paper's nine and only those were computed: it would be the same table.
    """
    present = [name for name in algorithms if name in {key[1] for key in results}]
    few = fewer_splits(split_counts(results)[present])
    scores = split_scores(results, metric)[[name for name in present if name not in few]].dropna(how="all")
    kept = complete(scores).groupby(level="dataset", sort=False).mean()
    extended = algorithms != RANKED
    if len(kept.columns) < 2 or kept.empty or (extended and set(kept) <= set(RANKED)):
        return None
    frame = ranks(kept)
    frame.loc[AVERAGE] = average_ranks(kept)
    among = f"Ranks of the mean {METRICS[metric]}s among {len(kept.columns)} algorithms, 1 for the highest."
    title = f"{METRICS[metric]} ranks" + (" of all algorithms" if extended else "")
    name = f"{metric}_ranks_all" if extended else f"{metric}_ranks"
    notes = (among, fewer_splits_note(few, "left out"), left_out(scores), *_over_datasets(kept))
    frame = with_splits(frame, results, kept.columns)
    return table(name, title, frame, notes, smallest, digits=None)


def _over_datasets(kept: pd.DataFrame) -> list[str]:
    try:
        test, nemenyi = friedman(kept), critical_difference(kept)
    except DataError:
        return ["There are too few algorithms or datasets for a test."]
    p_value = "p < .0001" if test.p_value < 0.0001 else f"p = {test.p_value:.4f}".replace("0.", ".")
    return [
        f"Friedman: χ² = {test.statistic:.1f}, {p_value}, {test.datasets} datasets. Nemenyi: average ranks further apart than"
        f" {nemenyi.difference:.2f} differ at 5%.",
        test.assumption,
        nemenyi.assumption,
    ]


def p_values_table(results: Results) -> Table | None:
    """Dunn's test as in the paper's table, RCA and BCA; None with fewer than two of its algorithms."""
    rows, notes = {}, []
    for metric, title in METRICS.items():
        scores = _only(split_scores(results, metric), RANKED)
        try:
            test = dunn(scores)
        except DataError:
            continue
        notes = [f"{test.observations} scores of each algorithm.", test.left_out, test.assumption]
        for name in (name for name in TESTED if name in test.p_values):
            others = RANKED[: RANKED.index(name)]  # each pair once
            rows[f"{name}, {title}"] = test.one_sided.loc[name].reindex([other for other in others if other in test.p_values])
    if not rows:
        return None
    how = (
        "Dunn's test with the correction of Benjamini and Hochberg for all pairs, the scores of all datasets and splits pooled;"
        f" one-sided p-values, as in the paper; in bold below {ONE_SIDED}."
    )
    frame = pd.DataFrame(rows).T.reindex(columns=RANKED[:-1]).dropna(axis=1, how="all")
    return table("p_values", "p-values of multiple comparisons", frame, (how, *notes), lambda part: part < ONE_SIDED)


def paired_table(results: Results, metric: str) -> Table | None:
    """Differences of PAIRS on each dataset, paired by split, with intervals; None where no pair has two splits in common."""
    parts: dict[str, dict[str, dict[str, float]]] = {"": {}, "low": {}, "high": {}}
    compared: set[str] = set()
    for a, b in PAIRS:
        intervals = {name: interval for name, interval in paired(results, a, b, metric).items() if interval.low is not None}
        if intervals:
            compared |= {a, b}
            for part, figure in zip(parts.values(), ("difference", "low", "high"), strict=True):
                part[f"{a} − {b}"] = {name: getattr(interval, figure) for name, interval in intervals.items()}
    if not parts[""]:
        return None
    order = [name for name in DATASETS if any(name in column for column in parts[""].values())]
    frame, low, high = (pd.DataFrame(part).reindex(order).rename_axis(index="dataset") for part in parts.values())
    note = (
        f"Differences of {METRICS[metric]}, paired by split, with 95% intervals of the corrected resampled t-test, which"
        " assumes nearly normal differences; in bold where the interval is on one side of 0. Nothing is corrected for the"
        " number of cells: one interval in twenty is expected to miss."
    )
    return table(
        f"{metric}_paired", f"{METRICS[metric]} on each dataset, paired by split", with_splits(frame, results, compared), (note,),
        lambda _: (low > 0) | (high < 0), {"low": low, "high": high}, digits=3,
    )  # fmt: skip


def signed_rank_table(results: Results, metric: str) -> Table | None:
    """The Bayesian signed-rank test of the paper's proposal against its rivals, and of BEYOND_PAIRS; None without such a pair."""
    rows, last, splits = {}, None, []
    for a, b in (*((PROPOSED, name) for name in RANKED[:-1]), *BEYOND_PAIRS):
        by_dataset = shared_scores(results, (a, b), metric).groupby(level="dataset", sort=False)
        if len(by_dataset) > 1:
            last = signed_rank(by_dataset.mean(), a, b)
            splits += by_dataset.size().tolist()
            rows[f"{a} − {b}"] = (last.mean, last.p_a, last.p_rope, last.p_b, *map(str, last.counts))
    if last is None:
        return None
    probabilities = ["P(higher)", "P(equivalent)", "P(lower)"]
    counts = ["Datasets higher", "Equivalent", "Lower"]
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=["Mean difference", *probabilities, *counts])
    note = (
        f"Means of {METRICS[metric]} over the splits that both have, {range_of(splits)} splits. Higher: the first is, by"
        f" more than {last.rope:g}; lower: the second is; equivalent: neither. Probabilities are exact to about .01, and in bold"
        f" above {LIKELY}."
    )
    title = f"{METRICS[metric]} over datasets: the Bayesian signed-rank test"
    return table(
        f"{metric}_signed_rank", title, frame, (note, last.meaning, last.assumption),
        lambda part: (part > LIKELY) & [name in probabilities for name in part], digits=3,
    )  # fmt: skip


def _only(scores: pd.DataFrame, algorithms: tuple[str, ...]) -> pd.DataFrame:
    return scores[[name for name in algorithms if name in scores]].dropna(how="all")

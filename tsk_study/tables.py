"""The study's tables, made from its results; none is typed."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from tsk_core.errors import DataError
from tsk_core.numbers import counted
from tsk_study.names import ALGORITHMS, BN_VARIANTS, COMPARABLE, DATASETS
from tsk_study.published import printed_scores, printed_sizes
from tsk_study.statistics import (
    Results,
    average_ranks,
    complete,
    critical_difference,
    dunn,
    error_beside_paper,
    fewer_splits,
    friedman,
    left_out,
    mean_scores,
    paired,
    ranks,
    sd_scores,
    shared_scores,
    signed_rank,
    split_counts,
    split_scores,
)

if TYPE_CHECKING:
    import pandas as pd

# A table of the study, and what tables have in common: rows of averages, a column of splits.


METRICS = {"rca": "RCA", "bca": "BCA"}
AVERAGE, AVERAGE_COMPARABLE, SPLITS = "Average", "Average without Abalone", "Splits"


@dataclass(frozen=True, eq=False)
class Table:
    """One table. name: of its files; title, note: what it shows, and what has to be known to read it.

    frame: numbers, NaN where there is none, and columns of text; rows of datasets have their names of DATASETS. bold: which cells
    are printed in bold. beside: what stands beside the numbers, {"SD": …} or {"low": …, "high": …}. These have the frame's shape.
    digits: decimals; None for up to three significant digits.
    """

    name: str
    title: str
    frame: "pd.DataFrame"
    note: str
    bold: "pd.DataFrame"
    beside: "dict[str, pd.DataFrame]" = field(default_factory=dict)
    digits: int | None = 4


def table(
    name: str,
    title: str,
    frame: "pd.DataFrame",
    notes: Iterable[str],
    bold: "Callable[[pd.DataFrame], pd.DataFrame] | None" = None,
    beside: "dict[str, pd.DataFrame] | None" = None,
    digits: int | None = 4,
) -> Table:
    """A table whose note is of these sentences, the empty ones left out. bold: says of the columns of numbers which are bold."""
    numbers = frame.select_dtypes("number")
    marked = bold(numbers) if bold else numbers.ne(numbers)[:0]
    marked = marked.reindex(index=frame.index, columns=frame.columns, fill_value=False)
    shaped = {key: part.reindex(index=frame.index, columns=frame.columns) for key, part in (beside or {}).items()}
    return Table(name, title, frame, " ".join(filter(None, notes)), marked, shaped, digits)


def largest(numbers: "pd.DataFrame") -> "pd.DataFrame":
    """Bold where a number is the largest of its row, as printed; nowhere in a row with a single number."""
    shown = numbers.round(4)
    return shown.eq(shown.max(axis=1), axis=0).where(shown.count(axis=1) > 1, False)


def fewer_splits_note(few: Mapping[str, list[int]], done: str) -> str:
    """What ``fewer_splits`` found, in a sentence; "" where it is nothing. done: about these algorithms, such as "left out"."""
    listed = ", ".join([f"{name} ({range_of(counts)} splits)" for name, counts in few.items()])
    return f"Computed on fewer splits than the others, and {done}: {listed}." if few else ""


def smallest(numbers: "pd.DataFrame") -> "pd.DataFrame":
    """Bold where a number is the smallest of its row."""
    return numbers.eq(numbers.min(axis=1), axis=0)


def with_averages(frame: "pd.DataFrame") -> "pd.DataFrame":
    """With rows of averages over the datasets; an algorithm that lacks one has none."""
    comparable = frame.loc[[name for name in frame.index if name in COMPARABLE]]
    made = frame.copy()
    made.loc[AVERAGE] = frame.mean(skipna=False)
    if 0 < len(comparable) < len(frame):
        made.loc[AVERAGE_COMPARABLE] = comparable.mean(skipna=False)
    return made


def average_note(frame: "pd.DataFrame") -> str:
    """Over how many datasets the averages are, and which algorithms have none."""
    partial = list(frame.columns[frame.isna().any()])
    lacking = f"; there is none for {', '.join(partial)}, computed on only some of them" if partial else ""
    abalone = " The paper does not define Abalone's three classes." if "abalone" in frame.index else ""
    return f"Averages are over {counted(len(frame), 'dataset')}{lacking}.{abalone}"


def with_splits(frame: "pd.DataFrame", results: Results, algorithms: Iterable[str] | None = None) -> "pd.DataFrame":
    """With a last column, how many splits the cells of a row are of; algorithms: those of the cells, None for all."""
    counts = split_counts(results)
    kept = counts if algorithms is None else counts[[name for name in counts if name in set(algorithms)]]
    texts = {name: range_of(row) for name, row in kept.iterrows()}
    return frame.assign(**{SPLITS: [texts.get(name, "") for name in frame.index]})


def range_of(counts: Iterable[int]) -> str:
    """How many splits some means are of, as "30" or "10–30"; those of none do not count."""
    known = [int(count) for count in counts if count]
    low, high = min(known, default=0), max(known, default=0)
    return f"{low}" if low == high else f"{low}–{high}"


# The tables that compare algorithms: ranks, p-values, differences paired by split, the Bayesian test.


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


BEYOND_CHANCE = 2.6  # standard errors; by chance alone one difference in a hundred


def make_tables(results: Results, names: Iterable[str] | None = None) -> dict[str, Table]:
    """The tables that can be made of these results, by name. results: of ``read_results``. names: some of TABLES; None for all.

    A table for which results are missing is not there. Raises DataError where a dataset or an algorithm is none of the study's,
    KeyError for a name that is not in TABLES.
    """
    if not results:
        return {}
    made = {name: _MAKERS[name](results) for name in (TABLES if names is None else names)}
    return {name: one for name, one in made.items() if one is not None}


def dataset_sizes() -> "pd.DataFrame":
    """The twelve datasets as they are here: samples, features (columns of the table) and classes, as ``printed_sizes``."""
    import pandas as pd

    from tsk_core.data.gallery import GALLERY

    figures = {"samples": "rows", "features": "features", "classes": "classes"}
    return pd.DataFrame({size: {name: getattr(GALLERY[name], of) for name in DATASETS} for size, of in figures.items()})


def _datasets_table(results: Results) -> Table:  # noqa: ARG001 - it is the same for all
    frame = printed_sizes().join(dataset_sizes().add_suffix(" here")).rename(columns=str.capitalize)
    notes = ("As the paper prints them, where a category counts as its 0/1 columns, and as the tables are here.",)
    return table("datasets", "The twelve datasets", frame, notes, digits=0)


def _scores_table(results: Results, metric: str) -> Table:
    means = mean_scores(results, metric)
    few = fewer_splits(split_counts(results))
    frame = with_splits(with_averages(means), results)
    notes = (_SCORES_NOTE, fewer_splits_note(few, "in bold nowhere"), average_note(means))
    return table(
        metric, f"Average {METRICS[metric]}s", frame, notes,
        lambda numbers: largest(numbers.drop(columns=few, errors="ignore")), {"SD": sd_scores(results, metric)},
    )  # fmt: skip


def _variants_table(results: Results) -> Table | None:
    means = mean_scores(results, "bca")
    means = means[[name for name in BN_VARIANTS if name in means]].dropna(how="all")
    if len(means.columns) < 2:
        return None
    frame = with_splits(with_averages(means), results, BN_VARIANTS)
    notes, sds = (_SCORES_NOTE, average_note(means)), sd_scores(results, "bca")
    return table("bn_variants", "Average BCAs of the variants of batch normalisation", frame, notes, largest, {"SD": sds})


def _differences_table(results: Results, metric: str) -> Table | None:
    ours, theirs = mean_scores(results, metric), printed_scores(metric).dropna(axis=1, how="all")
    shared = [str(name) for name in ours if name in theirs]
    ours = ours[shared].dropna(how="all")
    if ours.empty:
        return None
    differences = ours - theirs.loc[ours.index, shared]
    counts = split_counts(results).loc[ours.index, shared]
    errors = error_beside_paper(sd_scores(results, metric).loc[ours.index, shared], counts)
    frame, errors = with_averages(differences), _errors_of_averages(errors)
    notes = (
        "Positive where ours is higher. Both are means over random splits, but not the same ones. In brackets: the standard error"
        f" of the difference, if the paper's scores spread as ours do; in bold: beyond {BEYOND_CHANCE} standard errors.",
        average_note(differences),
    )
    title = f"Average {METRICS[metric]}s: ours minus the paper's"
    return table(
        f"{metric}_differences", title, with_splits(frame, results, shared), notes,
        lambda numbers: numbers.abs() > BEYOND_CHANCE * errors, {"SE": errors},
    )  # fmt: skip


def _errors_of_averages(errors: "pd.DataFrame") -> "pd.DataFrame":
    """With rows for the averages of ``with_averages``: datasets are independent, so that their squared errors add up."""
    squares = with_averages(errors**2)
    for name, datasets in ((AVERAGE, errors.index), (AVERAGE_COMPARABLE, errors.index.intersection(list(COMPARABLE)))):
        if name in squares.index:
            squares.loc[name] /= len(datasets)
    return squares**0.5


def _seconds_table(results: Results) -> Table:
    means = mean_scores(results, "seconds")
    notes = (
        "Mean seconds of training on one split, with the standard deviation over splits in brackets; for trainings side by side,"
        " each one's share of their time.", average_note(means),
    )  # fmt: skip
    frame = with_splits(with_averages(means), results)
    return table("seconds", "Seconds of training", frame, notes, beside={"SD": sd_scores(results, "seconds")}, digits=2)


def _splits_table(results: Results) -> Table:
    notes = ("Number of random splits over which the other tables take means.",)
    return table("splits", "Splits computed", split_counts(results), notes, digits=0)


_SCORES_NOTE = "Means over the splits, on the test rows, with standard deviations in brackets; the largest of a row in bold."
_MAKERS: dict[str, Callable[[Results], Table | None]] = {
    "datasets": _datasets_table,
    **{metric: partial(_scores_table, metric=metric) for metric in METRICS},
    **{f"{metric}_ranks": partial(ranks_table, metric=metric) for metric in METRICS},
    **{f"{metric}_ranks_all": partial(ranks_table, metric=metric, algorithms=tuple(ALGORITHMS)) for metric in METRICS},
    "p_values": p_values_table,
    "bn_variants": _variants_table,
    **{f"{metric}_differences": partial(_differences_table, metric=metric) for metric in METRICS},
    **{f"{metric}_paired": partial(paired_table, metric=metric) for metric in METRICS},
    **{f"{metric}_signed_rank": partial(signed_rank_table, metric=metric) for metric in METRICS},
    "seconds": _seconds_table,
    "splits": _splits_table,
}
TABLES = tuple(_MAKERS)

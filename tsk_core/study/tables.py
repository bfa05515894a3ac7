"""The study's tables, made from its results; none is typed."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from tsk_core.study.comparison_tables import p_values_table, paired_table, ranks_table, signed_rank_table
from tsk_core.study.names import ALGORITHMS, BN_VARIANTS, COMPARABLE, DATASETS
from tsk_core.study.published import printed_scores, printed_sizes
from tsk_core.study.statistics import Results, error_beside_paper, fewer_splits, mean_scores, sd_scores, split_counts
from tsk_core.study.table import (
    AVERAGE,
    AVERAGE_COMPARABLE,
    METRICS,
    Table,
    average_note,
    fewer_splits_note,
    largest,
    table,
    with_averages,
    with_splits,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["TABLES", "dataset_sizes", "make_tables"]

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

"""What each table of the page is made of: ours, the paper's, and what to say below."""

import math
from dataclasses import dataclass, field

import pandas as pd

from tsk_core.errors import DataError
from tsk_core.study import (
    ALGORITHMS,
    BN_VARIANTS,
    DATASETS,
    complete,
    dataset_sizes,
    dunn,
    fewer_splits,
    fewer_splits_note,
    left_out,
    mean_scores,
    printed_p_values,
    printed_ranks,
    printed_sizes,
    ranks,
    split_counts,
    split_scores,
)  # fmt: skip
from ui.paper.controls import Shown
from ui.paper.printed import printed_table
from ui.text import shortened

_COMPARABLE = "* All but Abalone, whose three classes the paper does not define. Averages stand where every dataset has a value."
_P_VALUES = (
    "Dunn's test with the correction of Benjamini and Hochberg for all pairs of the nine algorithms, on the scores of all splits"
    " pooled. One-sided, which fits the printed values; p below 0.025 counts as significant."
)
_NO_RESULTS = "There are no results of ours yet. Choose a dataset and an algorithm below and compute them, or see the paper's."


@dataclass
class Content:
    """ours, paper: rows are names of datasets (or whatever the table has), columns algorithms; None where there is none.

    splits: how many each mean of ours is of, the same rows and columns. form: of its numbers. full: the difference of the deepest
    colour. averages: whether rows of averages follow. of_cells: whether a cell is a dataset and an algorithm.
    """

    title: str
    ours: pd.DataFrame | None
    paper: pd.DataFrame | None
    splits: pd.DataFrame | None = None
    form: str = ".4f"
    full: float = 0.1
    lower_is_better: bool = False
    averages: bool = False
    of_cells: bool = True
    missing: str = _NO_RESULTS
    notes: list[str] = field(default_factory=list)


def content_of(shown: Shown) -> Content:
    """The content of the table that is chosen."""
    if shown.table in ("RCA", "BCA"):
        return _scores(shown, shown.table.lower(), shown.algorithms)
    if shown.table == "BN variants":
        return _scores(shown, "bca", BN_VARIANTS)
    if shown.table == "Datasets":
        return _datasets()
    if shown.table == "Seconds":
        return _seconds(shown)
    return _ranks(shown) if shown.table.endswith("ranks") else _p_values(shown)


def _scores(shown: Shown, metric: str, algorithms: tuple[str, ...]) -> Content:
    """Means over the splits, of these algorithms."""
    paper = printed_table(metric).reindex(index=list(DATASETS), columns=list(algorithms))
    content = Content(metric.upper(), None, paper, averages=True, notes=[_COMPARABLE])
    if shown.values != "Ours":  # the others are beyond the paper, or it prints them for the other metric alone
        content.paper = paper = paper.dropna(axis="columns", how="all")
    if not shown.results:
        return content
    algorithms = tuple(paper)
    content.ours = mean_scores(shown.results, metric).reindex(index=list(DATASETS), columns=list(algorithms))
    content.splits = split_counts(shown.results).reindex(index=list(DATASETS), columns=list(algorithms)).fillna(0)
    if few := fewer_splits_note(fewer_splits(content.splits), "so not to be compared by these means, but in the tab Pairs"):
        content.notes.append(few)
    if shown.authors:  # some datasets alone
        content.ours = content.ours.dropna(how="all")
    return content


def _datasets() -> Content:
    """Table I; ours as the gallery has them."""
    note = "Features: columns of the table. Where the paper counts more, it counts the 0/1 columns of a category."
    return Content("Datasets", dataset_sizes(), printed_sizes(), form=",.0f", full=5, of_cells=False, notes=[note])


def _seconds(shown: Shown) -> Content:
    if not shown.results:
        return Content("Seconds", None, None)
    columns = [name for name in ALGORITHMS if name in {result.algorithm for result in shown.results.values()}]
    ours = mean_scores(shown.results, "seconds").reindex(index=list(DATASETS), columns=columns)
    counts = split_counts(shown.results).reindex(index=list(DATASETS), columns=columns).fillna(0)
    note = "For one split on one core, including the choice of λ and of the epochs; for trainings side by side, each one's share."
    return Content("Seconds", ours, None, counts, form=".3g", notes=[note])


def _ranks(shown: Shown) -> Content:
    """Among the nine algorithms that the paper ranks."""
    metric = shown.table[:3].lower()
    paper = printed_ranks(metric)
    content = Content(shown.table, None, paper, form=".3g", full=4, lower_is_better=True, averages=True)
    content.notes = ["Rank 1 is the highest mean; blue: ours ranks better. " + _COMPARABLE]
    if not shown.results:
        return content
    scores = mean_scores(shown.results, metric).reindex(columns=paper.columns)
    content.ours = ranks(complete(scores)).reindex(index=paper.index, columns=paper.columns)
    content.splits = split_counts(shown.results).reindex(index=paper.index, columns=paper.columns).fillna(0)
    content.notes += [text for text in (left_out(scores),) if text]
    return content


def _p_values(shown: Shown) -> Content:
    """Of both metrics; each pair once, as the paper has it."""
    paper = pd.concat({metric.upper(): printed_p_values(metric) for metric in ("rca", "bca")})
    content = Content("p-values", None, _flat(paper), full=math.inf, of_cells=False, notes=[_P_VALUES])
    parts = {}
    for metric in ("rca", "bca"):
        scores = split_scores(shown.results, metric) if shown.results else pd.DataFrame()
        try:
            test = dunn(scores[[name for name in printed_ranks(metric) if name in scores]])
        except DataError as error:
            content.missing = str(error)
            return content
        printed = printed_p_values(metric)
        parts[metric.upper()] = test.one_sided.reindex_like(printed).where(printed.notna())
    content.notes.append(f"{test.observations} scores of each algorithm. {shortened(test.left_out, 200)}".strip())
    content.notes.append(test.assumption)
    content.ours = _flat(pd.concat(parts))
    return content


def _flat(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows as "TSK-MBGD-UR, RCA"."""
    return frame.set_axis([f"{name}, {metric}" for metric, name in frame.index], axis=0)

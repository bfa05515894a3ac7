"""The paper's tables, ours beside them: values as text, coloured by how far ours are from the paper's; a click selects a cell."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from tsk_core.errors import DataError
from tsk_core.numbers import minus
from tsk_study import (
    ALGORITHMS,
    BN_VARIANTS,
    COMPARABLE,
    DATASETS,
    FOUR,
    SOURCES,
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
from ui.page.presenter import presenting
from ui.paper.controls import TABLES, Shown, number_in, printed_table, select
from ui.platform import session
from ui.text import in_markdown, shortened

# What each table of the page is made of: ours, the paper's, and what to say below.


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
    algorithms = tuple(map(str, paper))
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
    parts, about = {}, list[str]()
    for metric in ("rca", "bca"):
        scores = split_scores(shown.results, metric) if shown.results else pd.DataFrame()
        try:
            test = dunn(scores[[name for name in printed_ranks(metric) if name in scores]])
        except DataError as error:
            content.missing = str(error)
            return content
        printed = printed_p_values(metric)
        parts[metric.upper()] = test.one_sided.reindex_like(printed).where(printed.notna())
        counts = f"{test.observations} scores of each algorithm. {shortened(test.left_out, 200)}".strip()
        about = [counts, test.assumption]  # the same of both
    content.notes += about
    content.ours = _flat(pd.concat(parts))
    return content


def _flat(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows as "TSK-MBGD-UR, RCA"."""
    return frame.set_axis([f"{name}, {metric}" for metric, name in frame.index], axis=0)


NONE = "–"
SPLITS = "Splits"
HIGHER, LOWER = (0, 114, 178), (213, 94, 0)  # Okabe and Ito's blue and vermilion
FULL = 0.1  # the difference of the deepest colour
_ALPHA = 0.5  # of the deepest colour: the text keeps a contrast of 4.5 to 1 on it, on light pages and dark ones
_SMALLEST = 0.02  # of FULL; no colour below
_ROW, _HEAD = 35, 38  # pixels
_LARGER = 1.33  # in presenter mode, whose letters are that much larger
_WIDTH = 132  # pixels, of a value with its difference: on a phone the first algorithm is in sight beside the datasets


@dataclass(frozen=True)
class Drawn:
    """text: what the cells say. differences: ours − paper where both are there, with the same rows and columns; else NaN."""

    text: pd.DataFrame
    differences: pd.DataFrame


def table_section(shown: Shown) -> None:
    """The table, and what it rests on."""
    content = content_of(shown)
    if content.ours is None and shown.values != "Paper":
        st.info(in_markdown(content.missing))
        return
    if content.paper is None and shown.values != "Ours":
        st.caption("The paper has no such table, so these are ours.")
    drawn = text_frame(content, shown.values if content.paper is not None else "Ours")
    key = f"paper_table:{shown.table}"
    st.dataframe(
        coloured(drawn, content), width="stretch", height=_scaled(_HEAD + _ROW * len(drawn.text)), key=key,
        on_select=partial(_clicked, key) if content.of_cells else "ignore", selection_mode="single-cell",
        alt=f"{content.title}, {shown.values}",
        column_config=_columns(drawn.text),
    )  # fmt: skip
    if content.ours is not None and content.paper is not None and shown.values != "Paper":
        st.caption(_key_of(shown.values, content))
    if label := TABLES[shown.table]:
        source = SOURCES[label]
        st.caption(in_markdown(f"{source.table} of the paper: {source.title}."))
    for note in content.notes:
        st.caption(in_markdown(note))


def _key_of(values: str, content: Content) -> str:
    """What the second number of a cell is, and its colour."""
    what = "Behind each number: ours minus the paper's." if values == "Ours" else "Ours minus the paper's."
    blue, orange = ("lower", "higher") if content.lower_is_better else ("higher", "lower")
    return f"{what} Blue: ours is {blue}; orange: {orange}."


def text_frame(content: Content, values: str) -> Drawn:
    """The cells as text. values: "Ours", "Paper" or "Difference"; where ours are shown, the difference stands behind them."""
    ours, paper = average_rows(content.ours, content), average_rows(content.paper, content)
    shown = paper if values == "Paper" else ours
    assert shown is not None
    differences = pd.DataFrame(math.nan, index=shown.index, columns=shown.columns)
    if values != "Paper" and ours is not None and paper is not None:
        differences = ours.sub(paper.reindex_like(ours))
    text = pd.DataFrame(NONE, index=shown.index, columns=shown.columns, dtype=object)
    for row in shown.index:
        for column in shown.columns:
            number, difference = number_in(shown, row, column), number_in(differences, row, column)
            text.at[row, column] = _cell(number, difference, values, content.form)
    text = text[ours_first(text.columns)]
    if content.splits is not None and values != "Paper":
        text[SPLITS] = [_splits(content.splits, row) for row in shown.index]
    text.index = differences.index = [_row_title(row) for row in shown.index]
    return Drawn(text, differences)


def ours_first(columns: Iterable[str]) -> list[str]:
    """The paper's own algorithms first, the one with UR and BN at the head: a narrow page shows the first columns alone."""
    own = (*reversed(FOUR), *(name for name in BN_VARIANTS if name not in FOUR))
    return sorted(columns, key=lambda name: own.index(name) if name in own else len(own))


def average_rows(frame: pd.DataFrame | None, content: Content) -> pd.DataFrame | None:
    """The frame with rows of averages, over all datasets and over those that can be compared, where all of them have a value."""
    if frame is None or not content.averages:
        return frame
    extra = {
        "average": frame.reindex(list(DATASETS)).mean(skipna=False),
        "comparable": frame.reindex(COMPARABLE).mean(skipna=False),
    }
    return pd.concat([frame, pd.DataFrame(extra).T.dropna(how="all")])


def difference_text(value: float, form: str = ".4f") -> str:
    """With its sign, also for the eye that sees no colour: "+.0123", "−.0040"."""
    text = f"{value:+{form}}"
    return f"{0.0:+{form}}" if float(text.replace(",", "")) == 0 else minus(text)


def colour(value: float, full: float = FULL) -> str:
    """The style of a cell with this difference; "" for none, or hardly any."""
    if math.isnan(value) or abs(value) < _SMALLEST * full:
        return ""
    red, green, blue = HIGHER if value > 0 else LOWER
    return f"background-color: rgba({red}, {green}, {blue}, {_ALPHA * min(1.0, abs(value) / full):.3f})"


def coloured(drawn: Drawn, content: Content) -> Styler:
    """The frame with the colours of its differences."""
    sign = -1 if content.lower_is_better else 1
    styles = drawn.differences.reindex(columns=drawn.text.columns).map(lambda value: colour(sign * value, content.full))
    return drawn.text.style.apply(lambda _: styles, axis=None)


def _cell(value: float, difference: float, values: str, form: str) -> str:
    if math.isnan(value):
        return NONE
    if values == "Difference":
        return NONE if math.isnan(difference) else difference_text(difference, form)
    own = format(value, form)
    return own if values == "Paper" or math.isnan(difference) else f"{own}  {difference_text(difference, form)}"


def _splits(counts: pd.DataFrame, row: str) -> str:
    """As "30", or "10 to 30" where algorithms differ."""
    rows = {"average": list(DATASETS), "comparable": list(COMPARABLE)}.get(row, [row])
    positive = counts.reindex(rows).to_numpy().ravel()
    positive = positive[positive > 0]
    if not len(positive):
        return "0"
    low, high = int(positive.min()), int(positive.max())
    return str(low) if low == high else f"{low} to {high}"


def _row_title(row: str) -> str:
    return {"average": "Average", "comparable": "Average of 11*"}.get(row, DATASETS.get(row, row))


def _columns(text: pd.DataFrame) -> dict[str, Any]:
    columns = {name: st.column_config.TextColumn(alignment="right", width=_scaled(_WIDTH)) for name in text.columns}
    if SPLITS in columns:
        columns[SPLITS] = st.column_config.TextColumn(alignment="right", width=_scaled(70), help="Number of splits in each mean.")
    named = text.index.isin(DATASETS.values()).any()
    width = _scaled(110 if named else 170)
    return columns | {"_index": st.column_config.TextColumn("Dataset" if named else "Algorithm", width=width)}


def _scaled(pixels: int) -> int:
    return round(_LARGER * pixels) if presenting() else pixels


def _clicked(key: str) -> None:
    """Show the cell that was clicked, or reached with the arrow keys."""
    for row, column in session.COMPONENT(key).get()["selection"]["cells"]:
        if column in ALGORITHMS and row < len(DATASETS):
            select(list(DATASETS.values())[row], column)

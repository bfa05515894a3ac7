"""What the page Paper shows, as widgets and in the link; the results and the paper's numbers; presenter mode."""

import math
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from tsk_study import ALGORITHMS, AUTHORS_FILE, BEYOND, DATASETS, PAPER, STUDY_RESULTS, Result, printed_scores
from ui.experiments import next_option
from ui.page.presenter import Keys, presenter_line, presenting
from ui.platform import session
from ui.platform.caches import Results, once_per_server, results_in, shipped_results, study_folder
from ui.platform.engine import get_engine
from ui.platform.session import Key
from ui.text import in_markdown

PAPER_NOTES = Key[list[str]]("paper_notes", make=list)
PAPER_TAB = Key[str]("part")
PAPER_TABLE = Key[str]("table")
PAPER_VALUES = Key[str]("values")
PAPER_METRIC = Key[str]("metric")
PAPER_BEYOND = Key[bool]("beyond")
PAPER_DATASET = Key[str]("dataset")
PAPER_ALGORITHM = Key[str]("algorithm")


# Our results: those that come with the app, or the ones of a study of your own, with the cells that this server computed.


def authors_results() -> Results:
    """Those of the authors' own way of running it, of fewer datasets and splits; {} where there are none."""
    return results_in(study_folder() / AUTHORS_FILE)


def results() -> Results:
    """The shipped ones, and where they lack a split, what was computed on this server."""
    computed = results_in(Path(get_engine().store.folder) / STUDY_RESULTS)
    return _joined(computed, shipped_results())


@once_per_server(entries=2)
def _joined(computed: Results, shipped: Results) -> Results:
    """One object for all visitors, by which what is drawn from it is found again."""
    return {**computed, **shipped}


TABLE, VALUES_KEY, METRIC = PAPER_TABLE.name, PAPER_VALUES.name, PAPER_METRIC.name
TAB, BEYOND_KEY, AUTHORS_KEY, FIRST, SECOND = PAPER_TAB.name, PAPER_BEYOND.name, "authors", "first", "second"
DATASET, ALGORITHM = PAPER_DATASET.name, PAPER_ALGORITHM.name
TABLES = {  # what the box and the link say -> the label of the paper's table in its source; "" for none
    "RCA": "tab:acc",
    "BCA": "tab:bca",
    "RCA ranks": "tab:accrank",
    "BCA ranks": "tab:bcarank",
    "p-values": "tab:pvalue",
    "BN variants": "tab:bcabnv",
    "Datasets": "tab:data",
    "Seconds": "",
}
VALUES = ("Ours", "Paper", "Difference")
METRICS = ("BCA", "RCA")
TITLES = list(DATASETS.values())  # the paper's names of the datasets
DRAWN_WITH = (TAB, TABLE, VALUES_KEY, BEYOND_KEY, AUTHORS_KEY, DATASET, ALGORITHM)
PROPOSED, BASELINE = "TSK-MBGD-UR-BN", "TSK-MBGD"
_VALUES_HELP = (
    "Ours: our mean over the splits, and how far it is from the paper's. Paper: as printed. Difference: ours minus the paper's."
    " Blue: ours is higher; orange: lower. The deeper the colour, the larger the difference, up to 0.1."
)
_AUTHORS_HELP = (
    "The authors' published code differs from the paper's text: firing levels that underflow, validation rows left in training,"
    " and the state of batch normalisation carried from one repetition to the next. This shows the results of such a run."
)
_BEYOND_HELP = "What a practitioner would pick instead, on the same splits: " + ", ".join(BEYOND) + "."


class Shown(NamedTuple):
    """What is chosen. results: ours, as the paper's text has it or as the authors ran it. algorithms: the columns."""

    table: str
    values: str
    beyond: bool
    authors: bool
    results: Results
    algorithms: tuple[str, ...]

    def of_cell(self, dataset: str, algorithm: str) -> list[Result]:
        """The results of one cell, by split."""
        return [result for key, result in sorted(self.results.items()) if key[:2] == (dataset, algorithm)]


def correct_link(tabs: Sequence[str]) -> None:
    """Leave out what the link cannot have, and say so; before any widget is made. tabs: of the page."""
    known = {TAB: tabs, TABLE: TABLES, VALUES_KEY: VALUES, METRIC: METRICS, DATASET: TITLES}
    known |= dict.fromkeys((ALGORITHM, FIRST, SECOND), ALGORITHMS)
    wrong = [key for key, options in known.items() if st.query_params.get(key, next(iter(options))) not in options]
    for key in wrong:
        said = in_markdown(st.query_params[key][:40])
        del st.query_params[key]
        PAPER_NOTES.get().append(f"The link's {key} “{said}” is unknown, so the usual one is shown.")
    if wrong:
        st.rerun()
    for note in PAPER_NOTES.get():
        st.info(note)


def table_controls() -> Shown:
    """The row over the table."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="paper_controls"):
        table = st.selectbox("Table", list(TABLES), key=TABLE, bind="query-params", persist_state="page", width=150)
        values = st.segmented_control(
            "Values",
            VALUES,
            default=VALUES[0],
            required=True,
            key=VALUES_KEY,
            bind="query-params",
            persist_state="page",
            help=_VALUES_HELP,
        )
        beyond = st.toggle("Beyond the paper", key=BEYOND_KEY, bind="query-params", persist_state="page", help=_BEYOND_HELP)
        theirs = authors_results()
        authors = st.toggle(
            "As the authors ran it", key=AUTHORS_KEY, bind="query-params", persist_state="page", help=_AUTHORS_HELP,
            disabled=not theirs,
        )  # fmt: skip
    authors = authors and bool(theirs)
    chosen = theirs if authors else results()
    present = {algorithm for _, algorithm, _ in chosen}
    columns = PAPER + (tuple(name for name in BEYOND if name in present) if beyond else ())
    if authors:
        columns = tuple(name for name in columns if name in present)
    return Shown(table, values, beyond, authors, chosen, columns)


def cell_controls() -> tuple[str, str]:
    """Dataset and algorithm of the cell, as their names in results: chosen here, or by a click on the table."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="paper_cell"):
        return dataset_control(), algorithm_box("Algorithm", ALGORITHM, list(ALGORITHMS), PROPOSED)


def dataset_control() -> str:
    """The dataset, by its name in results."""
    title = st.selectbox("Dataset", TITLES, key=DATASET, bind="query-params", persist_state="page", width=180)
    return next(name for name, shown in DATASETS.items() if shown == title)


def algorithm_box(label: str, key: str, names: Sequence[str], usual: str) -> str:
    """One of these algorithms; where the usual one is not among them, the first."""
    at = names.index(usual) if usual in names else 0
    return st.selectbox(label, names, at, key=key, bind="query-params", persist_state="page", width=240)


def metric_control() -> str:
    """BCA or RCA."""
    return st.segmented_control(
        "Metric", METRICS, default=METRICS[0], required=True, key=METRIC, bind="query-params", persist_state="page"
    )


def select(dataset: str, algorithm: str) -> None:
    """Show this cell; in a callback. dataset: as the paper prints it."""
    PAPER_DATASET.set(dataset)
    PAPER_ALGORITHM.set(algorithm)


# The paper's numbers, read once.


@cache
def printed_table(metric: str) -> pd.DataFrame:
    """The printed averages of "rca" or "bca": datasets × algorithms, NaN where nothing is printed. Not to be changed."""
    return printed_scores(metric)


def printed_value(dataset: str, algorithm: str, metric: str) -> float | None:
    """One of them; None where nothing is printed."""
    table = printed_table(metric)
    value = number_in(table, dataset, algorithm) if algorithm in table else math.nan
    return None if math.isnan(value) else value


def number_in(table: pd.DataFrame, row: str, column: str) -> float:
    """The number of a cell; NaN where it is empty."""
    value: Any = table.at[row, column]
    return float(value)


# The charts of the page, larger on a projector.


_LETTERS, _TALLER = 19, 1.25  # px; of the height


def draw_chart(figure: go.Figure, key: str, alt: str) -> None:
    """Draw it as wide as its place. alt: for those who do not see it."""
    if presenting():
        height = None if figure.layout.height is None else round(_TALLER * figure.layout.height)
        figure = go.Figure(figure).update_layout(font_size=_LETTERS, height=height)  # the figure is kept for all visitors
    st.plotly_chart(figure, theme=None, width="stretch", key=key, alt=alt, config={"displayModeBar": False})


# Presenter mode of Paper, ``?present=1``: large type, few controls, and a key for each part, table and cell.


_STYLE = Path(__file__).with_name("presenter.css")


def presenter(tabs: Sequence[str]) -> None:
    """Draw the first line, and let the keys work; after the tabs are made. tabs: of the page."""
    tab = _chosen(PAPER_TAB, tabs)
    presenter_line(f"**{in_markdown(tab)}**{in_markdown(_shown(tab))}", keys(tabs), _STYLE)


def keys(tabs: Sequence[str]) -> Keys:
    """The keys of the page."""
    listed = {
        "N · Page Down": "next part of the page", "M · Page Up": "previous part", f"1 … {len(tabs)}": "parts",
        "T": "next table", "C": "ours, the paper's, the difference", "B": "algorithms beyond the paper", "R": "RCA or BCA",
        "D": "next dataset", "A": "next algorithm", "V": "hide, show the buttons", "?": "this list",
    }  # fmt: skip
    forward, back = (_next(PAPER_TAB, tabs, step) for step in (1, -1))
    actions: dict[str, Callable[[], None]] = {
        "n": forward, "PageDown": forward, "m": back, "PageUp": back,
        **{str(number): partial(PAPER_TAB.set, tab) for number, tab in enumerate(tabs, 1)},
        "t": _next(PAPER_TABLE, list(TABLES)), "c": _next(PAPER_VALUES, VALUES),
        "r": _next(PAPER_METRIC, METRICS), "b": _switch_beyond, "d": _next(PAPER_DATASET, TITLES),
        "a": _next(PAPER_ALGORITHM, [PROPOSED, *(name for name in ALGORITHMS if name != PROPOSED)]),
    }  # fmt: skip
    return Keys(listed, actions)


def _next(widget: session.Key[str], options: Sequence[str], step: int = 1) -> Callable[[], None]:
    """As ``next_option``, from what the widget shows before anything is chosen."""

    def switch() -> None:
        widget.set(_chosen(widget, options))
        next_option(widget, options, step)()

    return switch


def _chosen(widget: session.Key[str], options: Sequence[str]) -> str:
    """What the widget has, or will have by the link once it is made; else the first option."""
    value = widget.get() or st.query_params.get(widget.name, "")
    return value if value in options else options[0]


def _switch_beyond() -> None:
    PAPER_BEYOND.set(not PAPER_BEYOND.get())


def _shown(tab: str) -> str:
    """What the part shows, where keys change it."""
    if tab == "Results":
        return f" · {_chosen(PAPER_TABLE, list(TABLES))} · {_chosen(PAPER_VALUES, VALUES).lower()}"
    return f" · {_chosen(PAPER_METRIC, METRICS)}" if tab in ("Statistics", "Pairs") else ""

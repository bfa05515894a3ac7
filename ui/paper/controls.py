"""What the page shows, as widgets and in the link: the table, its values, whose results, and the cell."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from tsk_core.study import ALGORITHMS, BEYOND, DATASETS, PAPER, Result
from ui.paper.shipped import authors_results, results
from ui.platform import session
from ui.text import in_markdown

TABLE, VALUES_KEY, METRIC = session.PAPER_TABLE.name, session.PAPER_VALUES.name, session.PAPER_METRIC.name
TAB, BEYOND_KEY, AUTHORS_KEY, FIRST, SECOND = session.PAPER_TAB.name, session.PAPER_BEYOND.name, "authors", "first", "second"
DATASET, ALGORITHM = session.PAPER_DATASET.name, session.PAPER_ALGORITHM.name
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
NOTED = (TAB, TABLE, VALUES_KEY, BEYOND_KEY, AUTHORS_KEY, DATASET, ALGORITHM)
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
    results: dict
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
        session.PAPER_NOTES.get().append(f"The link's {key} “{said}” is unknown, so the usual one is shown.")
    if wrong:
        st.rerun()
    for note in session.PAPER_NOTES.get():
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
    session.PAPER_DATASET.set(dataset)
    session.PAPER_ALGORITHM.set(algorithm)

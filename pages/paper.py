"""Paper: its tables and figures beside ours, what stands behind each number, and where they differ."""

from collections.abc import Callable

import streamlit as st

from ui.page.presenter import presenting
from ui.page.top_bar import top_bar
from ui.paper import controls
from ui.paper.cell import cell_section, comparison_row, missing_section, with_rival
from ui.paper.controls import presenter, results
from ui.paper.differences import differences_section, explained, headline
from ui.paper.equations import equations_section
from ui.paper.figures import figures_section
from ui.paper.tables import table_section
from ui.paper.testing import pairs_section, testing_section
from ui.platform.caches import study_folder
from ui.platform.drawing import note_page, show_errors
from ui.platform.engine import get_engine
from ui.settings import page_state


def page() -> None:
    """The result in a minute → tables and cells → statistics → pairs → equations → differences → figures."""
    get_engine()
    page_state.pass_by("paper")
    controls.correct_link(tuple(SECTIONS))
    first_line = st.container()
    if not presenting():
        top_bar()
        with first_line:
            st.title("The paper, reproduced", anchor=False)
        with show_errors():
            headline(results())
    tabs = st.tabs(tuple(SECTIONS), key=controls.TAB, on_change="rerun", bind="query-params")
    if presenting():
        with first_line:
            presenter(tuple(SECTIONS))
    for tab, section in zip(tabs, SECTIONS.values(), strict=True):
        with tab, show_errors():
            if tab.open:
                section()


def results_tab() -> None:
    """The table, and the cell that is chosen."""
    shown = controls.table_controls()
    table_section(shown)
    if shown.authors:
        explained(shown)
    st.subheader("Behind a number", anchor=False)
    dataset, algorithm = controls.cell_controls()
    note_page(controls.DRAWN_WITH)
    of_cell = shown.of_cell(dataset, algorithm)
    cell_section(dataset, algorithm, of_cell)
    if not shown.authors:
        comparison_row(together := with_rival(algorithm), [one for name in together for one in shown.of_cell(dataset, name)])
        missing_section(dataset, algorithm, of_cell)


def equations_tab() -> None:
    """The cell whose model they are of, then the equations."""
    equations_section(results(), *controls.cell_controls())


SECTIONS: dict[str, Callable[[], None]] = {
    "Results": results_tab,
    "Statistics": lambda: testing_section(results()),
    "Pairs": lambda: pairs_section(results()),
    "Equations": equations_tab,
    "Differences": lambda: differences_section(results()),
    "Figures": lambda: figures_section(results(), study_folder() / "figures"),
}


with show_errors():
    page()

"""The first screen of a page that trains: the ways to a table, and what was found in it; on Explore, what a classifier is."""

import streamlit as st

from tsk_core import limits
from ui import data
from ui.data.choose import Chosen
from ui.data.painting import PAINTED
from ui.data.uploading import KINDS
from ui.live import take_files
from ui.page.picture import picture
from ui.page.presenter import presenting

# The drawing lies in a component since st.html removes SVG.
_svg = st.components.v2.component(
    "tsk_svg", js="export default ({ data, parentElement }) => { parentElement.innerHTML = data.svg; };"
)


def first_screen(chosen: Chosen | None, *, shown: bool, explore: bool = False) -> None:
    """The uploader and why there is no table; before anything is trained, the ways to a table and what is known of it.

    shown: whether the page shows a run or an experiment; then it has the page for itself. explore: with the picture, and with a
    way to the data panel.
    """
    first = not shown and not presenting()
    with st.container(key="first_screen" if first else None, gap="xsmall"):
        if first:
            data.ways_in()
        data.uploader()
        take_files(KINDS, data.how_large(), limits.value("upload_mb"))
        data.show_unready(beside_run=shown)
        if chosen is not None and not presenting():
            data.say_again(chosen.key, chosen.choices)
        if first and chosen is not None and chosen.source.raw is not None:
            data.table_card(chosen, details=explore)
        elif first and explore and chosen is not None and chosen.source.key != PAINTED:
            _welcome()


def _welcome() -> None:
    """One picture and three lines: what a TSK classifier is, and what will move."""
    drawn = picture()
    length, width = drawn.centre
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="welcome"):
        _svg(key="picture", data={"svg": drawn.svg})
        st.markdown(
            f"**A TSK classifier is a set of IF-THEN rules**, such as “IF petal length is near {length:.1f} AND petal width is"
            f" near {width:.1f}”. Each “near” is a Gaussian, drawn at the edge of the picture; their product says how strongly"
            " the rule fires. An ellipse shows its reach (1 σ).\n\n"
            "**Each rule has a linear score for each class.** The firing levels weight the scores of the rules; the class with"
            " the largest sum is predicted. The colours show the predicted class at each point.\n\n"
            "**Press Train and watch**: the loss curve falls, the Gaussians move, and the firing levels shift between the rules."
            " Then read the rules. [What a rule is, in pictures](docs/rules.html)"
        )

"""The first screen of a page that trains: the ways to a table, and what was found in it; on Explore, a training that moves."""

import streamlit as st

from tsk_core import limits
from ui import data
from ui.data.choose import Chosen
from ui.data.source import KINDS, PAINTED
from ui.live import take_files
from ui.page.demonstration import demonstration, play
from ui.page.presenter import presenting

_SENTENCE = "Watch a fuzzy classifier learn, and read it as IF-THEN rules in the words of your own table."


def first_screen(chosen: Chosen | None, *, shown: bool, explore: bool = False) -> None:
    """The uploader and why there is no table; before anything is trained, the ways to a table and what is known of it.

    shown: whether the page shows a run or an experiment; then it has the page for itself. explore: with the training that moves,
    the doors to it and to the lessons, and a way to the data panel.
    """
    first = not shown and not presenting()
    with st.container(key="first_screen" if first else None, gap="xsmall"):
        if first:
            if explore:
                st.header(_SENTENCE, anchor=False)
            data.ways_in(_doors if explore else None)
        data.uploader()
        take_files(KINDS, data.how_large(), limits.value("upload_mb"))
        data.show_unready(beside_run=shown)
        if chosen is not None and not presenting():
            data.say_again(chosen.key, chosen.choices)
        if first and chosen is not None and (raw := chosen.source.raw) is not None:
            data.table_card(chosen, raw, details=explore)
        elif first and explore and chosen is not None and chosen.source.key != PAINTED:
            demonstration()


def _doors() -> None:
    """To the training that moves, and to the lessons."""
    st.button(
        "Play", icon=":material/play_arrow:", width="stretch", on_click=play,
        help="Trains what moves below: three rules on the petals of iris. Every control is yours from then on.",
    )  # fmt: skip
    if st.button("Learn", icon=":material/school:", width="stretch", help="Lessons: predict first, then see what happens."):
        st.switch_page("pages/learn.py", query_params={})  # without them, Streamlit refuses: the address has values of widgets

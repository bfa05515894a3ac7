"""What the page says of an uploaded table before it is trained on: what was read, what is predicted, what was found."""

import pandas as pd
import streamlit as st

from ui.data.choose import Chosen
from ui.data.data_check import summary
from ui.platform import session
from ui.text import in_markdown, shortened, shortened_names

_NAMED = 4  # classes with their numbers of rows
_CHECK = "Data check"  # the tab of the data panel


def table_card(chosen: Chosen, *, details: bool) -> None:
    """The card. details: whether the page has the data panel, which a button then opens at the data check."""
    raw, dataset = chosen.source.raw, chosen.shown
    rows, columns = raw.frame.shape
    with st.container(border=True, key="table_card", gap="xsmall"):
        st.markdown(f"**{in_markdown(shortened(raw.name, 60))}**: {rows:,} rows, {columns:,} columns.")
        st.caption(in_markdown(raw.read_options.sentence(raw.kind)))
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="card_target"):
            _target_list(chosen)
            why = f" Chosen as the target since {chosen.source.why}." if chosen.base.target == chosen.source.guess else ""
            st.caption(in_markdown(f"{_classes(dataset.class_sizes)}{why}"))
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="card_check"):
            st.markdown(summary(chosen))
            if details and any(finding.kind != "note" for finding in dataset.findings):
                st.button("Show", key="show_check", on_click=_open_check, help="Opens the data check below.")


def _target_list(chosen: Chosen) -> None:
    """The same choice as *Target column* in the sidebar, which a phone hides."""
    session.CARD_TARGET.set(chosen.base.target)
    st.selectbox("To be predicted", chosen.source.columns, key=session.CARD_TARGET.name, on_change=_choose_target, width=260)


def _choose_target() -> None:
    session.TARGET.set(session.CARD_TARGET.get())


def _open_check() -> None:
    session.DATA_BOX.set(True)
    session.DATA_VIEW.set(_CHECK)


def _classes(sizes: pd.Series) -> str:
    """As "2 classes: cat (30 rows), dog (30)."; the largest of many."""
    largest = sizes.sort_values(ascending=False, kind="stable")
    first = largest.head(_NAMED)
    names = shortened_names(first.index, 20)
    named = [f"{name} ({count:,}{' rows' * (at == 0)})" for at, (name, count) in enumerate(zip(names, first, strict=True))]
    more = f" and {len(sizes) - _NAMED} more" if len(sizes) > _NAMED else ""
    return f"{len(sizes)} classes: {', '.join(named)}{more}."

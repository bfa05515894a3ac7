"""The gallery: a card for each dataset, with a picture of its best feature pair."""

from html import escape

import streamlit as st

from tsk_core.data import Dataset
from tsk_core.data.gallery import Entry, entries, is_available_offline, sample_points
from ui.data.source import from_gallery
from ui.figures import CLASS_COLOURS
from ui.text import in_markdown

__all__ = ["button"]

_GROUPS = {
    "bundled": "Real data, included in this app",
    "generated": "Generated data, each for one effect",
    "paper": "The twelve datasets of the paper",
    "folder": "Files on this server",
}
_WIDTH, _HEIGHT, _EDGE = 300, 130, 8  # size of a thumbnail, and its margin
_ACROSS = 3  # cards per row


def button() -> None:
    """The button that opens the gallery."""
    if st.button("Browse datasets", icon=":material/grid_view:", width="stretch"):
        _dialog()


@st.dialog("Datasets", width="large")
def _dialog() -> None:
    """Cards by group, three per row."""
    everything = entries()
    for group, title in _GROUPS.items():
        members = [entry for entry in everything if entry.group == group]
        if not members:
            continue
        st.subheader(title, anchor=False)
        for start in range(0, len(members), _ACROSS):
            for place, entry in zip(st.columns(_ACROSS), members[start : start + _ACROSS], strict=False):
                with place:
                    _card(entry)


def _card(entry: Entry) -> None:
    with st.container(border=True, height="stretch"):
        st.markdown(f"**{in_markdown(entry.title)}**")
        if is_available_offline(entry.name):
            picture = _thumbnail(entry.name)
            if picture:
                st.image(picture, width="stretch")
        else:
            st.caption("Fetched from OpenML on first use.")
        if entry.rows:
            st.caption(f"{entry.rows:,} rows · {entry.features} features · {entry.classes} classes, {_balance(entry)}")
        st.markdown(in_markdown(entry.description))
        if entry.good_for:
            st.caption(f":material/lightbulb: {in_markdown(entry.good_for)}")
        if st.button("Use", key=f"use:{entry.name}", width="stretch", on_click=_use, args=(entry.name,)):
            st.rerun()  # closes the dialog


def _balance(entry: Entry) -> str:
    """The class balance in a few words."""
    balanced = max(entry.counts) <= 1.25 * min(entry.counts)
    return "balanced" if balanced else f"the largest has {max(entry.counts) / entry.rows:.0%} of the rows"


def _use(name: str) -> None:
    st.session_state.data = name
    st.session_state.pop("target", None)


@st.cache_resource(max_entries=64, show_spinner=False)
def _thumbnail(name: str) -> str:
    """An SVG of some rows in the plane of the best feature pair; "" without two numeric features."""
    dataset: Dataset = from_gallery(name)
    points = sample_points(dataset)
    if points is None:
        return ""
    x, y, classes = points
    columns = [_EDGE + (_WIDTH - 2 * _EDGE) * _unit(x), _HEIGHT - _EDGE - (_HEIGHT - 2 * _EDGE) * _unit(y)]
    colour = {c: CLASS_COLOURS[k % len(CLASS_COLOURS)] for k, c in enumerate(dataset.classes)}
    dots = "".join(
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.2" fill="{escape(colour[c])}" fill-opacity=".75"/>'
        for a, b, c in zip(*columns, classes, strict=True)
    )
    size = f'width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{dots}</svg>'


def _unit(values):
    """Values scaled to [0, 1]."""
    low, high = values.min(), values.max()
    return (values - low) / (high - low if high > low else 1)

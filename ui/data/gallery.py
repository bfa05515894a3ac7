"""The gallery: a card for each dataset, with a picture of its best feature pair."""

from collections.abc import Callable

import streamlit as st

from tsk_core import limits
from tsk_core.data.gallery import Entry, MeasuredSettings, entries, file_state, is_available_offline
from tsk_core.settings import SETTINGS
from ui.charts.drawn import does_well, points_picture
from ui.data.source import PAINTED, choose_data, from_gallery, upload_button
from ui.platform import session
from ui.platform.caches import once_per_server
from ui.platform.drawing import dialog
from ui.platform.session import Key
from ui.text import in_markdown

RULES_BEFORE_CARD = Key[tuple[int | None, int | None]]("rules_before_card", (None, None))  # number of rules; what a card set
MEASURED_SETTINGS = Key["MeasuredSettings | None"]("settings_wanted")  # of a card of the gallery


_GROUPS = {
    "bundled": "Real data, included in this app",
    "generated": "Generated data, each for one effect",
    "paper": "The twelve datasets of the paper",
    "folder": "Files on this server",
}
_ACROSS = 3  # cards per row


@dialog("Datasets", width="large")
def open_gallery() -> None:
    """Cards by group, three per row; above them the other ways to a table."""
    with st.container(horizontal=True, gap="small", key="gallery_own"):
        upload_button("Upload your table instead", "gallery")
        painted = st.button(
            "Paint points instead", icon=":material/brush:", width="stretch", on_click=choose_data, args=(PAINTED,),
            help="A table of two features, painted with the mouse, a finger or the keyboard, or begun from a shape.",
        )  # fmt: skip
        if painted:
            st.rerun()  # closes the dialog
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
            picture = _thumbnail(entry.name, file_state(entry.name))
            if picture:
                st.image(picture, width="stretch")
        else:
            st.caption("Fetched from OpenML on first use.")
        if entry.rows:
            st.caption(f"{entry.rows:,} rows · {entry.features} features · {entry.classes} classes, {_balance(entry)}")
        st.markdown(in_markdown(entry.description))
        if entry.good_for:
            st.caption(f":material/lightbulb: {in_markdown(entry.good_for)}")
        used = st.button("Use", key=f"use:{entry.name}", width="stretch", on_click=_use, args=(entry.name, None, entry.rules))
        if entry.measured is not None:
            st.caption(f":material/tune: {in_markdown(does_well(entry.measured))}")
            used |= st.button(
                "Use with these settings", key=f"use_measured:{entry.name}", width="stretch", on_click=_use,
                args=(entry.name, entry.measured),
            )  # fmt: skip
        if used:
            st.rerun()  # closes the dialog


def _balance(entry: Entry) -> str:
    """The class balance in a few words."""
    balanced = max(entry.counts) <= 1.25 * min(entry.counts)
    return "balanced" if balanced else f"the largest has {max(entry.counts) / sum(entry.counts):.0%} of the rows"


def _use(name: str, measured: MeasuredSettings | None = None, rules: int | None = None) -> None:
    """Choose a dataset. rules: those that its card promises; other cards take back what such a card set."""
    number = session.widget(SETTINGS["n_rules"].key)
    choose_data(name)
    MEASURED_SETTINGS.set(measured)
    before, promised = RULES_BEFORE_CARD.pop()
    if before is not None and number.get() == promised:
        number.set(before)
    if rules is not None:
        RULES_BEFORE_CARD.set((number.get(), rules))
        number.set(rules)


@once_per_server(entries=64)
def _thumbnail(name: str, state: tuple[str, int, int] | None) -> str:  # noqa: ARG001 - it names the content of a file
    return points_picture(from_gallery(name))


# The two equal ways to a table: one's own, or a dataset of the gallery; and a smaller one: to paint points.


def ways_in(before: Callable[[], None] | None = None) -> None:
    """In the middle of the page, before anything is trained. before: draws equal buttons that lead elsewhere."""
    with st.container(horizontal=True, gap="small", key="ways_in"):
        if before is not None:
            before()
        upload_button("Upload your table", "page")
        if st.button("Choose a dataset", icon=":material/grid_view:", width="stretch", help="Real and generated data to try."):
            open_gallery()
    megabytes = limits.value("upload_mb")
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="more_ways_in"):
        st.caption(f"Or drop a file anywhere on this page: CSV, Excel, OpenDocument, Parquet or ARFF, at most {megabytes} MB.")
        st.button(
            "Paint points", type="tertiary", icon=":material/brush:", on_click=choose_data, args=(PAINTED,),
            help="Paint a table of two features with the mouse, a finger or the keyboard.",
        )  # fmt: skip


def small_ways_in() -> None:
    """In the sidebar, whatever the page shows."""
    with st.container(horizontal=True, gap="xsmall", key="small_ways_in"):
        upload_button("Upload", "sidebar")
        if st.button("Browse", icon=":material/grid_view:", width="stretch", help="Choose a dataset of the gallery."):
            open_gallery()

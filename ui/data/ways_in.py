"""The two equal ways to a table: one's own, or a dataset of the gallery; and a smaller one: to paint points."""

import streamlit as st

from tsk_core import limits
from ui.data.gallery import open_gallery
from ui.data.painting import PAINTED
from ui.data.uploading import choose_data, upload_button


def ways_in() -> None:
    """In the middle of the page, before anything is trained."""
    with st.container(horizontal=True, gap="small", key="ways_in"):
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

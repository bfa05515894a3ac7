"""TSK Explorer: page config and navigation, nothing else."""

from pathlib import Path

import streamlit as st

from ui.explore.presenter import presenting
from ui.live import provide_client

HERE = Path(__file__).parent

st.set_page_config(
    page_title="TSK Explorer",
    page_icon=HERE / "ui" / "icon.svg",
    layout="wide",
    initial_sidebar_state="collapsed" if presenting() else "auto",
)
st.html(HERE / "ui" / "page.css")
provide_client()
pages = [
    st.Page(HERE / "pages" / "explore.py", title="Explore", icon=":material/play_circle:", default=True),
    st.Page(HERE / "pages" / "compare.py", title="Compare", icon=":material/compare_arrows:"),
    st.Page(HERE / "pages" / "sweep.py", title="Sweep", icon=":material/stacked_line_chart:"),
    st.Page(HERE / "pages" / "runs.py", title="Runs", icon=":material/history:"),
]
st.navigation(pages, position="top").run()

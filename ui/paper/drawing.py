"""The charts of the page, larger on a projector."""

import plotly.graph_objects as go
import streamlit as st

from ui.page.presenter import presenting

_LETTERS, _TALLER = 19, 1.25  # px; of the height


def draw_chart(figure: go.Figure, key: str, alt: str) -> None:
    """Draw it as wide as its place. alt: for those who do not see it."""
    if presenting():
        height = None if figure.layout.height is None else round(_TALLER * figure.layout.height)
        figure = go.Figure(figure).update_layout(font_size=_LETTERS, height=height)  # the figure is kept for all visitors
    st.plotly_chart(figure, theme=None, width="stretch", key=key, alt=alt, config={"displayModeBar": False})

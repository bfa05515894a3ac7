"""Charts that change in place: one DOM node, one ``Plotly.react`` a change, no blank frame, nothing from the internet.

``st.plotly_chart`` builds a new node whenever its data changes, which flickers at every epoch. And when a fragment's tick
overtakes the end of a run of the whole script, Streamlit takes elements of the fragment away for a moment. So a chart's place
stands outside the fragment (``live_chart``), and an element that has nothing to show brings its figures (``feed``).
"""

import shutil
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import plotly
import plotly.graph_objects as go
import streamlit as st

__all__ = ["Drawing", "feed", "live_chart", "provide_plotly"]

_HERE = Path(__file__).parent
_STATIC = _HERE.parent.parent / "static"

_chart = st.components.v2.component(
    "tsk_live_chart",
    css=(_HERE / "chart.css").read_text(),
    js=(_HERE / "chart.js").read_text(),
    isolate_styles=False,
)
_feed = st.components.v2.component("tsk_live_feed", js=(_HERE / "feed.js").read_text())


@dataclass(frozen=True)
class Drawing:
    """A figure with an explicit height, its name for screen readers, and a sentence to stand under it."""

    figure: go.Figure
    name: str
    caption: str = ""

    @cached_property
    def json(self) -> str:
        """The figure as Plotly's JSON, made once: the same drawing is fed at each tick until there is a new one."""
        return self.figure.to_json()


@st.cache_resource(show_spinner=False)
def provide_plotly() -> None:
    """Put plotly.min.js from the installed wheel where Streamlit serves it (links are not followed there)."""
    source = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    target = _STATIC / "plotly.min.js"
    if not target.exists() or target.stat().st_size != source.stat().st_size:
        _STATIC.mkdir(exist_ok=True)
        part = target.with_suffix(".part")
        shutil.copyfile(source, part)
        part.replace(target)


def live_chart(chart: str, height: int) -> None:
    """The place of the chart that ``feed`` calls ``chart``, ``height`` pixels high; outside any fragment."""
    _chart(key=f"{chart}_live", data={"chart": chart, "height": height})


def feed(drawings: dict[str, Drawing]) -> None:
    """Bring the newest figure of each chart; may stand in a fragment."""
    _feed(
        key="live_feed",
        data={chart: {"figure": d.json, "name": d.name, "caption": d.caption} for chart, d in drawings.items()},
        height=1,
    )

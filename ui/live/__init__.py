"""A chart that changes in place: one DOM node, one ``Plotly.react`` a change, no blank frame, nothing from the internet.

``st.plotly_chart`` builds a new node whenever its data changes, which flickers at every epoch.
"""

import shutil
from pathlib import Path

import plotly
import plotly.graph_objects as go
import streamlit as st

__all__ = ["live_chart", "provide_plotly"]

_HERE = Path(__file__).parent
_STATIC = _HERE.parent.parent / "static"

_component = st.components.v2.component(
    "tsk_live_chart",
    css=(_HERE / "chart.css").read_text(),
    js=(_HERE / "chart.js").read_text(),
    isolate_styles=False,
)


@st.cache_resource
def provide_plotly() -> None:
    """Put plotly.min.js from the installed wheel where Streamlit serves it (links are not followed there)."""
    source = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    target = _STATIC / "plotly.min.js"
    if not target.exists() or target.stat().st_size != source.stat().st_size:
        _STATIC.mkdir(exist_ok=True)
        part = target.with_suffix(".part")
        shutil.copyfile(source, part)
        part.replace(target)


def live_chart(figure: go.Figure, key: str, name: str) -> None:
    """Draw ``figure``, which needs an explicit height. key: one for each chart of a page. name: read out by screen readers."""
    _component(
        key=key,
        data={"figure": figure.to_json(), "name": name, "height": figure.layout.height},
        height=figure.layout.height,
    )

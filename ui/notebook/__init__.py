"""The widget of notebooks as one file: the modules of ``ui/client`` that it needs, Plotly and the styles.

A browser gets the file from the kernel (``tsk_core.notebook``) and nothing else, so the widget works without a network.

``python -m ui.notebook`` writes the file of a checkout into ``static`` and prints its path; setup.py writes that of a wheel.
"""

import json
from pathlib import Path

from ui.charts import CHART_TABS, CHARTS, RULES, SAMPLES, views_of
from ui.platform.assets import CLIENT, PLOTLY, STATIC, publish, script

__all__ = ["provide_widget", "widget_text"]

_TABS = {SAMPLES: ("plane", "reasons", "curves"), RULES: ("readable", "strengths", "ruleBar", "rules", "pictures")}


def widget_text() -> str:
    """The text of the file: JSON with the "loader", which anywidget gets, and what this makes the widget of."""
    file = {
        "loader": Path(__file__).with_name("loader.js").read_text("utf-8"),
        "charts": [chart.declaration for chart in CHARTS.values()],
        "tabs": {**{tab: views_of(tab) for tab in CHART_TABS}, **_TABS},
        "style": "".join((CLIENT / name).read_text("utf-8") for name in ("client.css", "notebook.css")),
        "code": script("notebook.js"),
        "plotly": PLOTLY["plotly-cartesian.min.js"].read_text("utf-8"),
    }
    return json.dumps(file, ensure_ascii=False, separators=(",", ":"))


def provide_widget() -> Path:
    """Put the file into ``static``, and return its path; see ``assets.publish``."""
    return publish("widget-*.json", widget_text().encode(), STATIC)

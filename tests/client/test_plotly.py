"""Plotly knows every property of every figure that the client makes, and refuses no value."""

import json
import os
import subprocess
import sys
from pathlib import Path

import plotly.graph_objects as go

HERE = Path(__file__).parent
NODE = Path(sys.executable).parent  # where the wheel of node puts it


def test_plotly_knows_every_property_of_every_figure():
    where = os.environ | {"PATH": f"{NODE}{os.pathsep}{os.environ['PATH']}"}
    printed = subprocess.run(["node", HERE / "every_figure.js"], env=where, capture_output=True, text=True, check=True, timeout=60)
    figures = json.loads(printed.stdout)
    assert len(figures) > 100
    refused = {}
    for name, figure in figures.items():
        try:
            go.Figure(figure["data"], figure["layout"])
        except ValueError as error:
            refused[name] = str(error).splitlines()[1]
    assert refused == {}

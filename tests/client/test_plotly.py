"""Plotly knows every property of every figure that the client makes, and refuses no value."""

import plotly.graph_objects as go

from tests.client.node import node


def test_plotly_knows_every_property_of_every_figure():
    figures, refused = node("every_figure.js"), {}
    assert len(figures) > 100
    for name, figure in figures.items():
        try:
            go.Figure(figure["data"], figure["layout"])
        except ValueError as error:
            refused[name] = str(error).splitlines()[1]
    assert refused == {}

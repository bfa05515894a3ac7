"""What the charts that the server draws have in common. The browser draws the others, see ``ui/client``."""

import plotly.graph_objects as go

from ui.charts.colours import text_colour

HEIGHT = 340
_NO_CLICK = {"itemclick": False, "itemdoubleclick": False}


def blank_chart(x_title: str, y_title: str, dark: bool, *, height: int = HEIGHT, by_x: bool = True) -> go.Figure:
    """A chart without lines, in the colours of a light or a dark page.

    by_x: hovering names all lines at that x; otherwise one point, and a click on the legend hides nothing.
    """
    grid, text = "rgba(255,255,255,0.15)" if dark else "rgba(0,0,0,0.12)", {"color": text_colour(dark)}
    axis = {"gridcolor": grid, "zerolinecolor": grid, "linecolor": grid, "automargin": True}
    return go.Figure(
        layout={
            "height": height,
            "margin": {"l": 8, "r": 8, "t": 48 if by_x else 32, "b": 8},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": text | {"size": 14},
            "hovermode": "x unified" if by_x else "closest",
            "hoverlabel": {"bgcolor": "#262730" if dark else "#FFFFFF", "font": text},
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0} | ({} if by_x else _NO_CLICK),
            "xaxis": axis | {"title": x_title},
            "yaxis": axis | {"title": y_title},
            "uirevision": "keep",  # zoom and hidden lines survive an update
        }
    )

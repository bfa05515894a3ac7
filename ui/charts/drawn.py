"""The figures that the server makes: of several runs, and of a rule base. The browser draws the others, see ``ui/client``."""

from collections.abc import Sequence

import plotly.graph_objects as go

from tsk_core.epoch import Epoch
from ui.charts.colours import GREY, palette, text_colour

__all__ = ["HEIGHT", "blank_chart", "compared_chart", "fidelity_chart"]

HEIGHT = 340
_DASHES = ("solid", "dash", "dot")


def compared_chart(histories: dict[str, Sequence[Epoch]], *, dark: bool = False) -> go.Figure:
    """Test RCA by epoch of several runs, one line per run; keys: the names of the runs, as ``in_chart`` gives them."""
    figure, colours = blank_chart("Epoch", "Test RCA", dark), palette(dark)
    for k, (name, history) in enumerate(histories.items()):
        training = [e for e in history if e.stage == "training"] or list(history)
        line = {"color": colours[k % len(colours)], "dash": _DASHES[k // len(colours) % len(_DASHES)]}
        figure.add_scatter(x=[e.epoch for e in training], y=[e.rca_test for e in training], name=name, mode="lines", line=line)
    return figure


def fidelity_chart(curve: Sequence[tuple[int, float, float | None]], smallest: float | None, *, dark: bool = False) -> go.Figure:
    """Fidelity over the number of conditions a rule: (conditions, with linear functions, of the text alone or None) a point.

    smallest: the number to mark; None for none.
    """
    figure, colours = blank_chart("Conditions per rule, at most", "Fidelity", dark), palette(dark)
    lengths = [point[0] for point in curve]
    lines = [("with linear functions", [one for _, one, _ in curve]), ("one class per rule", [one for _, _, one in curve])]
    for k, (name, shares) in enumerate(lines):
        style = {"color": colours[k], "dash": _DASHES[k]}
        figure.add_scatter(x=lengths, y=shares, name=name, mode="lines+markers", line=style)
    figure.add_hline(y=0.95, line={"color": GREY, "dash": "dot", "width": 1})
    if smallest is not None:
        text = f"{smallest:.0f} condition{'' if smallest == 1 else 's'} agree{'s' if smallest == 1 else ''} on 95%"
        line = {"color": GREY, "width": 1}
        figure.add_vline(x=smallest, line=line, annotation={"text": text}, annotation_position="bottom right")
    figure.update_yaxes(range=[0, 1.02], tickformat=".0%")
    figure.update_xaxes(tickmode="array", tickvals=lengths)
    return figure


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

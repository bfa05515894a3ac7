"""The figures that the server makes: of several runs, and of a rule base. The browser draws the others, see ``ui/client``.

The colours are those of Okabe and Ito, which colour-blind people can distinguish, as in ``client/core/colours.js``; on a dark
page, sky blue and yellow replace two that are hard to see or would occur twice.
"""

import itertools
import math
from collections.abc import Sequence

import plotly.graph_objects as go

from tsk_core.epoch import Epoch

__all__ = ["CLASS_COLOURS", "HEIGHT", "ON_DARK", "blank_chart", "class_colours", "compared_chart", "fidelity_chart"]

CLASS_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#B8A800", "#8C8C8C")
ON_DARK = ("#56B4E9", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#F0E442", "#B8A800", "#8C8C8C")
_NAMED = {  # as in ``client/core/colours.js``
    "black": "#1E1E1E", "white": "#949494", "grey": "#606060", "gray": "#606060", "red": "#CC2222", "orange": "#C98500",
    "yellow": "#A39400", "green": "#009E73", "blue": "#0072B2", "purple": "#7B3F98", "violet": "#7B3F98", "brown": "#8C564B",
    "pink": "#CC79A7",
}  # fmt: skip
_NEAR = 90  # of two colours as points in red, green and blue
HEIGHT = 340
_DASHES = ("solid", "dash", "dot")


def class_colours(names: Sequence[str]) -> list[str]:
    """A colour for each class, as the browser's figures have them on a light page: its own if its name is a colour."""
    wanted = [_NAMED.get(str(name).strip().lower()) for name in names]
    own = [colour if colour and wanted.index(colour) == at else None for at, colour in enumerate(wanted)]
    taken = [_parts(colour) for colour in own if colour]
    usual = [colour for colour in CLASS_COLOURS if all(math.dist(_parts(colour), other) > _NEAR for other in taken)]
    others = itertools.cycle(usual)
    return [colour or next(others) for colour in own]


def _parts(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))


def compared_chart(histories: dict[str, Sequence[Epoch]], *, dark: bool) -> go.Figure:
    """Test RCA by epoch of several runs, one line per run; keys: the names of the runs, as ``in_chart`` gives them."""
    figure, colours = blank_chart("Epoch", "Test RCA", dark), ON_DARK if dark else CLASS_COLOURS
    for k, (name, history) in enumerate(histories.items()):
        training = [e for e in history if e.stage == "training"] or list(history)
        line = {"color": colours[k % len(colours)], "dash": _DASHES[k // len(colours) % len(_DASHES)]}
        figure.add_scatter(x=[e.epoch for e in training], y=[e.rca_test for e in training], name=name, mode="lines", line=line)
    return figure


def fidelity_chart(curve: Sequence[tuple[int, float, float | None]], smallest: float | None, *, dark: bool = False) -> go.Figure:
    """Fidelity over the number of conditions a rule: (conditions, with linear functions, of the text alone or None) a point.

    smallest: the number to mark; None for none.
    """
    figure, colours = blank_chart("Conditions per rule, at most", "Fidelity", dark), ON_DARK if dark else CLASS_COLOURS
    lengths = [point[0] for point in curve]
    lines = [("with linear functions", [one for _, one, _ in curve]), ("one class per rule", [one for _, _, one in curve])]
    for k, (name, shares) in enumerate(lines):
        style = {"color": colours[k], "dash": _DASHES[k]}
        figure.add_scatter(x=lengths, y=shares, name=name, mode="lines+markers", line=style)
    figure.add_hline(y=0.95, line={"color": "#8C8C8C", "dash": "dot", "width": 1})
    if smallest is not None:
        text = f"{smallest:.0f} condition{'' if smallest == 1 else 's'} agree{'s' if smallest == 1 else ''} on 95%"
        line = {"color": "#8C8C8C", "width": 1}
        figure.add_vline(x=smallest, line=line, annotation={"text": text}, annotation_position="bottom right")
    figure.update_yaxes(range=[0, 1.02], tickformat=".0%")
    figure.update_xaxes(tickmode="array", tickvals=lengths)
    return figure


_NO_CLICK = {"itemclick": False, "itemdoubleclick": False}


def blank_chart(x_title: str, y_title: str, dark: bool, *, height: int = HEIGHT, by_x: bool = True) -> go.Figure:
    """A chart without lines, in the colours of a light or a dark page.

    by_x: hovering names all lines at that x; otherwise one point, and a click on the legend hides nothing.
    """
    ink, grid = ("#E6E6E6", "rgba(255,255,255,0.15)") if dark else ("#262730", "rgba(0,0,0,0.12)")
    axis = {"gridcolor": grid, "zerolinecolor": grid, "linecolor": grid, "automargin": True}
    return go.Figure(
        layout={
            "height": height,
            "margin": {"l": 8, "r": 8, "t": 48 if by_x else 32, "b": 8},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"color": ink, "size": 14},
            "hovermode": "x unified" if by_x else "closest",
            "hoverlabel": {"bgcolor": "#262730" if dark else "#FFFFFF", "font": {"color": ink}},
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0} | ({} if by_x else _NO_CLICK),
            "xaxis": axis | {"title": x_title},
            "yaxis": axis | {"title": y_title},
            "uirevision": "keep",  # zoom and hidden lines survive an update
        }
    )

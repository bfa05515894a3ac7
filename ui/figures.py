"""The figure that the server makes, of several runs. The browser draws those of one run, see ``ui/client``.

The colours are those of Okabe and Ito, which colour-blind people can distinguish, as in ``client/colours.js``; on a dark page,
sky blue and yellow replace two that are hard to see or would occur twice.
"""

import itertools
import math
from collections.abc import Sequence

import plotly.graph_objects as go

from tsk_core.epoch import Epoch

__all__ = ["CLASS_COLOURS", "HEIGHT", "ON_DARK", "class_colours", "compared_chart"]

CLASS_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#B8A800", "#8C8C8C")
ON_DARK = ("#56B4E9", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#F0E442", "#B8A800", "#8C8C8C")
_NAMED = {  # as in ``client/colours.js``
    "black": "#3D3D3D", "white": "#E4E4E4", "grey": "#8C8C8C", "gray": "#8C8C8C", "red": "#CC2222", "orange": "#E69F00",
    "yellow": "#D8C400", "green": "#009E73", "blue": "#0072B2", "purple": "#7B3F98", "violet": "#7B3F98", "brown": "#8C564B",
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


def compared_chart(histories: dict[str, Sequence[Epoch]], *, dark: bool = False) -> go.Figure:
    """Test RCA by epoch of several runs, one line per run; keys: the names of the runs, as ``in_chart`` gives them."""
    figure, colours = _figure("Epoch", "Test RCA", dark), ON_DARK if dark else CLASS_COLOURS
    for k, (name, history) in enumerate(histories.items()):
        training = [e for e in history if e.stage == "training"] or list(history)
        line = {"color": colours[k % len(colours)], "dash": _DASHES[k // len(colours) % len(_DASHES)]}
        figure.add_scatter(x=[e.epoch for e in training], y=[e.rca_test for e in training], name=name, mode="lines", line=line)
    return figure


def _figure(x_title: str, y_title: str, dark: bool) -> go.Figure:
    ink, grid = ("#E6E6E6", "rgba(255,255,255,0.15)") if dark else ("#262730", "rgba(0,0,0,0.12)")
    axis = {"gridcolor": grid, "zerolinecolor": grid, "linecolor": grid, "automargin": True}
    return go.Figure(
        layout={
            "height": HEIGHT,
            "margin": {"l": 8, "r": 8, "t": 48, "b": 8},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"color": ink, "size": 14},
            "hovermode": "x unified",
            "hoverlabel": {"bgcolor": "#262730" if dark else "#FFFFFF", "font": {"color": ink}},
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
            "xaxis": axis | {"title": x_title},
            "yaxis": axis | {"title": y_title},
            "uirevision": "keep",  # zoom and hidden lines survive an update
        }
    )

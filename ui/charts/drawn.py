"""Colours and layout of the figures that the server draws, and a dataset's card. The browser draws the others."""

import itertools
import math
from collections.abc import Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go

from tsk_core.data import Dataset
from tsk_core.data.gallery import MeasuredSettings, sample_points
from tsk_core.setting_values import in_words
from tsk_core.settings import SETTINGS

# The colours of the figures that the server makes, which ``client/core/colours.js`` has too: tests/vectors/colours.json.
#
# They are those of Okabe and Ito, which colour-blind people can distinguish; on a dark page, sky blue and yellow replace two that
# are hard to see or would occur twice.


GREY = "#8C8C8C"
CLASS_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#B8A800", GREY)
ON_DARK = ("#56B4E9", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#F0E442", "#B8A800", GREY)
_NAMED = {  # as in ``client/core/colours.js``
    "black": "#1E1E1E", "white": "#949494", "grey": "#606060", "gray": "#606060", "red": "#CC2222", "orange": "#C98500",
    "yellow": "#A39400", "green": "#009E73", "blue": "#0072B2", "purple": "#7B3F98", "violet": "#7B3F98", "brown": "#8C564B",
    "pink": "#CC79A7",
}  # fmt: skip
_NEAR = 90  # of two colours as points in red, green and blue


def palette(dark: bool) -> tuple[str, ...]:
    """The colours of lines, points and bars on a light or a dark page."""
    return ON_DARK if dark else CLASS_COLOURS


def text_colour(dark: bool) -> str:
    """The colour of text."""
    return "#E6E6E6" if dark else "#262730"


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


# What a card of the gallery shows, on the page and in the documentation: a picture of the rows, and settings that do well.


_WIDTH, _HEIGHT, _EDGE = 300, 130, 8  # of the picture, and its margin


def does_well(measured: MeasuredSettings) -> str:
    """As "Does well with: R 5, κ 0, else as in Recommended. Test BCA …"."""
    start = measured.start.capitalize()
    changes = [f"{SETTINGS[name].symbol or SETTINGS[name].label} {in_words(value)}" for name, value in measured.settings.items()]
    return f"Does well with: {', '.join([*changes, f'else as in {start}'] if changes else [start])}. {measured.figures}"


def points_picture(dataset: Dataset) -> str:
    """An SVG of some rows in the plane of the best feature pair; "" without two numeric features."""
    points = sample_points(dataset)
    if points is None:
        return ""
    x, y, classes = points
    columns = [_EDGE + (_WIDTH - 2 * _EDGE) * _unit(x), _HEIGHT - _EDGE - (_HEIGHT - 2 * _EDGE) * _unit(y)]
    colour = dict(zip(dataset.classes, class_colours(dataset.classes), strict=True))
    dots = "".join(
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.2" fill="{escape(colour[c])}" fill-opacity=".75"/>'
        for a, b, c in zip(*columns, classes, strict=True)
    )
    size = f'width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{dots}</svg>'


def _unit(values: np.ndarray) -> np.ndarray:
    """Values scaled to [0, 1]."""
    low, high = values.min(), values.max()
    return (values - low) / (high - low if high > low else 1)

"""Panels as SVG, by matplotlib: two in a row, for print and slides.

The colours are those of Okabe and Ito, which colour-blind people can distinguish; each line has its own dash and marker.
"""

import io
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tsk_core.study.figures.panels import Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["svg"]

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
_DASHES, _MARKERS = ("-", "--", ":", "-."), ("o", "s", "D", "^")
_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text: it can be searched, and read aloud
    "svg.hashsalt": "tsk",  # the same data, the same file
    "font.size": 9, "axes.grid": True, "grid.alpha": 0.3, "axes.spines.top": False, "axes.spines.right": False,
}  # fmt: skip
_WIDTH, _HEIGHT = 4.6, 3.2  # of a panel, inches


def svg(panels: Sequence[Panel]) -> bytes:
    """Draw the panels side by side, at most three in a row; four make two rows."""
    import matplotlib
    from matplotlib.figure import Figure  # without pyplot, which would look for a screen

    columns = 3 if len(panels) == 3 else min(2, len(panels))
    rows = math.ceil(len(panels) / columns)
    with matplotlib.rc_context(_SETTINGS):
        figure = Figure(figsize=(_WIDTH * columns, _HEIGHT * rows), layout="constrained")
        grid = figure.subplots(rows, columns, squeeze=False).ravel()
        for axes, panel in zip(grid, panels, strict=False):
            _draw(axes, panel)
        for axes in grid[len(panels) :]:
            axes.set_visible(False)
        content = io.BytesIO()
        figure.savefig(content, format="svg", metadata={"Date": None})
    return content.getvalue()


def _draw(axes: "Axes", panel: Panel) -> None:
    for at, one in enumerate(panel.series):
        colour, mean = _COLOURS[one.style], one.mean
        if panel.kind == "bars":
            step = one.x[1] - one.x[0] if len(one.x) > 1 else 1.0
            width = step / len(panel.series)
            places = [x + (at - (len(panel.series) - 1) / 2) * width for x in one.x]
            axes.bar(places, mean, width, color=colour, label=one.name)
            continue
        style: dict[str, Any] = {
            "color": colour,
            "linestyle": _DASHES[one.style],
            "marker": _MARKERS[one.style],
            "markersize": 3.5,
        }
        axes.plot(one.x, mean, label=one.name, **style)
        if one.sd is not None:
            low, high = ([m + sign * sd for m, sd in zip(mean, one.sd, strict=True)] for sign in (-1, 1))
            axes.fill_between(one.x, low, high, color=colour, alpha=0.15, linewidth=0)
    if panel.level is not None:
        height, name = panel.level
        axes.axhline(height, color="#6B6B6B", linewidth=1, linestyle=(0, (1, 1)), label=name)
    _label(axes, panel)


def _label(axes: "Axes", panel: Panel) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.set(title=panel.title, xlabel=panel.x_title, ylabel=panel.y_title)
    if panel.log_x:
        axes.set_xscale("log", base=2)
        axes.set_xticks(panel.series[0].x, [f"{x:g}" for x in panel.series[0].x])
    elif isinstance(panel.series[0].x[0], str):
        axes.tick_params(axis="x", labelrotation=60)
    elif isinstance(panel.series[0].x[0], int):
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if len(panel.series) > 1 or panel.level is not None:
        axes.legend(fontsize=7, frameon=False)

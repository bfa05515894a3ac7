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
    from matplotlib.figure import Figure as Drawing

__all__ = ["COLOURS", "svg"]

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#B8A800")
_DASHES, _MARKERS = ("-", "--", ":", "-."), ("o", "s", "D", "^", "v", "P", "X")
_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text: it can be searched, and read aloud
    "svg.hashsalt": "tsk",  # the same data, the same file
    "font.size": 9, "axes.grid": True, "grid.alpha": 0.3, "axes.spines.top": False, "axes.spines.right": False,
}  # fmt: skip
_LEVELS: tuple[Any, ...] = ((0, (1, 1)), "--", "-.", (0, (6, 1)))
_WIDTH, _HEIGHT = 4.6, 3.2  # of a panel, inches
_NAMES_IN_LINE = 5  # of a legend below all panels


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
        _legends(figure, list(grid[: len(panels)]))
        content = io.BytesIO()
        figure.savefig(content, format="svg", metadata={"Date": None})
    return content.getvalue()


def _draw(axes: "Axes", panel: Panel) -> None:
    for at, series in enumerate(panel.series):
        colour, mean = COLOURS[series.style], series.mean
        if panel.kind == "bars":
            step = series.x[1] - series.x[0] if len(series.x) > 1 else 1.0
            width = step / len(panel.series)
            places = [x + (at - (len(panel.series) - 1) / 2) * width for x in series.x]
            axes.bar(places, mean, width, color=colour, label=series.name)
            continue
        style: dict[str, Any] = {
            "color": colour,
            "linestyle": _DASHES[series.style % len(_DASHES)],
            "marker": _MARKERS[series.style],
            "markersize": 3.5,
        }
        axes.plot(series.x, mean, label=series.name, **style)
        if series.sd is not None and len(mean) == 1:
            axes.errorbar(series.x, mean, series.sd, color=colour, capsize=3)
        elif series.sd is not None:
            low, high = ([m + sign * sd for m, sd in zip(mean, series.sd, strict=True)] for sign in (-1, 1))
            axes.fill_between(series.x, low, high, color=colour, alpha=0.15, linewidth=0)
    for at, (height, name) in enumerate(panel.levels):
        axes.axhline(height, color="#6B6B6B", linewidth=1, linestyle=_LEVELS[at % len(_LEVELS)], label=name)
    _label(axes, panel)


def _label(axes: "Axes", panel: Panel) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.set(title=panel.title, xlabel=panel.x_title, ylabel=panel.y_title)
    if panel.log_x:
        ticks = panel.x_ticks or panel.series[0].x
        axes.set_xscale("log", base=2)
        axes.set_xticks(ticks, [f"{x:g}" for x in ticks])
        axes.minorticks_off()
    elif isinstance(panel.series[0].x[0], str):
        axes.tick_params(axis="x", labelrotation=60)
    elif isinstance(panel.series[0].x[0], int):
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _legends(figure: "Drawing", grid: "Sequence[Axes]") -> None:
    """One legend below all panels where one of them has the names of all; else each panel has its own."""
    of_panels = [dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True)) for axes in grid]  # name -> handle
    together = {name: handle for named in of_panels for name, handle in named.items()}
    if len(grid) > 1 and max(map(len, of_panels)) == len(together) > 1:
        figure.legend(together.values(), together, loc="outside lower center", ncols=_NAMES_IN_LINE, fontsize=8, frameon=False)
        return
    for axes, named in zip(grid, of_panels, strict=True):
        if len(named) > 1:
            axes.legend(fontsize=7, frameon=False)

"""Empty axes to draw a prediction on, as SVG in black and white: bars and curves, or a plane with the rows of training."""

import io
from typing import TYPE_CHECKING

import numpy as np

from tsk_core.lessons import Lesson, Prediction, scene_dataset

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE = (6.2, 3.1)  # inches
MOST_POINTS = 150
_MARKERS = "ox^s+Dv*"


def axes(lesson: Lesson) -> bytes:
    """The drawing. It holds text as shapes, so that it looks the same everywhere."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    said = lesson.predict
    drawn = io.BytesIO()
    with mpl.rc_context({"svg.fonttype": "path", "svg.hashsalt": lesson.name, "font.size": 9, "text.parse_math": False}):
        figure = Figure(figsize=(3.6, 3.3) if said.kind == "region" else SIZE, layout="constrained")
        FigureCanvasSVG(figure)
        (_plane if said.kind == "region" else _labelled)(figure.add_subplot(), said, lesson)
        figure.savefig(drawn, format="svg", metadata={"Date": None})
    return drawn.getvalue()


def _labelled(plot: "Axes", said: Prediction, lesson: Lesson) -> None:
    """A place for each label, at equal distances, with a light grid between low and high."""
    places = range(len(said.labels))
    plot.set(xlim=(-0.6, len(said.labels) - 0.4), ylim=(said.low, said.high), xlabel=said.x, ylabel=said.y)
    plot.set_xticks(list(places), said.labels)
    plot.grid(axis="y", color="#cccccc", linewidth=0.6)
    if said.kind == "curve":
        plot.grid(axis="x", color="#cccccc", linewidth=0.6)
    if said.line is not None:
        plot.axhline(said.line[0], color="#555555", linestyle="--", linewidth=1)
        plot.annotate(said.line[1], (0.99, said.line[0]), xycoords=("axes fraction", "data"), ha="right", va="bottom")
    plot.set_axisbelow(True)


def _plane(plot: "Axes", said: Prediction, lesson: Lesson) -> None:
    """The raster of the prediction over rows of training, a marker for each class."""
    scene = lesson.scenes[said.screen.scene]
    dataset = scene_dataset(scene)
    rows = dataset.split(scene.test_size, scene.config.seed).train
    values = dataset.X.iloc[rows][list(said.features or ())].to_numpy(float)  # (rows, 2)
    names = np.asarray(dataset.y)[rows].astype(str)
    low, high = values.min(0), values.max(0)
    for side, set_ticks in enumerate((plot.set_xticks, plot.set_yticks)):
        edges = np.linspace(low[side], high[side], said.grid + 1)
        set_ticks(edges[:: max(1, said.grid // 4)])
        (plot.vlines if side == 0 else plot.hlines)(edges, low[1 - side], high[1 - side], color="#dddddd", linewidth=0.5)
    for k, name in enumerate(sorted(set(names))):
        shown = values[:MOST_POINTS][names[:MOST_POINTS] == name]
        marker = _MARKERS[k % len(_MARKERS)]
        colours = {"color": "#333333"} if marker in "x+" else {"facecolors": "none", "edgecolors": "#333333"}
        plot.scatter(*shown.T, s=14, marker=marker, linewidths=0.7, label=name[:20], **colours)
    plot.xaxis.set_major_formatter("{x:.3g}")
    plot.yaxis.set_major_formatter("{x:.3g}")
    plot.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    plot.set_xlabel(said.features[0] if said.features else "")
    plot.set_ylabel(said.features[1] if said.features else "")
    plot.legend(loc="upper center", bbox_to_anchor=(0.5, 1.13), ncols=4, frameon=False, fontsize=8)

"""A lesson on one sheet of paper: its question, axes to draw on or options to tick, and its formula with blanks."""

import base64
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tsk_core.lessons import Lesson, Prediction, scene_dataset
from ui.report.document import inline, templates

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Empty axes to draw a prediction on, as SVG in black and white: bars and curves, or a plane with the rows of training.


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
        colours: dict[str, Any] = {"color": "#333333"} if marker in "x+" else {"facecolors": "none", "edgecolors": "#333333"}
        plot.scatter(shown[:, 0], shown[:, 1], s=14, marker=marker, linewidths=0.7, label=name[:20], **colours)
    plot.xaxis.set_major_formatter("{x:.3g}")
    plot.yaxis.set_major_formatter("{x:.3g}")
    plot.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    plot.set_xlabel(said.features[0] if said.features else "")
    plot.set_ylabel(said.features[1] if said.features else "")
    plot.legend(loc="upper center", bbox_to_anchor=(0.5, 1.13), ncols=4, frameon=False, fontsize=8)


_HERE = Path(__file__).parent
_PLACE = re.compile(r"\[\[\w+(?::[^\]]*)?\]\]")
_MARKS = re.compile(r"(\*\*|__|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w))")  # of Markdown: bold, italic, code
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_BLANK = "______"
_INSIDE = r"((?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*)"  # braces in braces, three deep
_UNDERBRACE = re.compile(rf"\\underbrace\{{{_INSIDE}\}}_\{{{_INSIDE}\}}")
_OTHERS = {
    "le": r"\leq", "ge": r"\geq", "ne": r"\neq", "to": r"\rightarrow", "tfrac": r"\frac", "lVert": r"\|", "rVert": r"\|",
    "big": "", "Big": "", "bigl": "", "bigr": "", "Bigl": "", "Bigr": "", "limits": "", "quad": r"\;\;\;", "qquad": r"\;\;\;\;\;",
}  # fmt: skip


def handout(lesson: Lesson) -> bytes:
    """The sheet as HTML that loads nothing; it prints on one page of A4."""
    said = lesson.predict
    is_choice = said.kind == "choice"
    latex = _PLACE.sub(lambda _: r"\_\_\_\_\_", lesson.formula.latex)
    html = templates(_HERE).get_template("handout.html").render(
        lesson=lesson, question=_plain(lesson.question.text), predict=_plain(said.screen.text),
        options=[_plain(option.text) for option in said.options] if is_choice else [],
        axes="" if is_choice else _address(axes(lesson)), axes_text="Empty axes to draw on",
        see=_plain(lesson.see.screen.text), see_options=[_plain(option.text) for option in lesson.see.options],
        formula=_PLACE.sub(_BLANK, _plain(lesson.formula.screen.text)), latex=latex, drawn=_drawn(latex),
        break_=_plain(lesson.break_.screen.text), style=inline(_HERE / "handout.css"),
    )  # fmt: skip
    return html.encode("utf-8", "replace")


def _plain(text: str) -> str:
    """A text of Markdown without its signs, a line for each paragraph; formulas in it stay as they are typed."""
    paragraphs = (" ".join(part.split()) for part in re.split(r"\n\s*\n", text))
    return "\n".join(_MARKS.sub("", _LINK.sub(r"\1", part)).replace("$", "") for part in paragraphs).strip()


def _address(svg: bytes) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}"


def _drawn(latex: str) -> str:
    """The formula as an address of a drawing; "" where it has what matplotlib cannot draw: then the sheet has its source."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(0.1, 0.1))
    FigureCanvasSVG(figure)
    lines = [line.strip() for line in re.sub(r"\\begin\{\w+\*?\}|\\end\{\w+\*?\}|&", "", latex).split(r"\\") if line.strip()]
    drawn = io.BytesIO()
    try:
        for k, line in enumerate(lines):
            figure.text(0, -40 * k / 7.2, f"${_of_matplotlib(line)}$", fontsize=14)
        figure.savefig(drawn, format="svg", bbox_inches="tight", pad_inches=0.03, transparent=True)
    except (ValueError, RuntimeError):
        return ""
    return _address(drawn.getvalue())


def _of_matplotlib(line: str) -> str:
    """What matplotlib does not know, by what it knows."""
    line = re.sub(r"\\([A-Za-z]+)", lambda match: _OTHERS.get(match[1], match[0]), line)
    line = re.sub(r"\\frac\s*(\w)\s*(\w)", r"\\frac{\1}{\2}", line)
    line = re.sub(r"\\mathbb\s*(\w)", r"\\mathbb{\1}", line)
    return _UNDERBRACE.sub(r"\\underset{\2}{\1}", line)

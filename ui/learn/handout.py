"""A lesson on one sheet of paper: its question, axes to draw on or options to tick, and its formula with blanks."""

import base64
import io
import re
from pathlib import Path

from tsk_core.lessons import Lesson
from ui.learn.handout_axes import axes
from ui.report.document import inline, templates

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

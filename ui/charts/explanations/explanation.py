"""One explanation, and its formula as MathML, which browsers draw without a library of their own."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from latex2mathml.converter import convert

from ui.text import in_markdown


@dataclass(frozen=True)
class Explanation:
    """What *Explain* says of a chart or a number.

    name: of the chart, as the client knows it. title: in words. shows: what it shows, at most 50 words. formula: lines of LaTeX,
    as ``mathml`` takes them. letters: what the letters of the formula stand for. tries: a sentence that names a
    control in “quotes”.
    """

    name: str
    title: str
    shows: str
    formula: tuple[str, ...]
    letters: str
    tries: str

    @property
    def message(self) -> dict[str, Any]:
        """What the browser needs, JSON-ready."""
        formula = [mathml(line) for line in self.formula]
        return {"title": self.title, "shows": self.shows, "formula": formula, "letters": self.letters, "tries": self.tries}

    def markdown(self, numbers: Sequence[str] = ()) -> str:
        """All of it for a box that the server writes. numbers: sentences with the run's numbers, as Markdown."""
        formula = [f"$$\n{line}\n$$" for line in self.formula]
        own = ["**This run's numbers**", "\n".join(f"- {line}" for line in numbers)] if numbers else []
        return "\n\n".join([self.shows, *formula, in_markdown(self.letters), *own, f"**Try next** {self.tries}"])


@cache
def mathml(latex: str, display: str = "block") -> str:
    """A line of LaTeX as one <math> element, "block" or "inline". Raises ValueError for a command that is not known."""
    markup = convert(latex, display=display)
    if "\\" in markup:  # the converter keeps what it does not know
        raise ValueError(f"The formula {latex} has a command that MathML cannot be made of.")
    return markup

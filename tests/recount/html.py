"""The text of a report, element by element, as a reader sees it."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

BLOCKS = {"h1", "h2", "h3", "p", "li", "tr", "th", "td", "dt", "dd", "caption"}
SILENT = {"script", "style"}


@dataclass
class Element:
    """A block of text. tag: its name. section: the id of the last heading before it. parts: of a table's line, its cells."""

    tag: str
    section: str
    text: str = ""
    parts: list[str] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[Element] = []
        self._open: list[Element] = []
        self._silent, self._section = 0, ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in SILENT
        if tag in BLOCKS:
            self._section = dict(attrs).get("id") or self._section if tag in ("h2", "h3") else self._section
            self._open.append(Element(tag, self._section))
            self.found.append(self._open[-1])

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in SILENT
        if self._open and self._open[-1].tag == tag:
            element = self._open.pop()
            element.text = " ".join(element.text.split())
            if tag in ("th", "td") and self._open:
                self._open[-1].parts.append(element.text)

    def handle_data(self, data: str) -> None:
        if not self._silent:
            for element in self._open:
                element.text += data


def elements(html: str) -> list[Element]:
    """Headings, paragraphs, items and table lines, in order."""
    reader = _Reader()
    reader.feed(html)
    return reader.found

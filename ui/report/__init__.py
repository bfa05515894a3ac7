"""A run as one HTML file: it opens from a disk, without a server and without a network. Its charts are alive, and its readers
can change a row and see what the model predicts.

The charts are those of the page: the same modules (``ui/client``) and the same JSON (``ui.live.message``), written into the
file with Plotly from its installed wheel. A page from a disk may not import modules by path, so an import map gives each
module's text to its name. The file may load nothing: its Content-Security-Policy allows only the scripts that carry its nonce.
Jinja escapes all text.
"""

import base64
import posixpath
import re
import secrets
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import plotly
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ui.charts import CHART_TABS, CHARTS, views_of
from ui.live import CLIENT
from ui.live.lists import evaluations_of, samples_of
from ui.live.message import messages_of
from ui.platform.assets import modules
from ui.report.facts import facts
from ui.runs.run_view import RunView

__all__ = ["imports", "inline", "plotly_script", "report"]

MOST_NUMBERS = 100_000  # of a model that readers can ask what if: about 2 MB
_IMPORT = re.compile(r"""(\bfrom\s*|\bimport\s*\(?\s*)(["'`])(\.{1,2}/[^"'`]+)\2""")


def report(
    shown: RunView, comparison: RunView | None, link: str, conditions: int, made: datetime, *, with_rows: bool = False
) -> bytes:
    """The HTML of a run that ended with a model.

    comparison: the run to compare with, drawn dashed. link: the address of the run. conditions: 1 to 12, how many the rules have
    at most. made: the moment, with its time zone. with_rows: whether the file holds up to 1,000 rows of the table, where this
    session has it. Beyond Plotly, a file takes at most about 4 MB: 2 for rows, 2 for the model.
    """
    run, rows = messages_of(shown, comparison), _rows(shown) if with_rows else None
    samples = samples_of(shown, conditions, MOST_NUMBERS)
    run["shown"] |= evaluations_of(shown) | samples
    html = _template().render(
        **facts(shown, comparison, link, conditions, made),
        sections=_sections(shown),
        samples=bool(samples),
        rows=rows and len(rows["row"]),
        run={
            "charts": [chart.declaration for chart in CHARTS.values()],
            "samples": {"data": shown.data["sha256"], "rows": rows, "note": ""},
            **run,
        },
        nonce=secrets.token_urlsafe(16),
        imports={"imports": imports()},
        styles=inline(CLIENT / "client.css") + inline(Path(__file__).parent / "report.css"),
        plotly=plotly_script(),
    )
    return html.encode("utf-8", "replace")


def _rows(shown: RunView) -> dict[str, Any] | None:
    """Some rows of the table; None where this session does not have it."""
    table = shown.rows()
    return table and table.to_show


def _sections(shown: RunView) -> dict[str, tuple[str, list[str]]]:
    """The tabs of charts, each with what it shows and its views; without charts that this run, an old one, has no numbers for."""
    known = {name for name, value in shown.metrics.items() if value}
    lacking = {chart.name for chart in CHARTS.values() if chart.metrics and known.isdisjoint(chart.metrics)}
    sections = {tab: (words, [view for view in views_of(tab) if view not in lacking]) for tab, words in CHART_TABS.items()}
    return {tab: section for tab, section in sections.items() if section[1]}


def imports() -> dict[str, str]:
    """Each module of the page by its name, as an address that holds its text; the modules import each other by these names."""
    texts = {name: _by_name(path.read_text("utf-8"), name) for name, path in modules().items()}
    return {name: f"data:text/javascript;base64,{base64.b64encode(text.encode()).decode()}" for name, text in texts.items()}


def _by_name(text: str, importing: str) -> str:
    """A module's text with the paths of its imports, which are relative to it, as names; importing: its own name."""

    def name(found: re.Match) -> str:
        before, quote, path = found.groups()
        return f"{before}{quote}{posixpath.normpath(posixpath.join(posixpath.dirname(importing), path))}{quote}"

    return _IMPORT.sub(name, text)


@cache
def _template() -> Any:
    files = FileSystemLoader(Path(__file__).parent)
    pages = Environment(loader=files, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    pages.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    return pages.get_template("page.html")


@cache
def plotly_script() -> str:
    """Plotly from its installed wheel, as ``inline`` gives it."""
    return inline(Path(plotly.__file__).parent / "package_data" / "plotly.min.js")


def inline(path: Path) -> str:
    """A file of ours or of Plotly as it stands in a script or style element, which nothing in it may close."""
    text = path.read_text("utf-8")
    if re.search(r"</(script|style)|<!--", text, re.IGNORECASE):
        raise ValueError(f"{path.name} cannot stand in an HTML file: it holds the end of an element, or a comment.")
    return text

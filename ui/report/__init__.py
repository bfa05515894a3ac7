"""A run as one HTML file: it opens from a disk, without a server and without a network, and its charts are alive.

The charts are those of the page: the same modules (``ui/client``) and the same JSON (``ui.live.message``), written into the
file beside Plotly from its installed wheel. A page from a disk may not import modules by path, so an import map gives each
one's text to its name. What the file may load is nothing: its Content-Security-Policy allows only the scripts that carry its
nonce. All words go through Jinja's escaping.
"""

import base64
import re
import secrets
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import plotly
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ui.live import CLIENT
from ui.live.lists import mistakes_of
from ui.live.message import told
from ui.report.facts import facts
from ui.runs import Shown

__all__ = ["SECTIONS", "imports", "report"]

SECTIONS = {  # heading -> (what it shows, its views in ui/client/views.js)
    "Training": ("The loss, accuracy and gradients by epoch.", ("loss", "accuracy", "gradients")),
    "Firing": ("How strongly each rule fires on average over the training rows.", ("order", "firing", "heat")),
    "Entropy": ("Whether one rule decides a row alone, or all share in it.", ("entropy",)),
    "Mistakes": ("What the model decided on the test rows, and how sure it was.", ("confusion", "reliability")),
}
_IMPORT = re.compile(r"""(\bfrom\s*|\bimport\s*\(?\s*)(["'])\./([\w-]+\.js)\2""")


def report(shown: Shown, ghost: Shown | None, link: str, conditions: int, made: datetime) -> bytes:
    """The HTML of a run that ended with a model.

    ghost: the run before, drawn dashed. link: the address of the run. conditions: 1 to 12, how many the rules have at most.
    made: the moment, with its time zone.
    """
    html = _template().render(
        **facts(shown, ghost, link, conditions, made),
        sections=_sections(shown),
        run={"shown": told(shown, 0) | mistakes_of(shown), "ghost": ghost and told(ghost, 0)},
        nonce=secrets.token_urlsafe(16),
        imports={"imports": imports()},
        styles=_ours(CLIENT / "client.css") + _ours(Path(__file__).parent / "report.css"),
        plotly=_plotly(),
    )
    return html.encode("utf-8", "replace")


def _sections(shown: Shown) -> dict[str, tuple[str, list[str]]]:
    """``SECTIONS`` without the views that this run, an old one, has no numbers for."""
    lacking = {name for name in ("confusion", "reliability") if not shown.metrics.get(name)}
    left = {heading: (words, [view for view in views if view not in lacking]) for heading, (words, views) in SECTIONS.items()}
    return {heading: section for heading, section in left.items() if section[1]}


def imports() -> dict[str, str]:
    """Each module of the page by its name, as an address that holds its text; they import each other by these names."""
    texts = {path.name: _IMPORT.sub(r"\1\2\3\2", path.read_text("utf-8")) for path in CLIENT.glob("*.js")}
    return {name: f"data:text/javascript;base64,{base64.b64encode(text.encode()).decode()}" for name, text in texts.items()}


@cache
def _template() -> Any:
    files = FileSystemLoader(Path(__file__).parent)
    pages = Environment(loader=files, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    pages.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    return pages.get_template("page.html")


@cache
def _plotly() -> str:
    return _ours(Path(plotly.__file__).parent / "package_data" / "plotly.min.js")


def _ours(path: Path) -> str:
    """A file of ours or of Plotly as it stands in a script or style element, which nothing in it may end."""
    text = path.read_text("utf-8")
    if re.search(r"</(script|style)|<!--", text, re.IGNORECASE):
        raise ValueError(f"{path.name} cannot stand in an HTML file: it holds the end of an element, or a comment.")
    return text

"""A report as one HTML file whose charts are alive: each page gives its template, its texts and its message to the browser.

The charts are those of the page: the same modules (``ui/client``) and the same JSON (``ui.live``), written into the file with
Plotly's build for charts with two axes, which has all that a report draws. The file may load nothing: its Content-Security-Policy
allows only the scripts that carry its nonce. Jinja escapes all text.
"""

import re
import secrets
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tsk_core.runs import CITATION
from ui.platform.assets import CLIENT, PLOTLY, script

HERE = Path(__file__).parent


def render(template: Path, content: dict[str, Any], **values: Any) -> bytes:
    """The HTML. template: it extends ``document.html``. content: for ``ui/client/report.js``, which draws the charts: the
    "message", and where the report has them "charts" and "samples".

    values: what the template prints. Raises jinja2.UndefinedError where the template needs a value that is not given.
    """
    styles = inline(CLIENT / "client.css") + inline(HERE / "report.css")
    html = templates(template.parent).get_template(template.name).render(
        **values, content=content, paper=CITATION, nonce=secrets.token_urlsafe(16), plotly=plotly_script(), styles=styles,
        script=checked(script("report.js"), "report.js"),
    )  # fmt: skip
    return html.encode("utf-8", "replace")


@cache
def templates(folder: Path) -> Environment:
    """The templates of a folder and of this one; they escape all text, and raise UndefinedError for a value that is missing."""
    files = FileSystemLoader([folder, HERE])
    found = Environment(loader=files, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    found.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    return found


@cache
def plotly_script() -> str:
    """Plotly as ``inline`` gives it."""
    return inline(PLOTLY["plotly-cartesian.min.js"])


def inline(path: Path) -> str:
    """A file of ours or of Plotly as it stands in a script or style element."""
    return checked(path.read_text("utf-8"), path.name)


def checked(text: str, name: str) -> str:
    """The same text, which nothing in it may close."""
    if re.search(r"</(script|style)|<!--", text, re.IGNORECASE):
        raise ValueError(f"{name} cannot stand in an HTML file: it holds the end of an element, or a comment.")
    return text

"""A report as one HTML file whose charts are alive: each page gives its template, its texts and its message to the browser.

The charts are those of the page: the same modules (``ui/client``) and the same JSON (``ui.live``), written into the file with
Plotly's build for charts with two axes, which has all that a report draws. A page from a disk may not import modules by path, so
an import map gives each module's text to its name. The file may load nothing: its Content-Security-Policy allows only the scripts
that carry its nonce. Jinja escapes all text.
"""

import base64
import posixpath
import re
import secrets
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tsk_core.runs import CITATION
from ui.platform.assets import CLIENT, PLOTLY, modules

HERE = Path(__file__).parent
_IMPORT = re.compile(r"""(\bfrom\s*|\bimport\s*\(?\s*)(["'`])(\.{1,2}/[^"'`]+)\2""")


def render(template: Path, message_id: str, message: Any, module: str, **values: Any) -> bytes:
    """The HTML. template: it extends ``document.html``. message: for the charts, in the element ``message_id``.

    module: of ``ui/client``, which draws the charts. values: what the template prints. Raises jinja2.UndefinedError where the
    template needs a value that is not given.
    """
    styles = inline(CLIENT / "client.css") + inline(HERE / "report.css")
    html = templates(template.parent).get_template(template.name).render(
        **values, message_id=message_id, message=message, module=module, paper=CITATION, nonce=secrets.token_urlsafe(16),
        imports={"imports": imports()}, plotly=plotly_script(), styles=styles,
    )  # fmt: skip
    return html.encode("utf-8", "replace")


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
    """A file of ours or of Plotly as it stands in a script or style element, which nothing in it may close."""
    text = path.read_text("utf-8")
    if re.search(r"</(script|style)|<!--", text, re.IGNORECASE):
        raise ValueError(f"{path.name} cannot stand in an HTML file: it holds the end of an element, or a comment.")
    return text

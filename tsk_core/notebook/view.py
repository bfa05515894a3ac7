"""View: the widget, how a notebook displays it, and what a saved notebook shows of it.

The browser gets the messages of a run (``ui.live`` explains their parts) as the widget's state, so that a view which opens late,
or once more, has them all. A trait is sent whole when it changes: "part0", "part1", … together have the messages, and fill up as
the digits of a binary counter do, so that each of n messages is sent about log2(n) times. The browser skips what it has.
"""

import base64
import json
from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple
from uuid import uuid4

import anywidget
import traitlets
from IPython.core.getipython import get_ipython
from IPython.display import display, update_display

from tsk_core.epoch import Epoch
from tsk_core.explain import RuleBaseSummary
from tsk_core.live import Part
from tsk_core.notebook.client_file import client_file

# What a saved notebook shows of a widget where no kernel runs: scores, pictures of the charts, the rules, as HTML.
#
# Names and classes come from users' tables, so every text is escaped; a picture is taken only if it is a PNG of a sensible size.


MOST_BYTES = 1_000_000  # of a picture
MOST = 8  # pictures
_PNG = b"\x89PNG\r\n\x1a\n"
_ADDRESS = "data:image/png;base64,"
# JupyterLab writes "Error displaying widget" where no kernel runs; the copy below it is what there is to see then.
_HIDE_ERROR = ".jp-OutputArea-child:has(> .jupyter-widgets):has(+ .jp-OutputArea-child .%s) { display: none }"
_SCORES = {"rca_test": "Test RCA", "bca_test": "Test BCA", "rca_train": "Training RCA", "bca_train": "Training BCA"}


class Picture(NamedTuple):
    """A chart at the end of a training. text: it in a sentence. image: a PNG as an address that holds it."""

    title: str
    text: str
    image: str


def pictures_of(content: Any) -> list[Picture] | None:
    """The pictures of a message of the browser; None where it is anything else."""
    if not isinstance(content, dict) or content.get("kind") != "pictures" or not isinstance(content.get("pictures"), list):
        return None
    found = [one for one in content["pictures"][:MOST] if isinstance(one, dict)]
    texts = [[one.get(name) for name in Picture._fields] for one in found]
    made = [Picture(*map(str, of)) for of in texts if all(isinstance(text, str) for text in of)]
    return [one for one in made if _is_png(one.image)]


def _is_png(address: str) -> bool:
    if not address.startswith(_ADDRESS) or len(address) > MOST_BYTES * 4 // 3 + len(_ADDRESS):
        return False
    try:
        return base64.b64decode(address.removeprefix(_ADDRESS), validate=True).startswith(_PNG)
    except ValueError:
        return False


def saved_copy(
    name: str, status: str, last: Epoch | None, summary: RuleBaseSummary | None, pictures: Sequence[Picture] = ()
) -> str:
    """The HTML. name: its class, by which the widget hides it. last: the last epoch. summary: of the rules."""
    scores = {title: None if last is None else getattr(last, field) for field, title in _SCORES.items()}
    known = {title: score for title, score in scores.items() if score is not None}
    table = "".join(f"<th>{title}</th>" for title in known), "".join(f"<td>{score:.3f}</td>" for score in known.values())
    figures = "".join(_figure(picture) for picture in pictures)
    rules = "" if summary is None else summary._repr_html_()
    return (
        f"<style>{_HIDE_ERROR % name}</style>"
        f'<div class="{name} tex2jax_ignore mathjax_ignore"><p>{escape(status)}</p>'
        + (f"<table><tr>{table[0]}</tr><tr>{table[1]}</tr></table>" if known else "")
        + (f'<div style="display: flex; flex-wrap: wrap; gap: 8px">{figures}</div>' if figures else "")
        + f"{rules}</div>"
    )


def _figure(picture: Picture) -> str:
    """A chart with its title; it is on white, which a dark notebook would not show around its letters otherwise."""
    return (
        f'<figure style="margin: 0; flex: 1 1 320px; max-width: 640px"><figcaption>{escape(picture.title)}</figcaption>'
        f'<img src="{escape(picture.image)}" alt="{escape(picture.text)}" style="max-width: 100%; background: white"></figure>'
    )


PARTS = 16
_FILE = client_file()


class View(anywidget.AnyWidget):
    """The view of a classifier that ``watch`` and ``show`` return: displayed once a cell, and again where it stands alone.

    classifier: the classifier, fitted. given: tabs and rows for the browser. status: a sentence about the training.
    """

    _esm = _FILE.loader
    client = traitlets.Unicode(_FILE.text).tag(sync=True)
    sent = traitlets.Int(0).tag(sync=True)
    given = traitlets.Unicode("{}").tag(sync=True)
    status = traitlets.Unicode("").tag(sync=True)

    def __init__(self, classifier: Any, tabs: list[str], samples: dict[str, Any], *, conditions: bool) -> None:
        self.add_traits(**{f"part{k}": traitlets.Unicode("[]").tag(sync=True) for k in range(PARTS)})
        self._parts: list[list[Part]] = [[] for _ in range(PARTS)]
        self._shown_in: int | None = None
        self._end: tuple[Epoch | None, RuleBaseSummary | None] = None, None
        self._pictures: list[Picture] = []
        self._copy = f"tsk-copy-{uuid4().hex[:12]}"
        given = {"tabs": tabs, "conditions": conditions, "samples": samples, "parts": PARTS, "copy": self._copy}
        super().__init__(given=json.dumps(given))
        self.classifier = classifier
        self.on_msg(self._take)

    def add(self, parts: list[Part], status: str) -> None:
        """Send a message to the browser, with a sentence about the training."""
        level, news = 0, parts
        while self._parts[level] and level < PARTS - 1:
            news, self._parts[level] = self._parts[level] + news, []
            level += 1
        self._parts[level] = self._parts[level] + news
        with self.hold_sync():
            for k in range(level + 1):
                setattr(self, f"part{k}", json.dumps(self._parts[k], separators=(",", ":")))
            self.status, self.sent = status, self.sent + 1

    def end(self, last: Epoch | None, summary: RuleBaseSummary | None) -> None:
        """Keep the end of the training for the copy in the saved notebook. last: its last epoch."""
        self._end = last, summary
        self._update_copy()

    @property
    def saved_copy(self) -> str:
        """What a saved notebook shows where no kernel runs, as HTML."""
        return saved_copy(self._copy, self.status, *self._end, self._pictures)

    def _take(self, _: Any, content: Any, __: Any) -> None:
        """A message of the browser: pictures of the charts, for the copy."""
        if (pictures := pictures_of(content)) is not None:
            self._pictures = pictures
            self._update_copy()

    def _update_copy(self) -> None:
        if self._shown_in is not None:
            update_display({"text/html": self.saved_copy, "text/plain": self.status}, display_id=self._copy, raw=True)

    def _ipython_display_(self) -> None:
        """Display the widget and the copy, which the widget hides; nothing outside IPython or where this cell has both."""
        shell = get_ipython()
        if shell is None or self._shown_in == shell.execution_count:  # a script has no place to display anything
            return
        bundle = self._repr_mimebundle_()
        data = bundle[0] if bundle else {}
        display({**data, "text/plain": f"The live view of a {type(self.classifier).__name__}; its last state follows."}, raw=True)
        display({"text/html": self.saved_copy, "text/plain": self.status}, display_id=self._copy, raw=True)
        self._shown_in = shell.execution_count

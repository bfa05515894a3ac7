"""View: the widget, and how a notebook displays it.

The browser gets the messages of a run (``ui.live`` explains their parts) as the widget's state, so that a view which opens late,
or once more, has them all. A trait is sent whole when it changes: "part0", "part1", … together have the messages, and fill up as
the digits of a binary counter do, so that each of n messages is sent about log2(n) times. The browser skips what it has.
"""

import json
from typing import Any
from uuid import uuid4

import anywidget
import traitlets
from IPython.core.getipython import get_ipython
from IPython.display import display, update_display

from tsk_core.epoch import Epoch
from tsk_core.explain import RuleBaseSummary
from tsk_core.live import Part
from tsk_core.notebook.client_file import client_file
from tsk_core.notebook.saved_copy import Picture, pictures_of, saved_copy

__all__ = ["PARTS", "View"]

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

"""Feed: what a browser has got, and the parts of a message that bring it what is new."""

import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import Any, NotRequired, TypedDict

from tsk_core.errors import TSKError

__all__ = ["Feed", "Part", "Position"]

REPEATED = 3  # messages whose entries each one repeats: Streamlit may skip one where two come at once


class Part(TypedDict):
    """One part of a message, see ``ui.live``, which explains them."""

    kind: str
    of: NotRequired[str]
    version: NotRequired[str]
    since: int
    payload: Any


Position = Any  # in what a list is read from; None at its beginning


class _Sent:
    """What was sent of a list: how many entries there were after each of the last messages, and the position reached.

    name: the version as it was given. version: as it is sent.
    """

    def __init__(self, name: str, version: str) -> None:
        self.name, self.version, self.position = name, version, None
        self.counts = deque([0] * REPEATED, maxlen=REPEATED)


class Feed:
    """What one browser has got of each list, and of each value the newest.

    now: microseconds of a clock; what makes a value newer than another.
    """

    def __init__(self, now: Callable[[], int] = lambda: time.time_ns() // 1_000) -> None:
        self._now = now
        self._values: dict[tuple[str, str], tuple[Any, int]] = {}
        self._sent: dict[tuple[str, str], _Sent] = {}
        self._forgotten = 0

    def value(self, kind: str, payload: Any, of: str = "") -> Part:
        """A value, which replaces the one before."""
        kept, since = self._values.get((kind, of), (None, 0))
        if not since or kept != payload:
            since = self._now()
            self._values[kind, of] = payload, since
        part: Part = {"kind": kind, "since": since, "payload": payload}
        return {**part, "of": of} if of else part

    def entries(
        self, kind: str, of: str, version: Any, entries: Sequence[Any], form: Callable[[Any], Any], **shared: Any
    ) -> Part:
        """What is new of a list at hand, with what the last messages brought of it.

        form: makes an entry JSON-ready. shared: what all entries share, sent along with the first ones.
        """
        sent = self._list(kind, of, version)
        if len(entries) < sent.counts[-1]:  # the last ones were lost with a worker
            sent = self._sent[kind, of] = _Sent(sent.name, f"{sent.version}'")
        since = sent.counts[0]
        sent.counts.append(len(entries))
        payload = {"list": [form(entry) for entry in entries[since:]]}
        return self._part(kind, of, sent, since, payload if since else payload | shared)

    def next_entries(self, kind: str, of: str, version: Any, read: Callable[[Position], tuple[dict[str, Any], Position]]) -> Part:
        """The next entries of a list that is read bit by bit, each sent once.

        read: called with the position so far; returns a payload with the entries as its "list", and the position after them.
        Where it raises a TSKError, as of a damaged file, the payload has no entries and the sentence as its "error".
        """
        sent = self._list(kind, of, version, self._forgotten)
        since = sent.counts[-1]
        try:
            payload, sent.position = read(sent.position)
        except TSKError as error:
            payload = {"list": [], "error": str(error)}
        sent.counts.append(since + len(payload["list"]))
        return self._part(kind, of, sent, since, payload)

    def only(self, kinds: Collection[str], of: Collection[str]) -> None:
        """Forget what is of these kinds but for what is ``of`` these: the browser forgets the same."""
        for kept in (self._sent, self._values):
            for key in [key for key in kept if key[0] in kinds and key[1] not in of]:
                del kept[key]

    def forget(self) -> None:
        """Send everything again: the browser lacks something.

        A list that is read bit by bit may come in another order then, as rules of the model kept before those of its epochs, so
        that the browser must not go on from the entries that it has: it gets another version.
        """
        self._sent.clear()
        self._forgotten += 1

    def _list(self, kind: str, of: str, version: Any, again: int = 0) -> _Sent:
        sent = self._sent.get((kind, of))
        name = "" if version is None else str(version)
        if sent is None or sent.name != name:
            sent = self._sent[kind, of] = _Sent(name, f"{name}+{again}" if again else name)
        return sent

    @staticmethod
    def _part(kind: str, of: str, sent: _Sent, since: int, payload: dict[str, Any]) -> Part:
        part: Part = {"kind": kind, "of": of, "since": since, "payload": payload}
        return {**part, "version": sent.version} if sent.version else part

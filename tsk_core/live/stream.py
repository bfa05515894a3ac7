"""Stream: what all viewers of one thing share, as JSON: lists that grow, and values that are replaced.

A message is a list of parts, {"kind", "since", "payload"}; "of" names the run or the experiment where there are several.

- A *list* only grows: epochs, records of an experiment, snapshots. "payload" has the entries from number "since" on as its
  "list", and what they share with the first ones. A list of another "version" replaces it, as where a run began anew.
- A *value* replaces the one before: what is known of a run besides its epochs. "since" is the moment it changed, in microseconds.

A viewer says how far it has each: of a list its version and how many entries, of a value its moment. So a message that is lost
or repeated does no harm, a viewer goes on where it was after a new connection, and a stream knows nothing of its viewers. Entries
are the lines that a worker wrote; they are not parsed on their way.
"""

import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NotRequired, TypedDict

MOST_BYTES = 1_000_000  # of the new entries of a list in one message; the next one brings more
Have = dict[str, tuple[str, int]]  # "kind of" -> version and number of entries; of a value its moment, and 1


class Part(TypedDict):
    """One part of a message."""

    kind: str
    of: NotRequired[str]
    version: NotRequired[str]
    since: int
    payload: Any


@dataclass
class _List:
    """version: tells it from the list that it replaced. shared: JSON of what its entries share, without the braces."""

    version: str
    shared: str = ""
    lines: list[str] = field(default_factory=list)


class Stream:
    """Lists and values by their kind and by what they are of. Any thread may call.

    now: microseconds of a clock; what makes a value newer than another. revision: grows with each change.
    """

    def __init__(self, now: Callable[[], int] = lambda: time.time_ns() // 1_000) -> None:
        self._now, self._lock, self.revision = now, threading.Lock(), 0
        self._lists: dict[str, _List] = {}
        self._values: dict[str, tuple[str, str]] = {}  # JSON of the payload, and the moment of its change

    def set(self, kind: str, payload: Any, of: str = "") -> None:
        """A value, which replaces the one before; nothing changes where it is the same."""
        key, text = f"{kind} {of}", as_json(payload)
        with self._lock:
            known, moment = self._values.get(key, ("", "-1"))
            if text != known:
                self._values[key] = text, str(max(self._now(), int(moment) + 1))  # the clock may stand still, or be set back
                self.revision += 1

    def extend(self, kind: str, of: str, version: Any, lines: Iterable[str], shared: Mapping[str, Any] | None = None) -> None:
        """The next entries of a list, JSON each, after those that it has of this version.

        shared: what all entries share; given with the first ones.
        """
        with self._lock:
            entries = self._of_version(f"{kind} {of}", version)
            before = len(entries.lines)
            entries.lines.extend(map(_finite, lines))
            if shared and not entries.shared:
                entries.shared = f",{as_json(shared)[1:-1]}"
                self.revision += 1
            self.revision += len(entries.lines) > before

    def count(self, kind: str, of: str, version: Any) -> int:
        """How many entries a list has of this version."""
        entries = self._lists.get(f"{kind} {of}")
        return len(entries.lines) if entries and entries.version == _text(version) else 0

    def missing(self, have: Have) -> tuple[list[str], Have]:
        """The parts that a viewer lacks who has this much, as JSON; and how far it is with them."""
        parts, reached = [], Have()
        with self._lock:
            for key, (payload, moment) in self._values.items():
                if have.get(key) != (moment, 1):
                    parts.append(_part(key, f'"since":{moment},"payload":{payload}'))
                    reached[key] = moment, 1
            for key, entries in self._lists.items():
                version, count = have.get(key, ("", -1))
                since = count if version == entries.version and count <= len(entries.lines) else -1
                if since < len(entries.lines):
                    lines = _until(entries.lines, max(0, since))
                    shared = entries.shared if since <= 0 else ""
                    listed = f'"version":{json.dumps(entries.version)},"since":{max(0, since)}'
                    parts.append(_part(key, f'{listed},"payload":{{"list":[{",".join(lines)}]{shared}}}'))
                    reached[key] = entries.version, max(0, since) + len(lines)
        return parts, reached

    def parts(self, have: Have | None = None) -> list[Part]:
        """All that a viewer lacks who has this much, as one message; it then counts in ``have``."""
        found, texts, have = list[str](), [""], {} if have is None else have
        while texts:
            texts, reached = self.missing(have)
            found += texts
            have |= reached
        parts: list[Part] = json.loads(f"[{','.join(found)}]")
        return parts

    def _of_version(self, key: str, version: Any) -> _List:
        entries, name = self._lists.get(key), _text(version)
        if entries is None or entries.version != name:
            entries = self._lists[key] = _List(name)
            self.revision += 1
        return entries


def as_json(value: Any) -> str:
    """Compact JSON of one line."""
    return _finite(json.dumps(value, separators=(",", ":")))


def _finite(line: str) -> str:
    """The line with null for numbers that JSON does not have, such as an infinite gradient: browsers refuse those."""
    if "NaN" not in line and "Infinity" not in line:
        return line
    return json.dumps(json.loads(line, parse_constant=lambda name: None), separators=(",", ":"))


def _text(version: Any) -> str:
    return "" if version is None else str(version)


def _until(lines: list[str], since: int) -> list[str]:
    """The entries from ``since`` on that fit into one message; at least one."""
    size, end = 0, since
    while end < len(lines) and (size == 0 or size + len(lines[end]) <= MOST_BYTES):
        size += len(lines[end])
        end += 1
    return lines[since:end]


def _part(key: str, rest: str) -> str:
    kind, _, of = key.partition(" ")
    named = f',"of":{json.dumps(of)}' if of else ""
    return f'{{"kind":"{kind}"{named},{rest}}}'

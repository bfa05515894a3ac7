"""A completion: what a learner hands in, a small JSON file with this server's signature.

It proves that this server wrote it on that day for a browser that locked these answers. It does not say who sat there: two
learners who hand in files with the same ``learner`` used the same browser, or one file.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tsk_core.errors import ClassError

# What only this server can make: tokens that continue a lesson elsewhere, and signatures of completions.


_TOKEN = re.compile(r"([0-9a-f]{32})([0-9a-f]{32})")


class Secret:
    """The key of a server, made with its database. Nothing tells it."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def token(self, person: str) -> str:
        """The token of a resume link: who has it continues as this person, in any browser. It is kept nowhere."""
        return person + self.signature(f"resume:{person}")[:32]

    def person(self, token: object) -> str:
        """The person of a token. ClassError for one that this server did not make."""
        found = _TOKEN.fullmatch(str(token)[:100])
        if found is None or not hmac.compare_digest(self.signature(f"resume:{found[1]}")[:32], found[2]):
            raise ClassError("This resume link is incomplete, or from another server; copy it again from where you began.")
        return found[1]

    def signature(self, text: str) -> str:
        """The HMAC-SHA-256 of a text, 64 hex digits."""
        return hmac.new(self._key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()

    def is_signature(self, signature: object, text: str) -> bool:
        """Whether this server signed the text so; takes as long for any wrong one."""
        return hmac.compare_digest(self.signature(text).encode(), str(signature).encode("utf-8", "replace"))


FORMAT = 1
MOST_BYTES = 50_000
COLUMNS = ("learner", "lesson", "date", "distance", "right", "class")


@dataclass(frozen=True)
class Completion:
    """lesson: its name. learner: 12 digits that stand for a browser. answers: item -> numbers. date: as 2026-05-31, in UTC.

    distance: how far the prediction was from what happened, 0 to 1; None where it is not known. right: whether the item
    "What did you see?" was answered rightly; None where it was not answered. class_code: of the class, or "".
    """

    lesson: str
    learner: str
    answers: Mapping[str, list[float]]
    date: str
    distance: float | None = None
    right: bool | None = None
    class_code: str = ""

    def to_json(self, secret: Secret) -> str:
        """The file."""
        values = {"format": FORMAT, **asdict(self)}
        return json.dumps({**values, "signature": secret.signature(_signed(values))}, indent=1) + "\n"

    def cells(self) -> tuple[str, ...]:
        """One for each of ``COLUMNS``."""
        distance = "" if self.distance is None else f"{self.distance:.3f}"
        right = {None: "", True: "yes", False: "no"}[self.right]
        return self.learner, self.lesson, self.date, distance, right, self.class_code


def read_completion(source: Path | str | bytes, secret: Secret) -> Completion:
    """A completion that this server signed, from its file or text. ClassError in one sentence for anything else."""
    name, text = _text_of(source)
    try:
        values: dict[str, Any] = json.loads(text)
        signature = values.pop("signature")
        signed = secret.is_signature(signature, _signed(values))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ClassError(f"{name} is not a lesson completion file; ask for the file downloaded from the page.") from error
    if not signed:
        raise ClassError(f"{name} was changed after it was written, or another server wrote it; ask for the original file.")
    values.pop("format")
    return Completion(**values)  # signed, so written by ``to_json``


def _text_of(source: Path | str | bytes) -> tuple[str, str | bytes]:
    if not isinstance(source, Path):
        return "The text", source[:MOST_BYTES]
    try:
        if source.stat().st_size > MOST_BYTES:
            raise ClassError(f"{source.name} is too large for a lesson completion file.")
        return source.name, source.read_bytes()
    except OSError as error:
        raise ClassError(f"{source.name} cannot be read: {error.strerror}.") from error


def _signed(values: Mapping[str, Any]) -> str:
    """The text that is signed: the values in one spelling, whatever a program in between did to spaces and order."""
    return "completion:" + json.dumps(values, sort_keys=True, separators=(",", ":"))

"""Finding: one line of the data check: what was found, what was done about it, what the reader may do."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tsk_core.errors import UNPRINTED

__all__ = ["KINDS", "Finding", "Remedy"]

KINDS = ("note", "repaired", "left out", "warning", "offer")  # all but a note are issues


@dataclass(frozen=True)
class Remedy:
    """What mends a finding at one press.

    label: of its button, such as "Leave it out". changes: fields of ``Choices`` -> values, see ``Choices.with_changes``.
    """

    label: str
    changes: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Finding:
    """One fact about a table. Each text is one sentence or empty; names in it are quoted.

    fact: what was found, with its count and an example. done: what was done about it. advice: what the reader may do.
    kind: one of ``KINDS``. columns: those concerned. choice: the field of ``Choices`` that settles it, or "".
    check: which check found it, such as "missing code", or "". remedy: what mends it at one press, or None.
    """

    fact: str
    done: str = ""
    advice: str = ""
    kind: str = "repaired"
    columns: tuple[str, ...] = ()
    choice: str = ""
    check: str = ""
    remedy: Remedy | None = None

    def __str__(self) -> str:
        return UNPRINTED.sub(" ", " ".join(filter(None, (self.fact, self.done))))

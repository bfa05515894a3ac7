"""Finding: one line of the data doctor. What was found, what was done about it, what the reader might do."""

from dataclasses import dataclass

from tsk_core.errors import UNPRINTED

__all__ = ["KINDS", "Finding"]

KINDS = ("read", "repaired", "left out", "warning", "offer")


@dataclass(frozen=True)
class Finding:
    """One thing about a table that a person should know. Each text is one sentence or empty; names in them are quoted.

    found: what there was. done: what was done about it. could: what the reader might do.
    kind: one of ``KINDS``. columns: the columns it is about. choice: the field of ``Choices`` that answers it, or "".
    """

    found: str
    done: str = ""
    could: str = ""
    kind: str = "repaired"
    columns: tuple[str, ...] = ()
    choice: str = ""

    def __str__(self) -> str:
        return UNPRINTED.sub(" ", " ".join(filter(None, (self.found, self.done))))

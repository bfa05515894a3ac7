"""Finding: one line of the data check: what was found, what was done about it, what the reader may do."""

from dataclasses import dataclass

from tsk_core.errors import UNPRINTED

__all__ = ["KINDS", "Finding"]

KINDS = ("note", "repaired", "left out", "warning", "offer")  # all but a note are issues


@dataclass(frozen=True)
class Finding:
    """One fact about a table. Each text is one sentence or empty; names in it are quoted.

    fact: what was found. done: what was done about it. advice: what the reader may do.
    kind: one of ``KINDS``. columns: those concerned. choice: the field of ``Choices`` that settles it, or "".
    """

    fact: str
    done: str = ""
    advice: str = ""
    kind: str = "repaired"
    columns: tuple[str, ...] = ()
    choice: str = ""

    def __str__(self) -> str:
        return UNPRINTED.sub(" ", " ".join(filter(None, (self.fact, self.done))))

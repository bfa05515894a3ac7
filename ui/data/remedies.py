"""A press on a finding's button, and taking it back. What it decides stands where it would if it were decided by hand."""

from dataclasses import dataclass

from tsk_core.data import Choices, Finding
from ui.data.choose import Chosen
from ui.data.decisions import SPLITS, as_decided, decide, decided, reset_choices, save_decisions, store_choices


@dataclass(frozen=True)
class Taken:
    """A finding whose remedy was taken. before: the choices until then. way: how rows were split, such as "file"."""

    finding: Finding
    before: Choices
    way: str


def anything_decided(chosen: Chosen) -> bool:
    """Whether a person decided anything about the table beside the ranges of its target."""
    return chosen.choices != chosen.base.choices


def taken(chosen: Chosen) -> list[Taken]:
    """The findings whose remedies are in force; what was decided by hand since may have overruled one."""
    now = chosen.choices
    return [one for one in decided("taken", chosen.key, ()) if now.with_changes(one.finding.remedy.changes) == now]


# The callbacks get the choices and not the table, which Streamlit would keep with them.


def take(table: str, key: str, now: Choices, finding: Finding) -> None:
    """Decide as the finding's remedy says; a callback."""
    now = as_decided(key, now)
    others = [one for one in decided("taken", key, ()) if one.finding != finding]
    decide("taken", key, (*others, Taken(finding, now, decided("split", table, "random"))))
    store_choices(table, key, now, now.with_changes(finding.remedy.changes))


def undo(table: str, key: str, now: Choices, one: Taken) -> None:
    """Decide as before the press in all that the remedy changed; a callback."""
    now = as_decided(key, now)
    decide("taken", key, tuple(other for other in decided("taken", key, ()) if other.finding != one.finding))
    changes = one.finding.remedy.changes
    store_choices(table, key, now, now.taken_back(changes, one.before))
    if decided("split", table) == "random" and one.way not in SPLITS and "roles" in changes:
        decide("split", table, one.way)
    save_decisions()


def reset(table: str, key: str) -> None:
    """Take all decisions back; a callback."""
    decide("taken", key, ())
    reset_choices(table, key)

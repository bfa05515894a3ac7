"""Subjects: what browsers follow beside Streamlit, such as a run, an experiment or a class; each is one object of this server,
shared by all who follow it.

A page that shows a subject gives its browser a *ticket*: what the subject is, signed for the cookie of this browser. With it the
browser asks the live route (``route``) for what is new, also after this server was started again. So who may follow something is
decided where pages are drawn, and nowhere else; whoever has the link of a run may open its page, and so follow it. Tickets of the
page of watchers (``watching``) are for all who have them.
"""

import base64
import binascii
import hmac
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable
from importlib import import_module
from typing import Any

import streamlit as st

from tsk_core.errors import TSKError
from tsk_core.jobs import Status
from tsk_core.live import Part, Stream
from ui.platform.visitor import owner_of
from ui.platform.web.identity import signature_of

KINDS = {  # what a ticket names -> its class; loaded when first followed
    "run": "ui.live.run_subjects:RunSubject",
    "lists": "ui.live.run_subjects:ListsSubject",
    "queue": "ui.live.task_subjects:QueueSubject",
    "task": "ui.live.task_subjects:TaskSubject",
    "comparison": "ui.compare.panel:ComparisonSubject",
    "sweep": "ui.sweep.panel:SweepSubject",
    "tuning": "ui.tuning.tuning_run:TuningSubject",
    "scenes": "ui.learn.charts:ScenesSubject",
    "stage": "ui.live.stage:StageSubject",
    "class": "ui.learn.class_panel:ClassSubject",
}
# Seconds between two looks: at what trains, what is next, what has others before it, and what waits for long.
FAST, SLOW, LATER, LAST = 0.05, 0.5, 2.0, 5.0
LONG_WAIT = 20.0  # seconds
MOST_LOOKS = 1000  # at one subject by ``parts_of``


class Subject(ABC):
    """stream: what those who follow it share. viewers: how many do in this process, at the time of a look."""

    def __init__(self) -> None:
        self.stream, self.viewers = Stream(), 0

    @abstractmethod
    def look(self) -> float | None:
        """Bring the stream up to date, beside pages: no session is known here. Returns the seconds until the next look, 0 where
        there is more at once; None where nothing more will come. TSKError where the subject is not there.
        """


def pause_of(status: Status, running: float = FAST) -> float | None:
    """Seconds until the next look at a run that stands so, None once it has ended: those who wait cost the others little.

    running: while it trains.
    """
    if status.ended:
        return None
    if status.state != "queued":
        return running
    if status.position <= 2:
        return SLOW
    return LAST if (status.wait or 0.0) > LONG_WAIT else LATER


def ticket(what: str, **spec: Any) -> str:
    """The ticket of a subject for the browser of this session. what: one of ``KINDS``. spec: JSON-ready, see its class."""
    return ticket_for(owner_of(st.context.cookies), what, **spec)


def ticket_for(owner: str | None, what: str, **spec: Any) -> str:
    """The same for a browser whose cookie names this owner. None: for all who have the ticket."""
    text = json.dumps({"what": what, **spec}, separators=(",", ":"), sort_keys=True)
    return signed(text, owner)


def signed(text: str, owner: str | None) -> str:
    """The ticket of what ``text`` names, for the browser whose cookie has this owner."""
    signature = _signature(owner, text)
    return f"{base64.urlsafe_b64encode(text.encode()).decode()}.{signature}"


def spec_of(given: object, owner: str | None) -> str | None:
    """What a ticket names, as text; None where it was not made here for this browser or for all. owner: as its cookie has it."""
    if not isinstance(given, str):
        return None
    named, _, signature = given.partition(".")
    try:
        text = base64.urlsafe_b64decode(named.encode("ascii")).decode()
    except (ValueError, binascii.Error):
        return None
    known = (_signature(whose, text).encode() for whose in (owner, None))
    return text if any(hmac.compare_digest(signature.encode("utf-8", "replace"), one) for one in known) else None


def subject_of(spec: str) -> Subject:
    """A new object for the subject that a checked ticket names. TSKError where it is not there."""
    values = json.loads(spec)
    module, _, name = KINDS[values.pop("what")].partition(":")
    made: Subject = getattr(import_module(module), name)(**values)
    return made


def parts_of(tickets: Iterable[str], owner: str | None = None) -> list[Part]:
    """All that the subjects of these tickets have now, as a browser gets it that has nothing yet."""
    parts = list[Part]()
    for one in tickets:
        spec = spec_of(one, owner)
        if spec is not None:
            parts += _looked_at(spec).parts()
    return parts


def _looked_at(spec: str) -> Stream:
    try:
        subject = subject_of(spec)
        for _ in range(MOST_LOOKS):
            if subject.look() != 0:
                break
    except TSKError as error:
        return gone(str(error))
    return subject.stream


def gone(sentence: str) -> Stream:
    """The stream of a subject that is not there."""
    stream = Stream()
    stream.set("gone", sentence)
    return stream


def _signature(owner: str | None, text: str) -> str:
    return signature_of(f"live:{owner or ''}:{text}")

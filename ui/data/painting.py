"""Painted points as the data of a session: their text, which a link brings and takes along.

The text of ``tsk_core.data.painted`` is all that is kept. The browser sends it whole after each stroke, so a message that is
lost, repeated or late does no harm; where the server puts other points in its place, such as a shape, the *version* grows, and
what the browser says of an earlier one is ignored.
"""

from collections.abc import Mapping

import streamlit as st

from tsk_core.data.painted import IN_LINK, LETTERS, NONE, Points, as_text, from_text, lacking
from tsk_core.errors import DataError
from ui.data.unready import Unready
from ui.platform import session

PAINTED = "painted"  # the name of the points in the list of datasets, and in links
LINK_KEY = "points"
_TOO_MANY = f"A link has room for {IN_LINK} points, so these stay in this session: save them as CSV to keep them."


def points() -> Points:
    """The points of this session, which may be none."""
    return from_text(session.PAINTED.get() or NONE, LETTERS)


def put(new: Points) -> None:
    """Put other points in the place of those of the browser."""
    session.PAINTED.set(as_text(new))
    session.PAINTED_VERSION.set(session.PAINTED_VERSION.get() + 1)
    session.PAINTED_NOTE.pop()


def take(value: object) -> bool:
    """Take what the browser says, {"version", "text"}; returns whether the points are others now.

    Where it is not of points, the browser gets those that the server has.
    """
    said = value if isinstance(value, Mapping) else {}
    if said.get("version") != session.PAINTED_VERSION.get():
        return False
    try:
        text = as_text(from_text(str(said.get("text")), LETTERS))
    except DataError as error:
        put(points())
        session.PAINTED_NOTE.set(str(error))
        return False
    changed = text != session.PAINTED.get()
    session.PAINTED.set(text)
    session.PAINTED_NOTE.pop()
    return changed


def read_link() -> None:
    """Take over the points of the link that opened the session, once."""
    if session.PAINTED.is_set():
        return
    session.PAINTED.set(NONE)
    if text := st.query_params.get(LINK_KEY):
        try:
            put(from_text(text))
        except DataError as error:
            session.PAINTED_NOTE.set(str(error))


def write_link(data: str) -> None:
    """Let the address have the points where they are the data and few enough. data: the name in the list of datasets."""
    wanted = link_values(data).get(LINK_KEY)
    if wanted is None:
        st.query_params.pop(LINK_KEY, None)
    elif st.query_params.get(LINK_KEY) != wanted:
        st.query_params[LINK_KEY] = wanted


def link_values(data: str) -> dict[str, str]:
    """What a link has of the points; nothing of other data, and of more points than it has room for."""
    text = session.PAINTED.get()
    return {LINK_KEY: text} if data == PAINTED and 0 < len(points()) <= IN_LINK else {}


def summary(painted: Points) -> str:
    """As "Points: 12 blue, 9 orange."; and where there are too many for a link, that they stay here."""
    counts = ", ".join(f"{number:,} {name}" for name, number in painted.counts().items())
    said = f"Points: {counts}." if counts else "No points."
    return f"{said} {_TOO_MANY}" if len(painted) > IN_LINK else said


def unready(painted: Points) -> Unready | None:
    """Why there is nothing to train on: the link was bad, had no room for the points, or there are too few yet."""
    if note := session.PAINTED_NOTE.get():
        return Unready(note)
    if not len(painted) and session.LINK.is_set() and session.LINK.get().get("data") == PAINTED and session.LINK.get().get("sha"):
        return Unready(
            f"A link holds at most {IN_LINK} painted points; this one was made with more and has none. Paint new points.", "info"
        )
    reason = lacking(painted)
    return Unready(reason, "info") if reason else None

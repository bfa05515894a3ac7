"""What this server keeps of the visitor, for how long, and the buttons that delete it."""

import time
from datetime import UTC, datetime
from typing import Any

import pandas as pd
import streamlit as st

from tsk_core import limits
from tsk_core.classroom import ANSWER_SECONDS, Classroom, person_of
from tsk_core.errors import TSKError
from tsk_core.numbers import counted
from tsk_core.runs import KeptRuns
from ui.platform import memory, session
from ui.platform.caches import COMPUTED
from ui.platform.engine import get_engine, how_long
from ui.platform.session import Key
from ui.platform.turns import release_page_lock
from ui.platform.visitor import account, owner
from ui.platform.web.identity import forget_address
from ui.runs.current_run import CURRENT_RUN, EARLIER_RUNS, OPENED_RUN
from ui.runs.run_view import KINDS
from ui.text import in_markdown

KEPT_NOTE = Key[str]("kept_note", "")  # what a deletion of what is kept did; shown once
COMPARED_RUN = Key[Any]("compared_run")  # a RunView or None
KEPT_WHAT = Key[str]("kept_what", "")  # kind of what is kept that the list names


EVERYTHING, TABLES, ANSWERS = "everything", "tables of this page", "answers on Learn"
DAY = 24 * 3600
END_SECONDS = 10.0  # to wait for stopped runs


def kept_of_visitor() -> None:
    """A table of all that is kept, and what to press to delete it."""
    st.subheader("What this server stores about you", anchor=False)
    st.caption(
        f"{how_long()} It has the table of a run only if you painted its points or ticked *Keep this table with my runs*, and an"
        " uploaded table in memory while its page is open. The server also keeps results of comparisons and sweeps, without owner"
        " and rows, and reuses them for anyone who runs the same experiment."
    )
    if note := KEPT_NOTE.pop():
        st.info(in_markdown(note))
    runs = get_engine().store.ledger.kept(owner())
    answers, classes = map(sum, zip(*(_classroom().kept_of(person) for person in _persons()), strict=True))
    lines = [_line(kept) for kept in runs]
    if megabytes := memory.held():
        lines.append({"what": TABLES, "number": None, "MB": megabytes, "until": "this page closes"})
    of_learn = ANSWERS + (f" and {classes} started class{'es' if classes > 1 else ''}" if classes else "")
    if answers or classes:
        lines.append({"what": of_learn, "number": answers, "MB": 0.0, "until": f"{ANSWER_SECONDS // DAY} days after each answer"})
    by_account = account() is not None
    cookie = {"what": "cookie with a random number", "number": 1, "MB": 0.0, "until": "a year after your last visit"}
    st.dataframe(
        pd.DataFrame([*lines, cookie], columns=["what", "until", "number", "MB", "since"]), hide_index=True, width="stretch",
        placeholder="", column_config={
            "MB": st.column_config.NumberColumn(format="%.2f", width="small"),
            "number": st.column_config.NumberColumn(width="small"),
            "since": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm", width="small"),
        },
    )  # fmt: skip
    kinds = {kept.task: _called(kept) for kept in runs}
    kinds |= ({TABLES: TABLES} if megabytes else {}) | ({ANSWERS: of_learn} if answers or classes else {})
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.popover("Delete what is kept…", disabled=not kinds):
            _delete_form(kinds)
        with st.popover("Delete the cookie…", disabled=by_account):
            _cookie_form(bool(runs or answers or classes))


def _delete_form(kinds: dict[str, str]) -> None:
    what = st.selectbox(
        "What to delete", [EVERYTHING, *kinds], format_func=lambda kind: kinds.get(kind, kind), key=KEPT_WHAT.name
    )
    of_runs = (
        "Runs that are queued or training are stopped. Models, epochs, rules and tables are deleted from the disk, the links of"
        " these runs stop working, and pinned runs go too."
    )
    of_classes = (
        "Classes that you started end, and the answers in them are deleted. Each learner keeps a copy of their own for"
        f" {ANSWER_SECONDS // DAY} days after each answer."
    )
    texts = {TABLES: "", ANSWERS: of_classes, EVERYTHING: f"{of_runs} {of_classes if ANSWERS in kinds else ''}".strip()}
    st.markdown(f"{texts.get(what, of_runs)} This cannot be undone.".strip())
    st.button("Delete it", type="primary", on_click=_delete)


def _cookie_form(has_anything: bool) -> None:
    if has_anything:
        st.markdown(
            "The cookie identifies your runs and answers. Delete these first: without it, nobody can change or delete them."
        )
        return
    st.markdown("Nothing is kept under the random number in the cookie. The next page gives your browser another one.")
    st.link_button("Delete the cookie", forget_address(owner()), type="primary", help="Opens the app anew. Close its other tabs.")


def _delete() -> None:
    """A callback: what it says is a note of the page. The list may have changed since the page was drawn, so it is asked."""
    try:
        KEPT_NOTE.set(_deleted(KEPT_WHAT.get()))
    except TSKError as error:
        KEPT_NOTE.set(str(error))


def _deleted(what: str) -> str:
    """Delete, and say what was deleted."""
    parts = []
    if what in (EVERYTHING, ANSWERS):
        for person in _persons():
            _classroom().forget_person(person)
    if what in (EVERYTHING, TABLES):
        _forget_page()
    if what in (EVERYTHING, ANSWERS, TABLES):
        parts.append(f"Your {'answers and tables' if what == EVERYTHING else what} are deleted.")
    if what not in (ANSWERS, TABLES):
        task = None if what == EVERYTHING else what
        left = _stop(task)
        count = get_engine().store.housekeeping.remove_all(owner(), task)
        _forget_page(tables=False)
        parts.append(f"{counted(count, 'run is', 'runs are')} deleted.")
        if left:
            parts.append(f"{left:,} more {'is' if left == 1 else 'are'} still ending; delete again in a few seconds.")
    return " ".join(parts)


def _stop(task: str | None) -> int:
    """Stop the open runs of this visitor and wait for their end; returns how many have not ended."""
    engine = get_engine()

    def still_open() -> list[str]:
        return [record.id for record in engine.store.ledger.records(owner(), task=task) if not record.ended]

    for run in still_open():
        engine.stop(run, owner())
    release_page_lock()
    deadline = time.monotonic() + END_SECONDS
    while (left := still_open()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return len(left)


def _forget_page(tables: bool = True) -> None:
    """What this session has of runs, and its tables."""
    shown: tuple[Key[Any], ...] = CURRENT_RUN, OPENED_RUN, EARLIER_RUNS, COMPARED_RUN
    for key in (*shown, *COMPUTED.existing()):
        key.pop()
    if tables:
        memory.forget_all()
        session.PAINTED.pop()


def _classroom() -> Classroom:
    return Classroom(get_engine().store.folder)


def _persons() -> list[str]:
    """Of this browser on the page Learn: its own, and the one that it continues as by a resume link."""
    own = person_of(owner())
    return list(dict.fromkeys((own, _classroom().continued(own))))


def _line(kept: KeptRuns) -> dict[str, Any]:
    days, until = limits.keep_days(), "you delete it"
    if days is not None:
        first = None if kept.ended is None else datetime.fromtimestamp(kept.ended + days * DAY, UTC)
        until = f"{counted(days, 'day')} after its end" + (f", the oldest {first:%Y-%m-%d}" if first else "")
    since = datetime.fromtimestamp(kept.since, UTC)
    return {"what": _called(kept), "number": kept.runs, "MB": kept.size / 1e6, "since": since, "until": until}


def _called(kept: KeptRuns) -> str:
    kind = KINDS.get(kept.task, kept.task)
    return kind + (f", {kept.tables} with their table" if kept.tables else "")

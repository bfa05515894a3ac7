"""What was decided about a table before is applied when the table comes back, and one sentence says so.

It comes back with the link of a run that was trained on it, after a reload of the page, and with another upload of a file that
this visitor trained on. A file is known by the SHA-256 of its bytes, a dataset of the gallery by its name.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from tsk_core.data import Choices, ReadOptions
from tsk_core.errors import TSKError
from ui.data.decisions import SPLITS, decide, decided, key_of, reset_choices, save_decisions, store_choices
from ui.data.read_options import choose_read_options, chosen_read_options
from ui.data.source import Source
from ui.platform import memory, session
from ui.platform.engine import get_engine
from ui.platform.owner import owner
from ui.text import in_markdown, shortened

_LOOKED_AT = 50  # latest runs of a visitor among which one on the file is looked for
_NAMED = 2  # columns that the sentence names


@dataclass(frozen=True)
class Decided:
    """choices: of a person, with the target. read_options: of a file. run: that the page showed, or that was trained with them.

    second: whether a second file has the test rows. settled: the findings that were settled by a press, see ``remedies.Taken``.
    """

    choices: Choices
    read_options: ReadOptions
    run: str | None
    second: bool = False
    settled: tuple[Any, ...] = ()


def of_run(run: str, about: Mapping[str, Any]) -> None:
    """A run was opened by its link: its decisions are applied to its table, once that is there. about: the run's dataset."""
    table = f"gallery:{about['gallery']}" if about.get("gallery") else about.get("file_sha256")
    if table:
        with suppress(TSKError):  # the page shows the error where it opens the run
            session.RUN_DECIDED.set((table, _decided_in(run, about)))


def apply(source: Source, read: Callable[[], Source | None]) -> Source | None:
    """Decide as before, where the table comes back; before the widgets of the decisions are drawn.

    Returns the source as ``read`` reads it where its file was read in another way before.
    """
    seen, table = session.TABLES_SEEN.get(), source.key
    before = memory.take_over(_name(table)) if not seen and owner() else None  # the first table of a page: it was loaded again
    if (of_link := session.RUN_DECIDED.get()) is not None and of_link[0] == table:
        session.RUN_DECIDED.pop()
        if before is None or before.run != of_link[1].run:  # else it was changed on the page that shows the run
            before = of_link[1]
    elif before is None and table not in seen and source.raw is not None:
        before = _of_latest_run(source)
    if table not in seen:
        seen.append(table)
    if before is not None and source.raw is not None and before.read_options != chosen_read_options(table):
        choose_read_options(table, before.read_options)
        source = read()
    if before is not None and source is not None:
        _apply(source, before)
    return source


def note(source: Source, key: str, choices: Choices) -> None:
    """Remember what is decided now, for as long as this session lives."""
    second, settled = decided("split", source.key) == "file", decided("taken", key, ())
    now = Decided(choices, chosen_read_options(source.key), st.query_params.get("run"), second, settled)
    if memory.kept(_name(source.key))[1] != now:
        memory.keep(_name(source.key), source.key, now)


def use_categories(key: str, columns: tuple[str, ...]) -> bool:
    """Use columns that were left out as categories where they were so before; returns whether any is, for the first time."""
    again = decided("again", key)
    used = tuple(name for name in columns if again is not None and again.choices.roles.get(name) == "category")
    if not used or decided("categories", key):
        return False
    decide("categories", key, used)
    return True


def say_again(key: str, now: Choices) -> None:
    """The sentence, as long as what was applied is in force."""
    again = decided("again", key)
    if again is not None and again.second:  # a column of its own that says which rows are of the second file is no decision
        now = replace(now, roles={column: role for column, role in now.roles.items() if role not in SPLITS})
    if again is not None and again.choices == now and (said := _in_words(again)):
        st.caption(in_markdown(f"What was decided about this table before is applied again: {', '.join(said)}."))


def _name(table: str) -> str:
    return f"decided:{table}"


def _decided_in(run: str, about: Mapping[str, Any]) -> Decided:
    return Decided(get_engine().store.choices(run), ReadOptions(**about.get("reading", {})), run)


def _of_latest_run(source: Source) -> Decided | None:
    """What was decided for the latest run of this visitor on a file."""
    store = get_engine().store
    for record in store.records(owner(), limit=_LOOKED_AT):
        with suppress(TSKError):  # removed meanwhile, or damaged
            if record.dataset == source.raw.name and record.task == "training":
                about = store.open(record.id).about()["dataset"]
                if about.get("file_sha256") == source.key:
                    return _decided_in(record.id, about)
    return None


def _apply(source: Source, before: Decided) -> None:
    table, target = source.key, before.choices.target
    linked = st.query_params.get(session.TARGET.name)
    if target not in source.columns or (linked in source.columns and linked != target):
        return
    session.TARGET.set(target)
    key = key_of(table, target)
    reset_choices(table, key)
    roles = {column: role for column, role in before.choices.roles.items() if column in source.columns}
    choices = replace(before.choices, roles=roles)
    decide("bins", key, choices.bins)
    store_choices(table, key, Choices(target), choices)
    # The run of a table with a second file has a column that says which rows are of that one.
    second = before.second or any(role in SPLITS and name not in roles for name, role in before.choices.roles.items())
    if second:
        decide("split", table, "file")
    decide("taken", key, before.settled)
    decide("again", key, replace(before, choices=choices, second=second))
    save_decisions()


def _in_words(before: Decided) -> list[str]:
    """What was decided, as "the role of lab", one for each kind."""
    choices = before.choices
    split = [column for column, role in choices.roles.items() if role in SPLITS]
    roles = [column for column, role in choices.roles.items() if role not in SPLITS]
    words = {
        "the role of": roles, "the split by": split, "codes for missing values in": list(choices.codes),
        "the order of": list(choices.orders), "missing values of": list(dict.fromkeys((*choices.missing, *choices.flags))),
    }  # fmt: skip
    said = [f"{what} {_named(columns)}" for what, columns in words.items() if columns]
    others = {"bins": "the ranges of the target", "rare": "rare classes", "repeated": "equal rows"}
    said += [text for name, text in others.items() if name in choices.decided]
    said += ["the split by a second file"] if before.second else []
    return said + (["how the file is read"] if before.read_options != ReadOptions() else [])


def _named(columns: list[str]) -> str:
    if len(columns) > _NAMED:
        return f"{len(columns)} columns"
    return " and ".join(f"“{shortened(name, 40)}”" if name else "every column" for name in columns)

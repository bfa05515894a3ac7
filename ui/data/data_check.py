"""The data check: what was found in a table, what was done about it, and what the reader may do; no change is silent."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from tsk_core.data import Choices, Finding, RawTable
from tsk_core.numbers import counted
from ui.data.choose import Chosen
from ui.data.decisions import (
    RANGES,
    SPLITS,
    as_decided,
    decide,
    decided,
    group_into_ranges,
    ranges_box,
    reset_choices,
    save_decisions,
    store_choices,
    widget,
)
from ui.data.source import TARGET
from ui.platform import session
from ui.platform.session import Key
from ui.text import in_markdown, shortened, shortened_names

CARD_TARGET = Key[str]("card:target")  # the list in the card of an uploaded table
DATA_VIEW = Key[str]("data_view")


# A press on a finding's button, and taking it back. What it decides stands where it would if it were decided by hand.


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
    return [one for one in decided("taken", chosen.key, ()) if now.with_changes(_changes(one.finding)) == now]


def _changes(finding: Finding) -> Mapping[str, Any]:
    """Those of its remedy, which each finding has that was decided on."""
    return {} if finding.remedy is None else finding.remedy.changes


# The callbacks get the choices and not the table, which Streamlit would keep with them.


def take(table: str, key: str, now: Choices, finding: Finding) -> None:
    """Decide as the finding's remedy says; a callback."""
    now = as_decided(key, now)
    others = [one for one in decided("taken", key, ()) if one.finding != finding]
    decide("taken", key, (*others, Taken(finding, now, decided("split", table, "random"))))
    store_choices(table, key, now, now.with_changes(_changes(finding)))


def undo(table: str, key: str, now: Choices, one: Taken) -> None:
    """Decide as before the press in all that the remedy changed; a callback."""
    now = as_decided(key, now)
    decide("taken", key, tuple(other for other in decided("taken", key, ()) if other.finding != one.finding))
    changes = _changes(one.finding)
    store_choices(table, key, now, now.taken_back(changes, one.before))
    if decided("split", table) == "random" and one.way not in SPLITS and "roles" in changes:
        decide("split", table, one.way)
    save_decisions()


def reset(table: str, key: str) -> None:
    """Take all decisions back; a callback."""
    decide("taken", key, ())
    reset_choices(table, key)


_BADGES = {
    "note": ":blue-badge[note]",
    "repaired": ":green-badge[repaired]",
    "left out": ":gray-badge[left out]",
    "warning": ":orange-badge[warning]",
    "offer": ":violet-badge[suggestion]",
}
_DONE = ":green-badge[done]"
_OPEN = ("warning", "offer")
_SETTLED = ("note", "repaired", "left out")
_SHOWN = 12  # findings that are open; the others are folded away
_RARE = {"keep": "keep them", "merge": "merge them into one class", "drop": "drop their rows"}


def summary(chosen: Chosen) -> str:
    """The number of issues, in one line. A note, such as how the file was read, is not an issue."""
    settled, found = _sorted_out(chosen)
    issues = len(settled) + sum(finding.kind != "note" for finding in found)
    if not issues:
        return "Data check: no issues found."
    open_issues = sum(map(is_open, found))
    decide = f", {open_issues} for you to decide" if open_issues else ""
    mended = f", {len(settled)} repaired as you chose" if settled else ""
    return f"Data check: {counted(issues, 'issue')} found{decide}{mended}."


def is_open(finding: Finding) -> bool:
    """Whether the finding waits for a decision."""
    return finding.kind in _OPEN


def data_check_panel(chosen: Chosen) -> None:
    """The findings that wait for a decision, those settled by a press, and folded what else was found; then further decisions."""
    settled, found = _sorted_out(chosen)
    waiting = sorted(filter(is_open, found), key=lambda finding: (_OPEN.index(finding.kind), finding.remedy is None))
    rest = sorted((finding for finding in found if not is_open(finding)), key=lambda finding: _SETTLED.index(finding.kind))
    for finding in waiting[:_SHOWN]:
        _show_open(chosen, finding)
    _folded(chosen, waiting[_SHOWN:], f"{len(waiting) - _SHOWN} more for you to decide")
    for one in settled:
        _show_settled(chosen, one)
    if anything_decided(chosen):
        st.button(
            "Reset all", key="reset_choices", icon=":material/restart_alt:", on_click=reset, args=(chosen.source.key, chosen.key),
            help="Undoes all decisions about this table: roles of columns, codes for missing values, split and classes.",
        )  # fmt: skip
    _folded(chosen, rest, _rest_title(rest), expanded=not waiting and not settled)
    _decisions(chosen)


def _rest_title(rest: Sequence[Finding]) -> str:
    """Issues and notes apart, since the line above the panel counts issues alone."""
    notes = sum(finding.kind == "note" for finding in rest)
    issues = f"{len(rest) - notes} repaired or left out" if len(rest) > notes else ""
    return " and ".join(filter(None, [issues, counted(notes, "note") if notes else ""]))


def _sorted_out(chosen: Chosen) -> tuple[list[Taken], list[Finding]]:
    """What was settled by a press, and the findings that do not say the same again."""
    settled = taken(chosen)
    told = {name for one in settled for name in one.finding.columns}
    return settled, [finding for finding in dict.fromkeys(chosen.shown.findings) if not _is_told(finding, told)]


def _is_told(finding: Finding, columns: set[str]) -> bool:
    """Whether the lines of settled findings about these columns say the same."""
    about = set(finding.columns)
    return not is_open(finding) and "as you chose" in str(finding) and bool(about) and about <= columns


def _folded(chosen: Chosen, findings: Sequence[Finding], title: str, *, expanded: bool = False) -> None:
    if findings:
        with st.expander(title, expanded=expanded):
            for finding in findings:
                _show_open(chosen, finding)


def _show_open(chosen: Chosen, finding: Finding) -> None:
    advice = f" *{in_markdown(finding.advice)}*" if finding.advice else ""
    text = f"{_BADGES[finding.kind]} {in_markdown(finding)}{advice}"
    if finding.remedy is None:
        st.markdown(text)
        return
    table, key = chosen.source.key, chosen.key
    with _row("open", finding):
        st.markdown(text)
        st.button(
            in_markdown(finding.remedy.label), key=f"take:{_id_of(finding)}", on_click=take,
            args=(table, key, chosen.choices, finding),
        )  # fmt: skip


def _show_settled(chosen: Chosen, one: Taken) -> None:
    finding = one.finding
    with _row("settled", finding):
        label = "" if finding.remedy is None else finding.remedy.label.rstrip(".")
        st.markdown(f"{_DONE} {in_markdown(finding.fact)} **{in_markdown(label)}**, as you chose.")
        st.button(
            "Undo", key=f"undo:{_id_of(finding)}", icon=":material/undo:", on_click=undo,
            args=(chosen.source.key, chosen.key, chosen.choices, one),
        )  # fmt: skip


def _row(state: str, finding: Finding) -> st.delta_generator.DeltaGenerator:
    return st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"finding_{state}_{_id_of(finding)}")


def _id_of(finding: Finding) -> str:
    """Of its button, so that a second press on one place never takes the remedy that moved there."""
    return hashlib.sha256(f"{finding.check}:{finding.columns}:{finding}".encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _decisions(chosen: Chosen) -> None:
    """The decisions with a choice of their own; those of the table without decisions stay after they are taken."""
    if chosen.choices.bins:
        _ranges(chosen.key, chosen.choices.bins)
    if any(finding.choice == "rare" for finding in chosen.base.findings):
        st.selectbox(
            "Rare classes", list(_RARE), key=widget("rare", chosen.key), format_func=_RARE.__getitem__,
            help="A class with few rows is hard to learn and hard to test.",
        )  # fmt: skip
    if much := _offered(chosen, "missing"):
        st.multiselect(
            "Missing as a category of its own", much, key=widget("missing", chosen.key),
            help="More than a fifth of these columns is missing. Otherwise the median or the most frequent category"
            " replaces them. A column of numbers gets another column that marks missing values.",
        )  # fmt: skip
    if informative := _offered(chosen, "flags"):
        st.multiselect(
            "Add a column that marks missing values", informative, key=widget("flags", chosen.key),
            help="In these columns, whether a value is missing depends on the class.",
        )  # fmt: skip


def _ranges(key: str, now: int) -> None:
    """The number of ranges that the target is grouped into, and a button that ends it."""
    if not RANGES(key).is_set():
        RANGES(key).set(now)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="ranges"):
        ranges_box(key, on_change=group_into_ranges, args=(key,))
        st.button("Do not group the target", on_click=decide, args=("bins", key, None))


def _offered(chosen: Chosen, choice: str) -> list[str]:
    """The columns for which a choice is offered or taken."""
    findings = [finding for finding in (*chosen.base.findings, *chosen.shown.findings) if finding.choice == choice]
    columns = [name for finding in findings for name in finding.columns] + list(getattr(chosen.choices, choice))
    return list(dict.fromkeys(columns))


# What the page says of an uploaded table before it is trained on: what was read, what is predicted, what was found.


_NAMED = 4  # classes with their numbers of rows
_CHECK = "Data check"  # the tab of the data panel


def table_card(chosen: Chosen, raw: RawTable, *, details: bool) -> None:
    """The card. details: whether the page has the data panel, which a button then opens at the data check."""
    dataset = chosen.shown
    rows, columns = raw.frame.shape
    with st.container(border=True, key="table_card", gap="xsmall"):
        st.markdown(f"**{in_markdown(shortened(raw.name, 60))}**: {rows:,} rows, {columns:,} columns.")
        st.caption(in_markdown(raw.read_options.sentence(raw.kind)))
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="card_target"):
            _target_list(chosen)
            why = f" Chosen as the target since {chosen.source.why}." if chosen.base.target == chosen.source.guess else ""
            st.caption(in_markdown(f"{_classes(dataset.class_sizes)}{why}"))
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="card_check"):
            st.markdown(summary(chosen))
            if details and any(finding.kind != "note" for finding in dataset.findings):
                st.button("Show", key="show_check", on_click=_open_check, help="Opens the data check below.")


def _target_list(chosen: Chosen) -> None:
    """The same choice as *Target column* in the sidebar, which a phone hides."""
    CARD_TARGET.set(chosen.base.target)
    st.selectbox("To be predicted", chosen.source.columns, key=CARD_TARGET.name, on_change=_choose_target, width=260)


def _choose_target() -> None:
    TARGET.set(CARD_TARGET.get())


def _open_check() -> None:
    session.DATA_BOX.set(True)
    DATA_VIEW.set(_CHECK)


def _classes(sizes: pd.Series) -> str:
    """As "2 classes: cat (30 rows), dog (30)."; the largest of many."""
    largest = sizes.sort_values(ascending=False, kind="stable")
    first = largest.head(_NAMED)
    names = shortened_names(first.index, 20)
    named = [f"{name} ({count:,}{' rows' * (at == 0)})" for at, (name, count) in enumerate(zip(names, first, strict=True))]
    more = f" and {len(sizes) - _NAMED} more" if len(sizes) > _NAMED else ""
    return f"{len(sizes)} classes: {', '.join(named)}{more}."

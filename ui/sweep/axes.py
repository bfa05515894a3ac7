"""The axes of a sweep: up to four, each a setting and its values in a text box; kept in the session, and in the link as text."""

from collections.abc import Sequence

import streamlit as st

from tsk_core.errors import SettingError
from tsk_core.experiments import AXES, MOST_AXES, SWEEP, Axis, Plan, parse_axis
from tsk_core.numbers import number_text
from ui.experiments import linked_plan, options
from ui.platform import session
from ui.sweep.words import AXIS_NAMES
from ui.text import in_markdown

NONE = "none"
_NUMBERS = ("First", "Second", "Third", "Fourth")
_HELP = "A setting that takes several values. Everything else is as set in the sidebar."
_VALUES_HELP = "Numbers separated by commas. Empty for the usual values."


def usual(key: str) -> str:
    """The usual values of an axis, as text."""
    return ", ".join(map(number_text, AXES[key].usual))


DEFAULT_AXES = (f"batch={usual('batch')}",)


def read_link() -> None:
    """Take the axes of the link once, or those of a sweep that it names; before any widget is made."""
    if plan := linked_plan(SWEEP):
        session.SWEEP_AXES.set([axis.text for axis in plan.axes])
        options.take_over(plan)
        session.EQUAL.set(plan.equal)
    if not session.SWEEP_AXES.is_set():
        texts = [st.query_params.get(_key(at), "") for at in range(MOST_AXES)]
        session.SWEEP_AXES.set([text for text in texts if text] or list(DEFAULT_AXES))


def joined_note(axes: Sequence[Axis], plan: Plan) -> str:
    """A sentence where batch sizes are one value, since each has all training rows; else ""."""
    for wanted, axis in zip(axes, plan.axes, strict=True):
        if len(axis.values) < len(wanted.values):
            return f"Batch sizes from {axis.full:,} on have all training rows in one batch, so they are trained once."
    return ""


def axes_row() -> tuple[Axis, ...] | None:
    """Draw the axes; returns them. None, with a message on the page, where one cannot be read."""
    texts = session.SWEEP_AXES.get()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="sweep_axes_row"):
        for at in range(min(len(texts) + 1, MOST_AXES)):
            _axis_widgets(at, texts[at] if at < len(texts) else "")
    found, failures = [], []
    for text in texts:
        try:
            found.append(parse_axis(text))
        except SettingError as error:
            failures.append(error)
    for error in failures:
        st.error(in_markdown(error))
    _write_link([axis.text for axis in found] if not failures else texts)
    return None if failures else tuple(found)


def link_axes(axes: tuple[Axis, ...]) -> dict[str, str]:
    """The axes for a full link, by key."""
    return {_key(at): axis.text for at, axis in enumerate(axes)}


def _key(at: int) -> str:
    return f"axis{at + 1}"


def _axis_widgets(at: int, text: str) -> None:
    """Which setting, and its values. text: "" for an axis that is not there."""
    name, _, values = text.partition("=")
    name_key, values_key = session.AXIS_NAME(at), session.AXIS_VALUES(at)
    options = [*([NONE] if at else []), *AXES]
    known = name if name in AXES else NONE if at else options[0]
    name_key.set(known)
    values_key.set(values or (usual(name) if name in AXES else ""))
    row = st.container(horizontal=True, vertical_alignment="bottom", key=f"sweep_axis{at}", gap="xsmall", width="content")
    with row:
        st.selectbox(
            f"{_NUMBERS[at]} axis", options, key=name_key.name, format_func=label_of, on_change=_choose, args=(at,), help=_HELP,
            width=190 if text else 130,
        )  # fmt: skip
        if text:
            st.text_input(
                f"Values of the {_NUMBERS[at].lower()} axis", key=values_key.name, on_change=_type, args=(at,), help=_VALUES_HELP,
                label_visibility="collapsed", width=_width(values_key.get() or ""),
            )  # fmt: skip


def _width(values: str) -> int:
    """Of a box in which all values are seen, in pixels."""
    return max(170, min(520, 40 + 7 * len(values)))


def label_of(key: str) -> str:
    """What a person calls an axis, in few letters."""
    return "None" if key == NONE else AXIS_NAMES[key]


def _choose(at: int) -> None:
    """Another setting takes its usual values; without one, the axis goes, and those after it move up."""
    texts, name = session.SWEEP_AXES.get(), session.AXIS_NAME(at).get()
    session.SWEEP_AXES.set([*texts[:at], *([] if name == NONE else [f"{name}={usual(name)}"]), *texts[at + 1 :]])


def _type(at: int) -> None:
    texts, name = list(session.SWEEP_AXES.get()), session.AXIS_NAME(at).get()
    texts[at] = f"{name}={session.AXIS_VALUES(at).get() or usual(name)}"
    session.SWEEP_AXES.set(texts)


def _write_link(texts: list[str]) -> None:
    """The axes in the address, where they are not the usual one."""
    usual_ones = texts == [parse_axis(text).text for text in DEFAULT_AXES]
    for at in range(MOST_AXES):
        text = "" if usual_ones or at >= len(texts) else texts[at]
        if text and st.query_params.get(_key(at)) != text:
            st.query_params[_key(at)] = text
        elif not text and _key(at) in st.query_params:
            del st.query_params[_key(at)]

"""The rule base that a training starts from, as somebody uploads it: a .fis file, or exported rules as JSON.

No link carries it. A run's settings do, so that the link of a run brings it back.
"""

from dataclasses import replace

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.errors import TSKError
from tsk_core.explain import MOST_BYTES_OF_RULES, read_rule_base
from tsk_core.settings import SETTINGS
from ui.platform import session
from ui.platform.errors import error_markdown
from ui.settings.boxes import box
from ui.text import in_markdown

_HELP = (
    "A .fis file of MATLAB (Sugeno, gaussmf, one output per class), or rules exported as JSON. Inputs and outputs are matched by"
    " the names of the columns and classes. Links of the page do not contain it; the link of a run does."
)


def start_from_rule_base(config: TrainConfig | None) -> TrainConfig | None:
    """Draw the box; returns the settings with the rule base that somebody chose, or as they are."""
    chosen = session.RULE_BASE.get()
    with box("rule_base", "Start from a rule base", "in use" if chosen else ""):
        if chosen is None:  # drawn anew after "Start without it", the uploader has no file
            _upload()
            return config
        used = TrainConfig(rule_base=chosen)
        st.caption(
            f"Training starts from the {used.n_rules} rules of {in_markdown(used.shown('rule_base'))}; R and the initial centres"
            " have no effect."
        )
        st.button("Start without it", key="no_rule_base", on_click=_forget, width="stretch")
    return with_rule_base(config)


def with_rule_base(config: TrainConfig | None) -> TrainConfig | None:
    """The settings with the rule base that somebody chose; a lecture shows no box, and trains from it all the same."""
    return config and replace(config, rule_base=session.RULE_BASE.get())


def _upload() -> None:
    st.file_uploader(
        "File of rules",
        key=session.RULE_BASE_FILE.name,
        on_change=_take,
        max_upload_size=MOST_BYTES_OF_RULES // 1_000_000,
        help=_HELP,
    )
    if error := session.RULE_BASE_ERROR.get():
        st.error(error)
    st.caption(SETTINGS["rule_base"].help)


def _take() -> None:
    file = session.RULE_BASE_FILE.get()
    session.RULE_BASE_ERROR.pop()
    if file is None:
        return
    try:
        session.RULE_BASE.set(TrainConfig(rule_base=read_rule_base(file.getvalue(), file.name)).rule_base)
    except TSKError as error:
        session.RULE_BASE_ERROR.set(error_markdown(error))


def _forget() -> None:
    session.RULE_BASE.pop()
    session.RULE_BASE_ERROR.pop()

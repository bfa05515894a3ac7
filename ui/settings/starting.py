"""The starting point: the named values or the rule base that the settings start from, and what was changed.

An uploaded table and painted points start from "recommended", a table of the gallery from "paper", unless the link or a person
says otherwise.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from tsk_core.config import START_KEY, STARTING_POINTS, TrainConfig
from tsk_core.errors import TSKError
from tsk_core.explain import MOST_BYTES_OF_RULES, read_rule_base
from tsk_core.settings import SETTINGS
from tsk_study import beside_protocol
from ui.data.source import DATA, PAINTED, UPLOAD
from ui.platform import session
from ui.platform.drawing import error_markdown
from ui.platform.session import Key
from ui.settings.controls import RULE_BASE, SHOWN_AS, TEST_KEY, box, change_text, widget_values
from ui.text import in_markdown

RULE_BASE_FILE = Key[Any]("rule_base_file")  # of its uploader
RULE_BASE_ERROR = Key[str]("rule_base_error")  # why a file has no rules, as Markdown
USUAL_START = Key[str]("start_usual")  # starting point that the data suggest, when the page was last drawn
DRAWN_START = Key[str]("start_drawn")


SPLIT_KEYS = (TEST_KEY, SETTINGS["random_state"].key)  # what determines the split; no starting point says anything of it
_NAMES = {setting.key: setting.symbol or setting.label for setting in SETTINGS.values() if setting.key}
_UR_WEIGHT = f"λ {STARTING_POINTS['paper'].ur_weight:g} instead of the one that validation chooses"
_HELP = (
    "Recommended: chosen by measurement on many tables. Readable: few rules with few conditions and one score for each class,"
    " which are the whole model. Paper: the paper's model, which shows the effects of UR and BN, but not its protocol:"
    f" {', '.join([_UR_WEIGHT, *beside_protocol(STARTING_POINTS['paper'])])}. The page Paper follows the protocol."
    " A click sets all settings but the seed and the test share."
)
_STYLE = """<style>
.st-key-from [role="radiogroup"] p { text-transform: capitalize; font-size: 0.875rem; } /* in links the names are small */
.st-key-from [role="radiogroup"] button { padding-inline: 0.25rem; } /* all in one line */
</style>"""
_DOT = """<style>%s {
  content: ""; display: inline-block; width: 0.45em; height: 0.45em; margin-left: 0.4em; border-radius: 50%%;
  vertical-align: middle; background: #d98200;
}</style>"""


def start_for(data: str | None) -> str:
    """The name of the starting point of a dataset's name in the list."""
    return "recommended" if data in (UPLOAD, PAINTED) else "paper"


def nearest(config: TrainConfig, data: str | None) -> str:
    """The name of the starting point from which the fewest settings differ; of two, that of the data."""
    names = sorted(STARTING_POINTS, key=lambda name: name != start_for(data))
    return min(names, key=lambda name: len(config.differing(STARTING_POINTS[name])))


def _values_at(start: str) -> dict[str, object]:
    """The value of each widget at a starting point, by its key; without test share and seed."""
    return _of_model(STARTING_POINTS[start])


def choose() -> str:
    """Draw the control; returns the name of the starting point in force. After the data are chosen, before the settings."""
    usual = start_for(DATA.get())
    _follow_data(usual)
    _write_again([START_KEY], USUAL_START, usual)
    with box("start", "Starting point", in_force().capitalize()):
        st.html(_STYLE)
        st.segmented_control(
            "Starting point", list(STARTING_POINTS), default=usual, required=True, key=START_KEY, bind="query-params",
            on_change=_switch, help=_HELP, width="stretch",
        )  # fmt: skip
        start = in_force()
        if start == "paper" and DATA.get() == UPLOAD:
            st.caption("With Recommended, short rules agree with the full model on more rows; with Readable, they are the model.")
    _write_again(list(_values_at(start)), DRAWN_START, start)
    return start


def in_force() -> str:
    """The name of the starting point in force."""
    widget = session.widget(START_KEY)
    chosen = widget.get() if widget.is_set() else st.query_params.get(START_KEY)  # before it is drawn, that of the link
    return chosen if chosen in STARTING_POINTS else start_for(DATA.get())


def hold() -> None:
    """The starting point stays as it is set although other data come: with an opened run, with a card of the gallery."""
    USUAL_START.pop()


def changes(start: str) -> dict[str, str]:
    """Say which settings differ from the starting point; returns how, by key, as "R 20 → 10". Drawn after the settings."""
    differing = _differences(start)
    with st.container(key="start_changes"):
        said = (
            f"Changed: {', '.join(differing.values())}"
            if differing
            else f"All settings as in the starting point {start.capitalize()}."
        )
        st.caption(in_markdown(said))
    return differing


def reset_button(start: str, differing: Mapping[str, str]) -> None:
    """The button, disabled where no setting differs from the starting point, and the marks of those that do."""
    if differing:
        marked = (SHOWN_AS.get(key, key) for key in differing)
        st.html(_DOT % ", ".join(f'.st-key-{key} [data-testid="stWidgetLabel"] p::after' for key in marked))
    st.button(
        f"Reset to {start.capitalize()}", key="reset_start", disabled=not differing, on_click=_switch,
        help=in_markdown(f"What differs: {', '.join(differing.values()) or 'nothing'}."),
    )  # fmt: skip


def changes_to(config: TrainConfig) -> list[str]:
    """As "R 20 → 10"; one for each setting of the page that differs from these, but for test share and seed."""
    values = _of_model(config)
    return [change_text(_NAMES[key], now, values[key]) for key, now in _differing(values).items()]


def _of_model(config: TrainConfig) -> dict[str, object]:
    return {key: value for key, value in widget_values(config, 0).items() if key not in SPLIT_KEYS}


def _differences(start: str) -> dict[str, str]:
    """By key, as "R 20 → 10"; of each setting that differs from the starting point."""
    values = _values_at(start)
    return {key: change_text(_NAMES[key], values[key], now) for key, now in _differing(values).items()}


def _differing(values: Mapping[str, object]) -> dict[str, object]:
    """The values of the widgets that differ from these."""
    return {key: now for key, now in session.values_of(values).items() if now != values[key]}


def _follow_data(usual: str) -> None:
    """The starting point follows the data from the gallery to an upload and back, if nobody changed it or a setting."""
    before = USUAL_START.get() or usual
    came = usual != before
    if came and session.widget(START_KEY).get() == before and not _differing(_values_at(before)):
        session.widget(START_KEY).set(usual)
        _switch()


def _switch() -> None:
    """Set all settings to the starting point in force; as a callback, or before the widgets are drawn."""
    session.set_widgets(_values_at(in_force()))


def _write_again(keys: list[str], drawn: session.Key[str], now: str) -> None:
    """Assign the values once more if the widgets' defaults changed: Streamlit leaves a default out of the link."""
    if drawn.is_set() and drawn.get() != now:
        session.set_widgets(session.values_of(keys))
    drawn.set(now)


# The rule base that a training starts from, as somebody uploads it: a .fis file, or exported rules as JSON.
#
# No link carries it. A run's settings do, so that the link of a run brings it back.


_RULE_BASE_HELP = (
    "A .fis file of MATLAB (Sugeno, gaussmf, one output per class), or rules exported as JSON. Inputs and outputs are matched by"
    " the names of the columns and classes. Links of the page do not contain it; the link of a run does."
)


def start_from_rule_base(config: TrainConfig | None) -> TrainConfig | None:
    """Draw the box; returns the settings with the rule base that somebody chose, or as they are."""
    chosen = RULE_BASE.get()
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
    return None if config is None else replace(config, rule_base=RULE_BASE.get())


def _upload() -> None:
    st.file_uploader(
        "File of rules",
        key=RULE_BASE_FILE.name,
        on_change=_take,
        max_upload_size=MOST_BYTES_OF_RULES // 1_000_000,
        help=_RULE_BASE_HELP,
    )
    if error := RULE_BASE_ERROR.get():
        st.error(error)
    st.caption(SETTINGS["rule_base"].help)


def _take() -> None:
    file = RULE_BASE_FILE.get()
    RULE_BASE_ERROR.pop()
    if file is None:
        return
    try:
        rules: Any = read_rule_base(file.getvalue(), file.name)  # whose JSON the settings have
        RULE_BASE.set(TrainConfig(rule_base=rules).rule_base)
    except TSKError as error:
        RULE_BASE_ERROR.set(error_markdown(error))


def _forget() -> None:
    RULE_BASE.pop()
    RULE_BASE_ERROR.pop()

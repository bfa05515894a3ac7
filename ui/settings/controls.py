"""The settings of a training as widgets, bound to the URL: a link reproduces the page.

Ranges, symbols and help come from ``tsk_core.config.SETTINGS``; the keys of the widgets are the names in links.
"""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import streamlit as st

from tsk_core import limits
from tsk_core.config import STARTING_POINTS, TrainConfig, nearest_rules
from tsk_core.errors import SettingError
from tsk_core.setting_values import in_words
from tsk_core.settings import SETTINGS
from ui.data.data_panel import TEST
from ui.platform import session
from ui.platform.drawing import linked_widget
from ui.platform.session import Key, Keys
from ui.text import in_markdown, shortened

RULE_BASE = Key["str | None"]("rule_base")  # that trainings of Explore start from: ``TrainConfig.rule_base``
LINK_NOTES = Key[list[str]]("link_notes")  # what was corrected in it
SIDEBAR_BOX = Keys[bool]("box:{}")  # by its name
OPENED_BOXES = Key[dict[str, bool]]("boxes_opened", make=dict)  # name of a box of the sidebar -> whether it is open


# The boxes of the sidebar: closed at first, then as their reader leaves them, on every page.


_MARK = "<style>.st-key-{} summary p::after {{ content: {}; }}</style>"


def box(name: str, title: str, mark: str = "") -> st.delta_generator.DeltaGenerator:
    """A box to draw into.

    name: its key. mark: what stands behind its title, of what is inside, such as "2 set". Streamlit identifies an expander by its
    title and would replace the box, closed, whenever that changes, so the mark is text of its style.
    """
    widget, opened = SIDEBAR_BOX(name), OPENED_BOXES.get()
    if not widget.is_set():
        widget.set(opened.get(name, False))
    with st.container(key=f"box_{name}"):
        if mark:
            st.html(_MARK.format(f"box_{name}", json.dumps(f" · {mark}", ensure_ascii=False)))
        drawn = st.expander(title, key=widget.name, on_change="rerun")
    opened[name] = bool(drawn.open)
    return drawn


_INTEGER_STEPS = {
    "n_rules": 1, "batch_size": 16, "max_epochs": 10, "patience": 5, "random_state": 1, "max_conditions": 1,
    "selection_epoch": 10, "n_trainings": 1,
}  # fmt: skip
_NUMBER_STEPS = {
    "ur_weight": 1.0, "learning_rate": 0.005, "l2": 0.001, "shrinkage": 0.005, "sharpness": 0.05, "covering": 0.05, "l1": 0.001,
    "drop_rule": 0.1,
}  # fmt: skip
_READABLE = ("consequents", "max_conditions", "sharpness", "covering", "l1", "selection_epoch")  # what makes rules readable
_MORE = (
    "max_epochs", "learning_rate", "l2", "shrinkage", "firing", "ur_target", "init", "optimizer", "drop_rule", "layer_norm",
    "n_trainings", "class_weight", "early_stopping", "patience", "random_state",
)  # fmt: skip
_KNOBS = ("n_rules", "ur_weight", "batch_norm", "batch_size")
IN_SIGHT = tuple(SETTINGS[name].key for name in _KNOBS)  # in links
TURNED = Key[list[object]]("knobs_turned")  # the values of these, as somebody last set them
ALL_SETTINGS = "all"  # the name of the box with all other boxes
_SMALLEST = {"learning_rate": 1e-5}  # the page's lower end where the range excludes its bound
_TITLES = {"ur_weight": "UR weight λ", "batch_norm": "BN"}  # shorter than those of tables, for a narrow column
_BATCH_NORMS = {"none": "Off", "bn": "before THEN (paper)", "gbn": "before IF and THEN", "rbn": "per rule"}
_BN = SETTINGS["batch_norm"].key
BN_LIST = Key[str]("bn:words")  # the list that people see; links have the names alone
SHOWN_AS = {_BN: "bn-words"}  # key in the link -> that of the control on the page, where it is another
TEST_KEY, TEST_DEFAULT, TEST_RANGE = TEST.name, 0.3, (0.05, 0.9)


class Range(NamedTuple):
    """The numbers that a widget allows. whole: only whole ones."""

    label: str
    low: float
    high: float
    whole: bool

    def nearest(self, value: float) -> float:
        """The allowed number nearest to ``value``, which may be infinite."""
        return min(max(round(value) if self.whole and math.isfinite(value) else value, self.low), self.high)


def ranges() -> dict[str, Range]:
    """URL key -> range, of all settings that are numbers."""
    numbers = {name: SETTINGS[name] for name in (*_INTEGER_STEPS, *_NUMBER_STEPS)}
    known = {one.key: Range(one.title, *_range(name), name in _INTEGER_STEPS) for name, one in numbers.items()}
    return known | {TEST_KEY: Range("Test share", *TEST_RANGE, whole=False)}


def change_text(name: str, before: object, now: object) -> str:
    """As "R 20 → 10"."""
    return f"{name} {shortened(in_words(before), 30)} → {shortened(in_words(now), 30)}"


def box_of(key: str) -> str | None:
    """The name of the box that has a control; None for one in sight."""
    boxes = {"more": [SETTINGS[name].key for name in _MORE] + [TEST_KEY], "readable": [SETTINGS[name].key for name in _READABLE]}
    return next((name for name, keys in boxes.items() if key in keys), None)


@dataclass(frozen=True)
class Boxed:
    """The settings in boxes, as they were drawn. values: of ``TrainConfig``, by name."""

    values: Mapping[str, Any]
    test_size: float


def boxed_settings(start: str) -> Boxed:
    """Draw the settings that have a box around them. start: the name of the starting point.

    It has the defaults of the widgets, so that links carry what differs from it.
    """
    default = widget_values(STARTING_POINTS[start], TEST_DEFAULT)
    more, test_size = _more_settings(default)
    return Boxed(more | _readable_rules(default), test_size)


def settings_in_sight(start: str, boxed: Boxed) -> TrainConfig | None:
    """Draw the settings without a box; returns all of them. None, with a message on the page, if one is not valid."""
    default = widget_values(STARTING_POINTS[start], TEST_DEFAULT)
    for note in LINK_NOTES.get():
        st.info(note)
    steps = {"n_rules": boxed.values["n_trainings"], "ur_weight": _weight_step(default)}
    values: dict[str, Any] = {name: _number(name, default, step) for name, step in steps.items()}
    values["batch_norm"] = _batch_norm(default)
    values["batch_size"] = _number("batch_size", default)
    if boxed.values["ur_target"] is None:
        typed = in_markdown(session.widget(SETTINGS["ur_target"].key).get()[:20])
        st.error(f"τ is “{typed}”; choose 1/C or 1/R, or type a number of at least 0.")
        return None
    trainings = boxed.values["n_trainings"]
    if RULE_BASE.get() is not None:
        trainings = 1  # that is where one training starts, with its own number of rules
    try:
        return TrainConfig(**{**boxed.values, **values, "n_trainings": trainings})
    except SettingError:  # all else is within its range
        rules = values["n_rules"]
        st.error(
            f"{rules} rules cannot be divided equally among {trainings} separate trainings with at least 2 rules each: choose a"
            f" multiple of {trainings} for R, such as {nearest_rules(rules, trainings)}."
        )
        return None


def _more_settings(default: dict[str, Any]) -> tuple[dict[str, Any], float]:
    """Draw the settings that a first look does without; returns them, and the share of test rows."""
    changed = _differing((*(SETTINGS[name].key for name in _MORE), TEST_KEY), default)
    with box("more", "More settings", f"{changed} set" if changed else ""):
        values: dict[str, Any] = {name: _number(name, default) for name in ("max_epochs", "learning_rate", "l2", "shrinkage")}
        values["firing"] = _choice("firing", default)
        values["ur_target"] = _target(default)
        values |= {name: _choice(name, default) for name in ("init", "optimizer")}
        values["drop_rule"] = _number("drop_rule", default)
        values["layer_norm"] = _choice("layer_norm", default)
        values["n_trainings"] = _number("n_trainings", default)
        weight = _choice("class_weight", default)
        values["class_weight"] = None if weight == "none" else weight
        stopping = SETTINGS["early_stopping"]
        values["early_stopping"] = st.checkbox(
            stopping.title, default[stopping.key], key=stopping.key, bind="query-params", help=stopping.help
        )
        values["patience"] = _number("patience", default)
        test_size = st.number_input(
            "Test share", *TEST_RANGE, TEST_DEFAULT, 0.05, key=TEST_KEY, bind="query-params",
            help="Share of the rows that are held out to test the classifier. It has no effect where a column or a second file"
            " says which rows these are.",
        )  # fmt: skip
        values["random_state"] = _number("random_state", default)
    return values, test_size


def _readable_rules(default: dict[str, Any]) -> dict[str, Any]:
    """Draw the settings that make rules readable. The recommended model uses none of them."""
    unused = widget_values(STARTING_POINTS["recommended"], TEST_DEFAULT)
    used = _differing([SETTINGS[name].key for name in _READABLE], default, unused)
    with box("readable", "Readable rules", f"{used} in use" if used else ""):
        return {name: (_choice if SETTINGS[name].options else _number)(name, default) for name in _READABLE}


def _differing(keys: Iterable[str], default: Mapping[str, Any], usual: Mapping[str, Any] | None = None) -> int:
    """How many of these widgets have another value than the usual one, by default their default; also before they are drawn."""
    usual = usual or default
    return sum(_value(key, default[key]) != usual[key] for key in keys)


def _value(key: str, default: object) -> object:
    """The value of a widget; before it is drawn, that of the link, which is valid, or the default."""
    widget = session.widget(key)
    if widget.is_set() or key not in st.query_params:
        return widget.get() if widget.is_set() else default
    text = st.query_params[key]
    if isinstance(default, bool):
        return text.lower() == "true"
    return type(default)(float(text)) if isinstance(default, int | float) else text


def widget_values(config: TrainConfig, test_size: float) -> dict[str, Any]:
    """The value of each widget of the page under these settings, by its key."""
    values: dict[str, Any] = {TEST_KEY: float(test_size)}
    for name, setting in SETTINGS.items():
        value = getattr(config, name)
        if not setting.key or isinstance(value, dict):  # weights per class have no widget
            continue
        if name in _INTEGER_STEPS:
            values[setting.key] = int(min(value or 0, _range(name)[1]))  # this server may allow fewer rules
        elif name in _NUMBER_STEPS:
            values[setting.key] = float(value)
        elif name == "early_stopping":
            values[setting.key] = bool(value)
        else:
            values[setting.key] = in_words(value)
    rules, trainings = SETTINGS["n_rules"].key, SETTINGS["n_trainings"].key
    if config.n_parts > 1 and values[rules] < config.n_rules:
        values[trainings] = max(1, min(values[trainings], values[rules] // 2))
        values[rules] -= values[rules] % values[trainings]
    return values


def _weight_step(defaults: dict[str, Any]) -> float:
    """Of the buttons of λ: below 1 a tenth, so that − leads from 0.1 to 0; from 0 the way that leads back to the default."""
    key = SETTINGS["ur_weight"].key
    weight = session.widget(key)
    value = (weight.get() if weight.is_set() else 0) or defaults[key]
    return 0.1 if value < 1 else _NUMBER_STEPS["ur_weight"]


def _number(name: str, defaults: dict[str, Any], step: float | None = None) -> float:
    """step: of the buttons − and +, where it is not the usual one; it may change while the value stays."""
    setting = SETTINGS[name]
    low, high = _range(name)
    default = min(defaults[setting.key], high)  # a server's limit may be below it
    step = (_INTEGER_STEPS | _NUMBER_STEPS)[name] if step is None else step
    shared: dict[str, Any] = {"key": setting.key, "bind": "query-params", "help": setting.help}
    if name in _KNOBS:
        shared["on_change"] = note_turned
    if name in _INTEGER_STEPS:
        return st.number_input(setting.title, int(low), int(high), int(default), int(step), **shared)
    return st.number_input(_TITLES.get(name, setting.title), low, high, default, step, "%g", **shared)


def _range(name: str) -> tuple[float, float]:
    setting = SETTINGS[name]
    low, high = _SMALLEST.get(name, setting.low), limits.value("rules") if name == "n_rules" else setting.high
    assert low is not None and high is not None  # a number has a range
    return float(low), float(high)


def _choice(name: str, defaults: dict[str, Any]) -> str:
    setting = SETTINGS[name]
    default = setting.options.index(defaults[setting.key])
    return st.selectbox(setting.title, setting.options, default, key=setting.key, bind="query-params", help=setting.help)


def _batch_norm(defaults: dict[str, Any]) -> str:
    setting = SETTINGS["batch_norm"]
    with linked_widget(session.widget(_BN), BN_LIST):
        _choice("batch_norm", defaults)
    return st.selectbox(
        _TITLES["batch_norm"], setting.options, key=BN_LIST.name, format_func=_BATCH_NORMS.__getitem__, on_change=_follow_list,
        help=setting.help,
    )  # fmt: skip


def _follow_list() -> None:
    session.widget(_BN).set(BN_LIST.get())
    note_turned()


# The settings in sight as sliders, which the browser draws below their controls (ui/client/rail/knobs.js).


def knobs(trainings: int) -> list[dict[str, Any]]:
    """What the browser needs to know of each. trainings: R is a multiple of them."""
    known = []
    for name in _KNOBS:
        setting = SETTINGS[name]
        knob: dict[str, Any] = {
            "key": setting.key,
            "control": SHOWN_AS.get(setting.key, setting.key),
            "label": _TITLES.get(name, setting.title),
        }
        if name == "batch_norm":
            knob |= {"options": setting.options, "texts": list(_BATCH_NORMS.values())}
        else:
            low, high = _range(name)
            knob |= {"low": low, "high": high, "step": trainings if name == "n_rules" else 1}
        known.append(knob | {"value": session.widget(setting.key).get()})
    return known


def turn(said: Any) -> None:
    """Set a knob as the browser says; a callback, before any widget is drawn. Anything else than a possible value is ignored."""
    key, value = (said.get("key"), said.get("value")) if isinstance(said, dict) else (None, None)
    if key == _BN:
        if value in _BATCH_NORMS:
            session.widget(key).set(value)
    elif key in IN_SIGHT and isinstance(value, int | float) and math.isfinite(value):
        allowed = ranges()[key]
        session.widget(key).set((int if allowed.whole else float)(allowed.nearest(value)))
    note_turned()


def note_turned() -> None:
    """Somebody has set a knob to what it is at now; a callback, also where Streamlit then draws the page for another change."""
    TURNED.set(list(session.values_of(IN_SIGHT).values()))


def _target(defaults: dict[str, Any]) -> str | float | None:
    """τ: one of the two names, or a number typed in; None for anything else."""
    setting = SETTINGS["ur_target"]
    text = st.selectbox(
        setting.title, setting.options, setting.options.index(defaults["tau"]), key=setting.key, bind="query-params",
        help=setting.help, accept_new_options=True,
    )  # fmt: skip
    try:
        return TrainConfig.from_url({"tau": text}).ur_target
    except SettingError:
        return None


# What the settings do to each other, in sentences. Plain text.


def remarks(config: TrainConfig | None) -> list[str]:
    """One sentence for each setting that the others leave without effect, and for sharpness without UR; none of invalid ones."""
    sentences: list[str] = []
    if config is None:
        return sentences
    if config.batch_norm != config.normalisation:
        sentences.append("BN before the consequents has no effect: constant consequents have no input that it could normalise.")
    if config.layer_norm != "none" and not config.layer_normalised:
        why = "there is one rule" if config.has_slopes else "constant scores are weighted by the firing levels themselves"
        sentences.append(f"Layer normalisation has no effect: {why}.")
    if config.n_trainings != config.n_parts:
        sentences.append(f"Separate trainings have no effect: there is a single one, since {_why_one(config)}.")
    if config.shrinkage and not config.has_slopes:
        sentences.append("Shrinkage κ has no effect: constant consequents have no slopes.")
    if config.selection_epoch and not config.max_conditions:
        sentences.append(
            "“Conditions chosen after” has no effect: rules keep all conditions. Set the conditions of a rule k above 0."
        )
    elif config.selection_epoch > config.max_epochs:
        sentences.append(f"Training ends before epoch {config.selection_epoch}, so conditions are chosen after the last epoch.")
    if config.sharpness and not config.ur_weight:  # measured: docs/claims.md, "One rule decides"
        sentences.append("Sharpness without UR: few rules may win all rows. UR keeps the others in use.")
    return sentences


def _why_one(config: TrainConfig) -> str:
    """Why settings have one training although they ask for several."""
    if config.rule_base is not None:
        return "a training from a rule base starts with all of its rules"
    if config.layer_normalised:
        return "layer normalisation needs all rules in one training"
    return "k-means within each class would give each nearly the same initial rules"

"""The training settings as widgets, bound to the URL: a link reproduces the page.

Ranges, symbols and help come from ``tsk_core.config.SETTINGS``; the keys of widgets are the names in links.
"""

import math
from urllib.parse import urlencode

import streamlit as st

from tsk_core import limits
from tsk_core.config import SETTINGS, TrainConfig, default_of
from tsk_core.errors import SettingError
from ui.text import in_markdown, in_words

__all__ = ["full_link", "label_of", "mend_link", "settings", "widget_values"]

_INTEGER_STEPS = {"n_rules": 1, "batch_size": 16, "max_epochs": 10, "patience": 5, "random_state": 1}
_NUMBER_STEPS = {"ur_weight": 1.0, "learning_rate": 0.005, "l2": 0.001}
_SMALLEST = {"learning_rate": 1e-5}  # the page's lower end where the range excludes its bound
TEST_KEY, TEST_DEFAULT, TEST_RANGE = "test", 0.3, (0.05, 0.9)


def settings() -> tuple[TrainConfig | None, float]:
    """Draw all settings; returns them with the share of test rows. None, with a sentence, where one cannot be used."""
    for note in st.session_state.link_notes:
        st.info(note)
    values = {name: _number(name) for name in ("n_rules", "ur_weight")}
    values["batch_norm"] = _choice("batch_norm")
    values["batch_size"] = _number("batch_size")
    values["max_epochs"] = _number("max_epochs")
    with st.expander("More settings"):
        for name in ("learning_rate", "l2"):
            values[name] = _number(name)
        values["firing"] = _choice("firing")
        values["ur_target"] = _target()
        values["init"] = _choice("init")
        values["optimizer"] = _choice("optimizer")
        weight = _choice("class_weight")
        values["class_weight"] = None if weight == "none" else weight
        values["early_stopping"] = st.checkbox(
            label_of("early_stopping"), key="es", bind="query-params", help=SETTINGS["early_stopping"].help
        )
        values["patience"] = _number("patience")
        test_size = st.number_input(
            "Test share", *TEST_RANGE, TEST_DEFAULT, 0.05, key=TEST_KEY, bind="query-params",
            help="Share of the rows kept apart to test the classifier on.",
        )  # fmt: skip
        values["random_state"] = _number("random_state", default=0)
    return None if values["ur_target"] is None else TrainConfig(**values), test_size


def widget_values(config: TrainConfig, test_size: float) -> dict[str, object]:
    """What the widgets of this page hold when they say these settings, by their keys."""
    values = {TEST_KEY: float(test_size)}
    for name, setting in SETTINGS.items():
        value = getattr(config, name)
        if not setting.key or isinstance(value, dict):  # weights class by class have no widget
            continue
        if name in _INTEGER_STEPS:
            values[setting.key] = int(value or 0)
        elif name in _NUMBER_STEPS:
            values[setting.key] = float(value)
        elif name == "early_stopping":
            values[setting.key] = bool(value)
        else:
            values[setting.key] = in_words(value)
    return values


def full_link(config: TrainConfig, test_size: float, data: str, target: str, sha: str) -> str:
    """The address of this page with every value written out, so that later changes of defaults do not change it."""
    values = {"v": "1", "data": data, "target": target, "sha": sha, **config.to_url(), TEST_KEY: f"{test_size:g}"}
    return f"{st.context.url or ''}?{urlencode(values)}"


def label_of(name: str) -> str:
    """What people call a setting, with the paper's symbol."""
    setting = SETTINGS[name]
    return f"{setting.label} {setting.symbol}".strip()


def _number(name: str, default: float | None = None) -> float:
    setting = SETTINGS[name]
    low, high = _range(name)
    default = min(default_of(name) if default is None else default, high)  # a server's limit may be below it
    if name in _INTEGER_STEPS:
        return st.number_input(
            label_of(name), int(low), int(high), int(default), _INTEGER_STEPS[name], key=setting.key, bind="query-params",
            help=setting.help,
        )  # fmt: skip
    return st.number_input(
        label_of(name),
        low,
        high,
        float(default),
        _NUMBER_STEPS[name],
        "%g",
        key=setting.key,
        bind="query-params",
        help=setting.help,
    )


def _range(name: str) -> tuple[float, float]:
    setting = SETTINGS[name]
    high = limits.value("rules") if name == "n_rules" else setting.high
    return float(_SMALLEST.get(name, setting.low)), float(high)


def _choice(name: str) -> str:
    setting = SETTINGS[name]
    default = default_of(name) or "none"
    return st.selectbox(
        label_of(name), setting.options, setting.options.index(default), key=setting.key, bind="query-params", help=setting.help
    )


def _target() -> str | float | None:
    """τ: one of the two names, or a number typed in; None, with a sentence, for anything else."""
    setting = SETTINGS["ur_target"]
    text = st.selectbox(
        label_of("ur_target"), setting.options, key=setting.key, bind="query-params", help=setting.help, accept_new_options=True
    )
    try:
        return TrainConfig.from_url({"tau": text}).ur_target
    except SettingError:
        st.error(f"τ is “{in_markdown(text[:20])}”; choose 1/C or 1/R, or type a number of at least 0.")
        return None


def mend_link() -> None:
    """Where the link a page was opened with has a number that cannot be, put the nearest one that can; say so later.

    Before any widget is made: Streamlit itself drops such a value without a word, and fails at an infinite one.
    """
    if "link_notes" in st.session_state:
        return
    st.session_state.link_notes = []
    ranges = {SETTINGS[n].key: (label_of(n), *_range(n), n in _INTEGER_STEPS) for n in (*_INTEGER_STEPS, *_NUMBER_STEPS)}
    ranges[TEST_KEY] = ("Test share", *TEST_RANGE, False)
    for key in ranges.keys() & st.query_params.keys():
        label, low, high, whole = ranges[key]
        text = st.query_params[key]
        said = in_markdown(text[:20])
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if math.isnan(value):
            del st.query_params[key]
            st.session_state.link_notes.append(f"The link's {label} “{said}” is not a number, so the default is used.")
            continue
        nearest = min(max(round(value) if whole and math.isfinite(value) else value, low), high)
        if nearest != value:
            st.query_params[key] = f"{nearest:.10g}"
            words = f"is outside {low:g} to {high:g}" if not low <= value <= high else "is not a whole number"
            st.session_state.link_notes.append(f"The link's {label} of {said} {words}, so {nearest:.10g} is used.")
    for setting in SETTINGS.values():
        text = st.query_params.get(setting.key) if setting.key and setting.low is None and setting.options else None
        if text is not None and text not in setting.options:
            del st.query_params[setting.key]
            said, choices = in_markdown(text[:20]), ", ".join(setting.options)
            note = f"The link's {setting.label} “{said}” is none of {choices}, so the default is used."
            st.session_state.link_notes.append(note)
    if st.session_state.link_notes:
        st.rerun()

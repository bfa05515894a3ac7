"""Presenter mode of Explore, and its keys.

Above the chart stand, in four lines: what is shown; the sentence of the preset, or what a lecturer changed; the scores with the
buttons; the tabs with the epoch slider. presenter.css lays them out.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from tsk_core.settings import SETTINGS
from ui import presets
from ui.charts import TABS
from ui.explore.comparison import comparison_run, comparison_sentence, switch_comparison
from ui.explore.heading import Pending
from ui.explore.steering import slow_down
from ui.explore.watch_box import watch_box
from ui.page.presenter import Keys, key_list, presenter_line
from ui.platform import session
from ui.platform.session import Key
from ui.runs import current_run
from ui.runs.run_view import RunView
from ui.settings import link
from ui.text import in_markdown

PRESSED_KEYS = Key[dict[str, tuple[Any, float]]]("keyed", make=dict)  # widget -> what a key set it to, and when


# The keys of presenter mode: what each one does, and the list of them that a page shows.


WEIGHTS = (0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)  # λ, one press apart
SLOW = 5  # epochs a second
RECENT = 3.0  # seconds
_LIST = {
    "N · Page Down": "next preset",
    "M · Page Up": "previous preset",
    "W": "why did this happen?",
    "E": "explain the chart",
    f"1 … {len(TABS)}": "tabs",
    "C": "compare with the previous run, or not",
    "T": "train",
    "P": "pause, resume",
    "S": "train one epoch",
    "X": "stop",
    "F": f"{SLOW} epochs a second, full speed",
    "← →": "previous, next epoch",
    "Space": "replay training",
    "L · K": "λ up, down",
    "B": "BN on, off",
    "D · H": "batch size doubled, halved",
    "V": "hide, show the buttons",
    "?": "this list",
}


def keys_at(preset: presets.Preset | None) -> Keys:
    """The keys of the page Explore. preset: the one that the page is at."""
    return Keys(_LIST, {key: partial(_press, action, preset) for key, action in _ACTIONS.items()}, columns=3)


def _press(action: Callable[[presets.Preset | None], None], preset: presets.Preset | None) -> None:
    for name, (value, at) in PRESSED_KEYS.get().items():
        if time.monotonic() - at < RECENT and session.widget(name).is_set():  # the browser may have sent the old one
            session.widget(name).set(value)
    action(presets.last_applied() or preset)  # of several presses, each follows the one before


def _steer(action: str) -> Callable[[object], None]:
    """What the button of the same name does, if it is enabled; ``carry_out`` decides whether a step may start a run."""

    def steer(_: object) -> None:
        active = current_run.active() is not None
        if action == "step" or active != (action == "train"):
            current_run.request(action)

    return steer


def _set(key: str, value: object) -> None:
    if session.widget(key).is_set():
        session.widget(key).set(value)
        PRESSED_KEYS.get()[key] = (value, time.monotonic())


def _next_weight(up: bool) -> None:
    key = SETTINGS["ur_weight"].key
    now = session.widget(key).get() or 0.0
    further = [weight for weight in WEIGHTS if (weight > now if up else weight < now)]
    if further:
        _set(key, further[0 if up else -1])


def _next_batch(up: bool) -> None:
    """The next power of two."""
    setting = SETTINGS["batch_size"]
    now = session.widget(setting.key).get() or 64
    wanted = 2 ** (now.bit_length() if up else (now - 1).bit_length() - 1)
    _set(setting.key, int(min(max(wanted, setting.low), setting.high)))


def _switch_batch_norm() -> None:
    key = SETTINGS["batch_norm"].key
    _set(key, "bn" if session.widget(key).get() == "none" else "none")


def _switch_pace() -> None:
    _set(link.PACE, SLOW if link.chosen_pace() is None else None)
    slow_down()


def _next_preset(preset: presets.Preset | None) -> None:
    PRESSED_KEYS.pop()
    presets.apply(presets.next_preset(preset))


def _previous_preset(preset: presets.Preset | None) -> None:
    PRESSED_KEYS.pop()
    presets.apply(presets.previous_preset(preset))


_ACTIONS: dict[str, Callable[[presets.Preset | None], None]] = {
    "n": _next_preset,
    "PageDown": _next_preset,  # so that the remote control of a lecturer works
    "m": _previous_preset,
    "PageUp": _previous_preset,
    "c": lambda _: switch_comparison(),
    "t": _steer("train"),
    "p": _steer("toggle"),
    "s": _steer("step"),
    "x": _steer("stop"),
    "f": lambda _: _switch_pace(),
    "l": lambda _: _next_weight(up=True),
    "k": lambda _: _next_weight(up=False),
    "b": lambda _: _switch_batch_norm(),
    "d": lambda _: _next_batch(up=True),
    "h": lambda _: _next_batch(up=False),
}


def presenter(run: RunView | None, title: str, changed: Pending, preset: presets.Preset | None) -> None:
    """Draw the first two lines, and let the keys work.

    title: of the run shown, as Markdown. changed: how the controls differ from it. preset: the one that the page is at.
    """
    keys = keys_at(preset)
    name = f"**{in_markdown(_title(preset))}** · " if preset else ""
    presenter_line(name + title, keys, more=watch_box)
    with st.container(horizontal=True, vertical_alignment="center", key="presented"):
        st.markdown(_sentence(run, changed, preset))
        if preset is not None and preset.why:
            presets.why(preset)
    if run is None:
        key_list(keys)


def _title(preset: presets.Preset) -> str:
    return preset.title if preset.label == preset.title else f"{preset.title}, {preset.label}"


def _sentence(run: RunView | None, changed: Pending, preset: presets.Preset | None) -> str:
    """What to look at, as Markdown: what the next run changes, else the sentence of the preset, else the comparison."""
    if changed:
        return f"Next run: **{in_markdown(changed.changes)}**. Press **T** to train."
    if preset is not None:
        return in_markdown(preset.watch)
    if run is None:
        return "Press **N** for the first preset, or **T** to train."
    return in_markdown(comparison_sentence(run, comparison_run(run)))

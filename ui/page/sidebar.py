"""What every page with a training has: dataset and settings in the sidebar."""

from collections.abc import Callable
from typing import Any, Protocol

import streamlit as st

from tsk_core.config import TrainConfig
from ui import data
from ui.data.choose import Chosen
from ui.live import mount
from ui.platform.drawing import fragment, note_page_again, run_page_if_changed
from ui.settings import controls, page_state, starting
from ui.settings.controls import box, remarks
from ui.settings.link import PACE_KEY, apply_lock
from ui.settings.opening import use_measured

More = Callable[[TrainConfig | None, float, Chosen | None], TrainConfig | None]


class Around(Protocol):
    """The page around the settings in sight, which a fragment draws."""

    def place(self) -> None:
        """Lay out what stands below these settings."""

    def token(self, config: TrainConfig | None, test_size: float, chosen: Chosen | None, *, turned: bool) -> str:
        """With what the browser, after a moment of rest, lets these settings be trained (``train``); "" where it does not.

        turned: whether somebody has just changed one of them.
        """

    def train(self, token: Any) -> None:
        """The browser says that the settings have been at rest; a callback."""

    def reserve(self) -> None:
        """In the fragment, with each run of the page: make room for what ``follow`` draws."""

    def follow(self, config: TrainConfig | None, test_size: float) -> bool:
        """In the fragment: draw what else changes with these settings; returns False where that is the whole page."""


def data_and_settings(
    around: Around | None = None, more: More = lambda config, *_: config
) -> tuple[Chosen | None, TrainConfig | None, float]:
    """Draw them; returns the dataset, the settings (None where one is not valid), and the share of test rows.

    around: the rest of a page where a change of a control in sight may draw these controls alone. more: draws what else the box
    of all settings has; it returns the settings as it changes them.
    """
    apply_lock()
    with st.container(key="rail_data", gap="xsmall"):
        chosen = data.choose()
    in_sight = st.container(gap="xsmall")
    if around is not None:
        around.place()
    remarked = st.container()
    with box(controls.ALL_SETTINGS, "All settings"):
        use_measured()
        start = starting.choose()
        boxed = controls.boxed_settings(start)
        with in_sight:
            config = _in_sight(start, boxed) if around is None else _in_sight_alone(start, boxed, around, chosen)
        with remarked:
            for sentence in remarks(config):
                st.caption(f":material/info: {sentence}")
        config = more(config, boxed.test_size, chosen)
    return chosen, config, boxed.test_size


Token = Callable[[TrainConfig | None], str]


def _in_sight(start: str, boxed: controls.Boxed, around: Around | None = None, token: Token = lambda _: "") -> TrainConfig | None:
    """The settings without a box around them; below them what is changed, and how to take it back."""
    with st.container(key="knobs", gap=None):
        config = controls.settings_in_sight(start, boxed)
    page_state.remember()
    calls: dict[str, Callable[[Any], None]] = {"value": controls.turn}
    if around is not None:
        calls["train"] = around.train
    knobs = controls.knobs(boxed.values["n_trainings"])
    mount("knobs", key="turned", calls=calls, knobs=knobs, token=token(config), explanations="")
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="changes"):
        differing = starting.changes(start)
        page_state.undo_button()
        starting.reset_button(start, differing)
    return config


def _in_sight_alone(start: str, boxed: controls.Boxed, around: Around, chosen: Chosen | None) -> TrainConfig | None:
    """The same in a fragment, which draws itself again where one of these settings is all that changes on the page."""
    alone, with_page = False, list[TrainConfig | None]()

    def drawn(turned: bool) -> TrainConfig | None:
        return _in_sight(start, boxed, around, lambda config: around.token(config, boxed.test_size, chosen, turned=turned))

    def draw() -> TrainConfig | None:
        nonlocal alone
        if alone:
            run_page_if_changed(but=controls.IN_SIGHT)
            config = drawn(turned=True)
            if not with_page or remarks(config) != remarks(with_page[0]) or not around.follow(config, boxed.test_size):
                st.rerun()
            page_state.save_settings()
            note_page_again()
            return config
        alone = True
        around.reserve()
        with_page.append(drawn(turned=False))
        return with_page[0]

    return fragment(draw)()


def in_a_lecture(pace: Callable[[], None]) -> None:
    """A box with what a lecturer needs: slow training. pace: draws its control."""
    slow = PACE_KEY.get() is not None or PACE_KEY.name in st.query_params
    with box("lecture", "In a lecture", "slow" if slow else ""):
        pace()

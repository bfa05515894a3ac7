"""The buttons over a run, from Train to Copy full link; and what waits for whoever presses Train."""

import secrets

import streamlit as st

from tsk_core.config import SETTINGS, TrainConfig
from ui import runs
from ui.data.choose import Chosen
from ui.data.table_keeping import keep_table, read_options_of
from ui.engine import the_engine
from ui.guard import errors_said
from ui.link import link_button
from ui.owner import owner
from ui.text import about_seconds, in_markdown

__all__ = ["ask", "steering"]

LOOK_AGAIN = 3.0  # seconds between two looks at a line that is waited in


def steering(config: TrainConfig | None, test_size: float, chosen: Chosen | None) -> None:
    """Draw the buttons and do what was pressed; a run that is refused leaves the page as it was.

    In one container: what stands below keeps its place on the page, whatever is said here, and is not built anew.
    """
    with st.container():
        _steer(config, test_size, chosen)


def _steer(config: TrainConfig | None, test_size: float, chosen: Chosen | None) -> None:
    ready = config is not None and chosen is not None and chosen.dataset is not None
    asked = st.session_state.get("asked")
    with errors_said():
        if asked == "train" and ready:
            runs.start(config, chosen.dataset, test_size, keep_data=keep_table(chosen), read_options=read_options_of(chosen))
        elif asked and (shown := runs.shown()):
            _steer_run(asked, shown)
    st.session_state.asked = None
    shown = runs.current()
    mine = runs.training() is not None
    paused = mine and shown.status.paused
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="steering"):
        st.button("Train", type="primary", disabled=mine or not ready, width=90, on_click=ask, args=("train",))
        st.button("Stop", disabled=not mine, width=72, on_click=ask, args=("stop",))
        label = "Resume" if paused else "Pause"
        st.button(label, key="pause", disabled=not mine, width=88, on_click=ask, args=("pause",))
        st.button("Step", disabled=not mine, width=72, on_click=ask, args=("step",), help="Do one epoch, then wait.")
        with st.container(horizontal=True, gap="xsmall", width="content", key="more_steering"):
            _reset_and_seed(shown)
            link_button(config, test_size, chosen and chosen.dataset)
        if mine:
            _keep_running(shown)
    if ready and not mine:
        _wait_estimate()


def _reset_and_seed(shown: runs.Shown | None) -> None:
    """Back to before training, by the same chance or by another."""
    st.button(
        "Reset", disabled=shown is None, on_click=ask, args=("reset",),
        help="Puts this run and the dashed one away and keeps all settings and the seed, so Train repeats the same numbers. A run"
        " that still trains is stopped, its model kept; the page Runs has them all.",
    )  # fmt: skip
    st.button(
        "New seed", on_click=_new_seed,
        help="Draws another seed for the next run: another split, start and order of batches. It does not train by itself.",
    )  # fmt: skip


def _new_seed() -> None:
    """Short enough to be read out; never the one of now."""
    key = SETTINGS["random_state"].key
    now = st.session_state.get(key)
    st.session_state[key] = next(seed for seed in iter(lambda: secrets.randbelow(10_000), None) if seed != now)
    st.toast(f"The seed is {st.session_state[key]}; press Train to use it.")


def ask(what: str) -> None:
    """Remember a press until it is done: another change that comes in meanwhile makes Streamlit begin the script anew.

    what: "train", "stop", "pause" (or resume), "step" or "reset".
    """
    st.session_state.asked = what


def _steer_run(asked: str, shown: runs.Shown) -> None:
    engine = the_engine()
    if asked == "reset":
        runs.reset()
    elif asked == "stop":
        engine.stop(shown.run)
    elif asked == "pause":
        (engine.resume if shown.status.paused else engine.pause)(shown.run)
    elif asked == "step":
        engine.step(shown.run)


def _keep_running(shown: runs.Shown) -> None:
    """Without it, a run that nobody watches is stopped, its weights kept."""
    kept = st.checkbox(
        "Keep running", shown.kept, key=f"keep:{shown.run}", disabled=shown.kept, width="content",
        help=f"Also when this page is closed. Otherwise a run that nobody watches for {runs.LEASE:.0f} seconds is stopped. Its"
        " model is kept either way.",
    )  # fmt: skip
    if kept and not shown.kept:
        the_engine().keep(shown.run)
        shown.kept = True


def _wait_estimate() -> None:
    """Said only where there is something to wait for, and for no longer than there is."""
    estimate = the_engine().wait_estimate(owner())
    if not estimate.allowed:
        st.info(in_markdown(estimate.message))
    elif estimate.position:
        st.fragment(_wait, run_every=LOOK_AGAIN)()


def _wait() -> None:
    estimate = the_engine().wait_estimate(owner())
    if not estimate.position:
        st.rerun()
    wait = about_seconds(estimate.seconds)
    place = (
        "you are next in the queue" if estimate.position == 1 else f"your run would be number {estimate.position} in the queue"
    )
    st.caption(f"All workers are busy or just starting: {place}{wait}.")

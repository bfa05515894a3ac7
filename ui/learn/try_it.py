"""Break it: settings of a lesson tried for real, on Explore; or one's own table."""

from dataclasses import replace

import streamlit as st

from tsk_core.lessons import Lesson, Trial
from ui.data.decisions import decide, decided, key_of, save_decisions
from ui.data.uploading import UPLOAD
from ui.learn.scenes import training
from ui.page.open_in_explore import EXPLORE, open_in_explore
from ui.platform import session
from ui.runs import current_run
from ui.settings import page_state, starting
from ui.text import in_markdown


def try_buttons(lesson: Lesson) -> None:
    """A button for each trial, and one for a table of one's own."""
    for number, trial in enumerate(lesson.break_.trials):
        if st.button(in_markdown(trial.label), key=f"learn_try_{number}", icon=":material/science:", width="stretch"):
            _open(lesson, trial)
    own = "Opens Explore, where you choose a file and train on it."
    if st.button("Use your own table", key="learn_own", icon=":material/upload_file:", width="stretch", help=own):
        _open_own()


def _open(lesson: Lesson, trial: Trial) -> None:
    """Set Explore to the trial's dataset, columns, settings and tab, and start its training."""
    one = training(lesson, trial.scene)
    config = replace(one.scene.config, **trial.settings)
    data, target = one.scene.data, one.dataset.target
    key = key_of(f"gallery:{data}", target)
    decide("given", key, dict(one.dataset.choices.roles))
    decide("version", key, decided("version", key, 0) + 1)
    save_decisions()
    session.VIEW.set(trial.tab)
    open_in_explore(config, one.scene.test_size, data={session.DATA.name: data, session.TARGET.name: target})


def _open_own() -> None:
    """Show Explore with the way to a file."""
    current_run.close()
    page_state.set_values({session.DATA.name: UPLOAD})
    starting.hold()
    st.switch_page(EXPLORE, query_params={})

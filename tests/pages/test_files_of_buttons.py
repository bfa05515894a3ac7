"""The files of download buttons are made in a thread without the session: each takes along what it needs."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import streamlit as st

from tests.pages.helpers import button, open_page, open_run, run_until
from tests.pages.lessons import write_lessons
from tests.tables import pets
from tests.waiting import wait_until
from tsk_core.lessons import library
from ui.learn import scenes
from ui.learn.membership import classroom
from ui.platform.caches import known_lessons

SMALL = {"data": "iris", "epochs": "2", "rules": "2", "seeds": "2"}


@pytest.fixture
def offered(monkeypatch):
    """What the buttons that were drawn make, by their labels."""
    offered, draw = {}, st.download_button

    def note(label, data, *args, **named):
        offered[label.replace("\\", "")] = data
        return draw(label, data, *args, **named)

    monkeypatch.setattr(st, "download_button", note)
    return offered


def made(offered):
    """Each file, made as the server makes it: in a thread that no session has."""
    with ThreadPoolExecutor(1) as thread:
        return {label: thread.submit(make).result() if callable(make) else make for label, make in offered.items()}


@pytest.fixture
def lessons(tmp_path, monkeypatch):
    monkeypatch.setattr(library, "BUILT_IN", tmp_path / "none")
    monkeypatch.setenv("TSK_LESSONS_DIR", str(write_lessons(tmp_path / "lessons")))


def test_a_completion_has_the_answer_that_was_locked(offered, lessons):
    bars = known_lessons()[0]["bars"]
    trainings = [scenes.training(bars, scene) for scene in bars.scenes]
    wait_until(lambda: all(one.look().ended for one in trainings))
    app = open_page(page="learn", lesson="bars", step="4")
    classroom().lock("", app.session_state["class_person"], "bars", "predict", [0.2] * 5)
    app.query_params["step"] = "7"
    assert not app.run().exception
    files = made(offered)
    assert '"predict"' in files["Download my completion"] and '"lesson": "bars"' in files["Download my completion"]


def test_every_file_of_a_run_and_of_its_predictions_is_made(offered):
    app = open_run("pets", "Export")
    app.selectbox(key="rule_format_export").set_value("csv").run()
    app = open_run("wine", "Rules")
    files = made(offered)
    assert {"Download report (HTML)", "Download rules", "Download model", "Download everything"} <= files.keys()
    assert all(files.values()) and not app.exception
    app = open_run("pets", "Predict")
    app.file_uploader(key="predict_file").set_value(("new.csv", pets(rows=12), "text/csv")).run()
    assert made(offered)["Download predictions"].count(b"\n") == 13


@pytest.mark.parametrize(
    ("page", "press", "link"), [("compare", "Compare", {"variants": "none,ur"}), ("sweep", "Sweep", {"axis1": "batch=16,32"})]
)
def test_every_file_of_an_experiment_is_made(offered, page, press, link):
    app = open_page(page=page, **SMALL | link)
    button(app, press).click().run()
    run_until(app, lambda: not button(app, press).disabled and app.get("download_button"))
    files = made(offered)
    assert len(files) >= 2 and all(files.values())


def test_every_handout_and_file_of_the_study_is_made(offered, lessons):
    open_page(page="learn")
    open_page(page="paper")
    files = made(offered)
    assert any(b"<html" in text[:300] for text in files.values() if isinstance(text, bytes))

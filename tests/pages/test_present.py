"""Presenter mode without a browser: what its keys do, and what the hall reads."""

import pytest
import streamlit as st

from tests.pages.helpers import open_page, pace, paragraphs, values, wait_for_end
from ui.charts import TABS
from ui.explore import presenter

pytestmark = pytest.mark.usefixtures("typed")


@pytest.fixture
def typed(monkeypatch):
    """A text field in place of the keyboard."""

    def on_keys(names, pressed):
        assert names == list(presenter.keys_at(None).actions)
        st.text_input("Keys", key="typed", on_change=lambda: [pressed(name) for name in st.session_state.typed.split()])

    monkeypatch.setattr("ui.page.presenter.on_keys", on_keys)


def press(app, *names):
    app.text_input(key="typed").set_value(" ".join(names)).run()
    app.text_input(key="typed").set_value("").run()
    assert not app.exception
    return app


def test_keys_change_the_settings_of_the_next_run():
    app = open_page(present="1", data="iris", epochs="5", rules="3")
    app = wait_for_end(press(app, "t"))
    press(app, "l", "l", "l", "b", "d", "d")
    assert {key: values(app)[key] for key in ("ur", "bn", "batch")} == {"ur": 10, "bn": "none", "batch": 256}
    assert "Next run: **λ 1 → 10, BN bn → none, B 64 → 256**. Press **T** to train." in paragraphs(app)
    press(app, "k", "k", "k", "k", "k", "b", "h", "f")
    assert {key: values(app)[key] for key in ("ur", "bn", "batch")} == {"ur": 0, "bn": "bn", "batch": 128}
    assert pace(app) == 5
    assert pace(press(app, "f")) is None


@pytest.mark.parametrize(("now", "key", "then"), [(2, "h", 2), (630, "h", 512), (630, "d", 1024), (8192, "d", 8192)])
def test_batch_sizes_go_by_powers_of_two_within_their_range(now, key, then):
    assert values(press(open_page(present="1", batch=str(now)), key))["batch"] == then


def test_the_hall_reads_each_score_before_and_now():
    app = wait_for_end(press(open_page(present="1", data="iris", epochs="5", rules="3"), "t"))
    first = score(app)
    assert " → " not in first
    wait_for_end(press(app, "l", "t"))
    before, now = score(app).split(" → ")
    assert before == first and float(now) <= 1
    assert "Compared with the previous run (dashed or outlined): λ 1 → 2." in paragraphs(app)
    press(app, "c")
    assert score(app) == now
    press(app, "c")
    assert score(app) == f"{before} → {now}"


def score(app):
    """The test RCA as it stands on the page."""
    (found,) = (m.value for m in app.metric if m.label.startswith("Accuracy"))
    return found


def test_each_key_is_in_the_list():
    app = open_page(present="1")
    lines = "\n".join(paragraphs(app)).split("\n")
    listed = {key for line in lines if line.startswith("**") for key in line.split("**")[1].split(" · ")}
    assert {
        {"PageDown": "Page Down", "PageUp": "Page Up"}.get(key, key.upper()) for key in presenter.keys_at(None).actions
    } <= listed
    assert {f"1 … {len(TABS)}", "W", "V", "?", "← →", "Space"} <= listed

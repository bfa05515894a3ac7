"""Presenter mode of Learn: its keys, the reveal without a prediction, the teacher's notes."""

from tests.pages.helpers import as_text, open_page, said
from tests.pages.test_learn import folder, lessons, locked  # noqa: F401
from ui.learn.navigation import _LIST, Place, _actions, next_place, previous_place
from ui.platform.caches import known_lessons

NAMES = ["bars", "choice", "region"]


def at(name, step):
    return Place(known_lessons()[0][name], step)


def test_the_keys_lead_through_all_lessons_and_back_to_the_list():
    assert next_place(Place(None), NAMES) == ("bars", 1)
    assert next_place(at("bars", 3), NAMES) == ("bars", 4)
    assert next_place(at("bars", 7), NAMES) == ("choice", 1)
    assert next_place(at("region", 7), NAMES) == ("", 1)
    assert previous_place(at("choice", 2)) == ("choice", 1)
    assert previous_place(at("choice", 1)) == ("", 1)


def test_each_key_that_acts_is_listed():
    named = {"ArrowRight": "→", "ArrowLeft": "←", "PageDown": "Page Down", "PageUp": "Page Up"}
    listed = {key for keys in _LIST for key in keys.split(" · ")}
    assert {named.get(key, key.upper()) for key in _actions(at("bars", 1), NAMES)} <= listed


def test_the_first_line_names_the_lesson_the_notes_stand_in_a_box_and_the_outcome_needs_no_prediction():
    app = open_page(page="learn", lesson="bars", step="2", present="1")
    assert "How even are the bars? · step 2 of 7" in said(app).replace("**", "")
    assert "Ask <b>why</b>." in as_text(" ".join(one.value for one in app.markdown))
    assert not [one for one in app.markdown if one.allow_html and "<b>" in one.value]
    app.session_state["learn_revealed"] = {"bars"}
    app.query_params["step"] = "4"
    app.run()
    assert "Step 4 of 7" in said(app)
    assert "your prediction" not in said(app)

"""A class on the page Learn: its code, what came in, the reveal, and the ways in and out."""

import json

import pytest

from tests.load.teaching import LESSON
from tests.pages.helpers import as_text, button, labels, last_parts, open_page, outdated, said, standing
from tests.pages.lessons import CHOICE, REGION
from tsk_core.classroom import Classroom
from tsk_core.lessons import read_lesson
from ui.learn import class_panel, membership
from ui.platform.addresses import qr_code
from ui.platform.engine import get_engine

pytestmark = pytest.mark.usefixtures("lesson")
PREDICTION = [0.5, 0.3, 0.2]
WAITING = "Your teacher shows what happens as soon as all predictions are in."


@pytest.fixture
def lesson(tmp_path, monkeypatch):
    (tmp_path / "quick.yaml").write_text(LESSON)
    monkeypatch.setenv("TSK_LESSONS_DIR", str(tmp_path))


def start():
    """A teacher with a class; returns the page and the code."""
    app = button(open_page(page="learn"), "Start a class").click().run()
    assert not app.exception and not app.error
    return app, query(app, "class")


def query(app, key):
    value = app.query_params.get(key, "")
    return value[0] if isinstance(value, list) else value


def classroom():
    return Classroom(get_engine().store.folder)


def predict(app, value=PREDICTION):
    """Lock a prediction as the browser's view does it."""
    classroom().lock(query(app, "class"), app.session_state["class_person"], "quick", "predict", value)
    return app.run()


def go(app, step, lesson="quick"):
    app.query_params.update({"lesson": lesson, "step": str(step)})
    return app.run()


def told(teacher):
    """What the browser of a teacher says of the class."""
    return standing(teacher, "class_watch")


def fresh():
    """As some tenths of a second later: what was seen of classes is looked at again."""
    for code in list(membership._looks):
        membership.look_again(code)


def test_a_teacher_starts_a_class_learners_join_by_code_or_link_and_the_teacher_finds_it_again():
    teacher, code = start()
    typed = open_page(page="learn")
    typed.text_input(key="class_field").set_value("22222").run()
    assert typed.warning
    typed.text_input(key="class_field").set_value(f" {code.lower()} ").run()
    assert not typed.warning
    linked = open_page(page="learn", **{"class": code})
    for learner in (typed, linked):
        assert f"Class {code}" in said(learner)
        assert "Reveal" not in labels(learner) and "End this class" not in labels(learner)
        assert query(learner, "class") == code
    fresh()
    assert told(teacher)["text"] == "2 here"
    for name in ("class_code", "class_link"):
        del teacher.session_state[name]
    teacher.query_params.clear()
    button(teacher.run(), f"Continue class {code}").click().run()
    assert f"# {code}" in [one.value for one in teacher.markdown]


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("class", "22222", "class"),
        ("class", "<img src=x>", "class"),
        ("resume", "0" * 64, "or from another server; copy it again"),
    ],
)
def test_a_link_with_a_code_of_no_class_or_a_forged_person_gives_one_sentence_and_the_page(key, value, sentence):
    app = open_page(page="learn", **{key: value})
    assert not app.exception and not app.error
    (warning,) = app.warning
    assert sentence in warning.value.lower() and "<img" not in warning.value
    assert "Join" in labels(app) and query(app, key) == ""


def test_a_resume_link_continues_with_the_answers_in_another_browser_and_after_a_reload():
    app = go(open_page(page="learn"), 3)
    classroom().lock("", app.session_state["class_person"], "quick", "predict", PREDICTION)
    token = classroom().secret.token(app.session_state["class_person"])
    other = open_page(page="learn", resume=token)
    assert query(other, "resume") == ""
    assert "Lock a prediction first" not in said(go(other, 4))
    assert "Lock a prediction first" in said(go(open_page(page="learn"), 4))
    for name in ("class_person", "class_link"):  # as after a reload: the cookie remains
        del other.session_state[name]
    assert "Lock a prediction first" not in said(other.run())


def test_a_resume_link_asks_before_it_replaces_somebody_who_has_answers():
    student, teacher = open_page(page="learn"), go(open_page(page="learn"), 3)
    who = teacher.session_state["class_person"]
    classroom().lock("", who, "quick", "predict", PREDICTION)
    token = classroom().secret.token(student.session_state["class_person"])
    teacher.query_params["resume"] = token
    teacher.run()
    assert teacher.session_state["class_person"] == who and "continues as another learner" in teacher.warning[0].value
    button(teacher, "Stay who I am").click().run()
    assert teacher.session_state["class_person"] == who and not teacher.warning
    teacher.query_params["resume"] = token
    teacher.run()
    button(teacher, "Continue as the other learner").click().run()
    assert teacher.session_state["class_person"] == student.session_state["class_person"] and not teacher.warning


def test_a_class_belongs_to_the_browser_that_started_it_also_after_a_students_resume_link():
    student, teacher = open_page(page="learn"), open_page(page="learn")
    own = teacher.session_state["class_person"]
    teacher.query_params["resume"] = classroom().secret.token(student.session_state["class_person"])
    teacher.run()
    assert teacher.session_state["class_person"] == student.session_state["class_person"]  # it had nothing to lose
    button(teacher, "Start a class").click().run()
    assert teacher.session_state["class_person"] == own and classroom().classes_of(own) == [query(teacher, "class")]
    assert classroom().classes_of(student.session_state["class_person"]) == [] and classroom().continued(own) == own


def test_the_end_of_a_class_is_asked_for_and_leaves_learners_their_answers_and_one_sentence():
    teacher, code = start()
    learner = predict(open_page(page="learn", **{"class": code}))
    button(teacher, "End this class").click().run()
    assert classroom().state(code) is not None
    button(teacher, "Keep the class").click().run()
    button(teacher, "End this class").click().run()
    button(teacher, "Delete the code and all answers").click().run()
    fresh()
    assert classroom().state(code) is None and query(teacher.run(), "class") == ""
    assert "Start a class" in labels(teacher)
    assert f"The class {code} has ended" in said(learner.run())
    assert "Lock a prediction first" not in said(go(learner, 4))


def test_the_outcome_waits_for_the_teachers_reveal_and_is_hidden_again():
    teacher, code = start()
    learner = predict(open_page(page="learn", **{"class": code}))
    assert WAITING in said(go(learner, 4))
    assert "Run it again" not in labels(learner) and "off by" not in said(learner)
    button(go(teacher, 4), "Reveal").click().run()
    assert "Run it again" in labels(learner.run()) and WAITING not in said(learner)
    button(teacher, "Hide").click().run()
    assert WAITING in said(learner.run())
    learner.session_state["class_person"] = "0" * 32  # whatever it pretends to be but for the teacher, whose id it cannot know
    assert "Reveal" not in labels(learner.run()) and classroom().state(code).revealed == frozenset()


def test_a_learner_goes_where_the_teacher_moves_everybody_and_may_then_go_on_alone():
    teacher, code = start()
    early, late = open_page(page="learn", **{"class": code}), None
    button(go(teacher, 2), "Move everybody to step 2").click().run()
    late = open_page(page="learn", **{"class": code})
    for learner in (early.run(), late):
        assert (query(learner, "lesson"), query(learner, "step")) == ("quick", "2")
        assert query(go(learner, 1), "step") == "1"


def of_class(app):
    """The classes for which a browser would have the page drawn again; a scene may begin to train at any moment."""
    return [of for of in outdated(app) if of.startswith("class ")]


def test_a_page_is_drawn_again_for_a_move_a_reveal_and_the_end_and_of_the_teacher_for_what_comes_in_after_a_reveal():
    teacher, code = start()
    learner = open_page(page="learn", **{"class": code})
    assert not of_class(learner)
    button(go(teacher, 2), "Move everybody to step 2").click().run()
    assert of_class(learner) == [f"class {code}"] and not of_class(learner.run())
    predict(learner)
    fresh()
    assert not of_class(teacher) and not of_class(learner)
    button(go(teacher, 4), "Reveal").click().run()
    assert of_class(learner) == [f"class {code}"] and not of_class(learner.run()) and not of_class(teacher)
    predict(open_page(page="learn", **{"class": code}))
    fresh()
    assert of_class(teacher) == [f"class {code}"] and not of_class(teacher.run()) and not of_class(learner)
    button(teacher, "End this class").click().run()
    button(teacher, "Delete the code and all answers").click().run()
    assert of_class(learner) == [f"class {code}"] and f"The class {code} has ended" in said(learner.run())


def test_a_page_that_was_drawn_while_the_teacher_moved_on_is_drawn_again(monkeypatch):
    teacher, code = start()
    draw = class_panel.follow_class

    def late(lesson):
        classroom().move(code, "quick", 2, teacher.session_state["class_person"])  # once the panel was drawn
        fresh()
        draw(lesson)

    with monkeypatch.context() as patch:
        patch.setattr(class_panel, "follow_class", late)
        learner = open_page(page="learn", **{"class": code})
    assert query(learner, "step") != "2" and of_class(learner) == [f"class {code}"]
    assert query(learner.run(), "step") == "2"


def test_a_move_holds_where_a_late_message_brings_the_old_address_back(monkeypatch):
    teacher, code = start()
    learner = open_page(page="learn", **{"class": code})
    button(go(teacher, 2), "Move everybody to step 2").click().run()
    assert query(learner.run(), "step") == "2"
    for key in ("lesson", "step"):
        del learner.query_params[key]
    assert (query(learner.run(), "lesson"), query(learner, "step")) == ("quick", "2")
    monkeypatch.setattr("ui.learn.navigation.by_history", lambda: True)
    for key in ("lesson", "step"):  # the browser's own Back
        del learner.query_params[key]
    assert "lesson" not in learner.run().query_params


def test_the_teacher_reads_predictions_without_names_and_in_a_class_nobody_predicts_again():
    teacher, code = start()
    learners = [predict(open_page(page="learn", **{"class": code}), [k / 4, 0.2, 0.2]) for k in range(3)]
    fresh()
    text = json.dumps(told(go(teacher, 3)), ensure_ascii=False)
    assert "3 predictions are in" in text and "first · 0.25 (0.05 to 0.45)" in text
    assert not any(learner.session_state["class_person"] in text for learner in learners)
    assert {part["kind"] for part in last_parts(learners[0], "class_watch")} == {"state"}  # who learns is told none of it
    assert "0.25" not in said(go(learners[0], 3))
    assert "Predict again" not in labels(go(predict(open_page(page="learn", **{"class": code})), 3))
    alone = go(open_page(page="learn"), 3)
    classroom().lock("", alone.session_state["class_person"], "quick", "predict", PREDICTION)
    button(alone.run(), "Predict again").click().run()
    assert "Lock a prediction first" in said(go(alone, 4))


def test_what_a_class_chose_is_counted_by_option_and_regions_by_the_share_that_they_cover():
    choice, region = read_lesson(CHOICE), read_lesson(REGION)
    lines = class_panel.class_lines(choice, [[0.0], [1.0], [1.0], [1.0]])
    assert [(line["text"], line["share"]) for line in lines] == [("2 rules · 1", 0.25), ("4 rules · 3", 0.75)]
    (line,) = class_panel.class_lines(region, [[1.0] * 18 + [0.0] * 18])
    assert line["text"].startswith("1 region covers 50% of the plane.") and line["share"] is None
    (line,) = class_panel.class_lines(region, [[1.0] * 36, [0.0] * 36])
    assert line["text"].startswith("2 regions cover 50% of the plane on average.")
    assert [line["text"] for line in class_panel.class_lines(choice, [])] == ["No prediction is in yet."]


def test_too_many_classes_of_one_address_are_refused_in_a_sentence(monkeypatch):
    monkeypatch.setattr("ui.learn.class_panel.address", lambda: "one address")  # a page without a browser has no address
    monkeypatch.setenv("TSK_MAX_CLASSES_PER_ADDRESS", "1")
    start()
    app = button(open_page(page="learn"), "Start a class").click().run()
    assert any("Your network has 1" in as_text(one.value) for one in app.warning)


def test_a_qr_code_is_a_drawing_alone():
    svg = qr_code("https://fuzzy.example.edu/learn?class=AB3CD&x=<script>")
    assert svg.startswith("<svg") and "script" not in svg and "href" not in svg

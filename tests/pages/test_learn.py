"""The page Learn: its list, its screens, the link, the lock before the outcome, answers, the way to Explore."""

import pytest

from tests.pages.helpers import as_text, button, last_parts, open_page, said
from tests.pages.lessons import BROKEN, GOOD, write_lessons
from tests.waiting import wait_until
from tsk_core.lessons import library
from ui.learn import membership, scenes
from ui.learn.prediction import lock
from ui.platform.caches import known_lessons


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_lessons(tmp_path_factory.mktemp("lessons") / "good")


@pytest.fixture(autouse=True)
def lessons(folder, tmp_path, monkeypatch):
    """Only the small ones, whose scenes train in a moment."""
    monkeypatch.setattr(library, "BUILT_IN", tmp_path / "none")
    monkeypatch.setenv("TSK_LESSONS_DIR", str(folder))


@pytest.fixture(autouse=True)
def locked(monkeypatch):
    """What was answered, by lesson and item: of all sessions of a test."""
    kept = {}
    monkeypatch.setattr(membership, "answer_of", lambda lesson, item: kept.get((lesson, item)))
    monkeypatch.setattr(membership, "lock_answer", lambda lesson, item, value: kept.setdefault((lesson, item), value))
    monkeypatch.setattr(membership, "forget_answers", lambda lesson: kept.pop((lesson, "predict"), None))
    monkeypatch.setattr(membership, "answers_of_class", lambda lesson, item: [])
    return kept


def lesson(name):
    return known_lessons()[0][name]


def trained(name):
    """Wait until every scene of a lesson is trained."""
    trainings = [scenes.training(lesson(name), scene) for scene in lesson(name).scenes]
    wait_until(lambda: all(one.look().ended for one in trainings))
    return trainings


def value(app, kind):
    (part,) = (part["payload"] for part in last_parts(app) if part["kind"] == kind)
    return part


def test_the_list_leads_into_a_lesson_next_and_back_move_the_link_and_back_from_the_first_step_leads_to_the_list():
    app = open_page(page="learn")
    assert "What UR does to the firing levels of 5 rules." in said(app)
    assert "8 min · not begun" in said(app)
    button(app, "Start: How even are the bars?".replace(":", "\\:")).click().run()
    assert app.query_params["lesson"] == "bars"
    assert "Step 1 of 7" in said(app)
    button(app, "Next").click().run()
    assert (app.query_params["step"], "Move λ." in said(app)) == ("2", True)
    button(app, "Back").click().run()
    button(app, "Back").click().run()
    assert "lesson" not in app.query_params
    assert "step 2 of 7" in said(app)


def test_a_lesson_with_a_mistake_is_one_sentence_and_the_others_work(tmp_path, monkeypatch):
    monkeypatch.setenv("TSK_LESSONS_DIR", str(write_lessons(tmp_path / "some", bars=GOOD["bars"], broken=BROKEN)))
    app = open_page(page="learn")
    (warning,) = app.warning
    assert "broken.yaml, line 2" in as_text(warning.value)
    assert "'predict.kind'" in as_text(warning.value)
    assert any("How even are the bars?" in one.label.replace("\\", "") for one in app.button)


def test_a_link_to_an_unknown_lesson_or_step_shows_the_list_or_the_first_one_and_one_sentence():
    app = open_page(page="learn", lesson="<b>x</b>", step="2")
    assert "There is no lesson '<b>x</b>' here; choose one below." in as_text(app.warning[0].value)
    assert "What UR does" in said(app)
    for step in ("0", "8", "two³", "9" * 50):
        app = open_page(page="learn", lesson="bars", step=step)
        assert "A lesson has the steps 1 to 7" in app.info[0].value and "Step 1 of 7" in said(app)


@pytest.mark.parametrize("name", GOOD)
def test_every_screen_draws(name, locked):
    locked[name, "predict"] = [1.0] if name == "choice" else [0.2] * lesson(name).predict.size
    app = open_page(page="learn", lesson=name)
    for step in range(1, 8):
        assert not app.error
        assert f"Step {step} of 7" in said(app)
        assert {"prediction", "freeze", "replay"} <= {part["kind"] for part in last_parts(app)}
        app.button(key="learn_next").click().run()


def test_the_outcome_stays_hidden_before_a_prediction_is_locked(locked):
    app = open_page(page="learn", lesson="bars", step="5")
    assert "Lock a prediction first" in app.info[0].value
    assert "Step 3 of 7" in said(app)
    assert "Lock your prediction first." in said(app)
    assert button(app, "Run it").disabled
    locked["bars", "predict"] = [0.2] * 5
    assert not button(app.run(), "Run it").disabled


def test_a_prediction_that_is_none_is_not_locked(locked):
    bars = lesson("bars")
    for value in (None, [0.2] * 4, ["1"] * 5, [float("nan")] * 5, 5):
        lock(bars, {"value": value})
    for sent in (None, {}):
        lock(bars, sent)
    assert not locked
    lock(bars, {"value": [0.2, -3, 7, 0, 1]})
    assert locked["bars", "predict"] == [0.2, 0.0, 1.0, 0.0, 1.0]
    lock(lesson("choice"), {"value": [9]})
    assert locked["choice", "predict"] == [1.0]


def test_the_run_says_in_numbers_how_far_the_prediction_was_and_sends_its_outline(locked):
    (run,) = (one.run for one in trained("bars") if one.scene.name == "with")
    truth = sorted(run.last.firing, reverse=True)
    locked["bars", "predict"] = [float(level) for level in truth[:4]] + [float(truth[4]) + 0.5]
    app = open_page(page="learn", lesson="bars", step="4")
    assert "your prediction is off by 0.10 on average." in said(app)
    assert f"at bar 5 from the left you drew {truth[4] + 0.5:.2f}, and it is {truth[4]:.2f}" in said(app)
    outline = value(app, "prediction")
    assert (outline["kind"], outline["measure"], outline["labels"][0]) == ("bars", "firing", "1st")
    assert outline["values"] == locked["bars", "predict"]
    assert outline["class"] is None


def test_a_choice_is_told_whether_it_is_right_and_why_and_a_region_its_shared_area(locked):
    locked["choice", "predict"] = [0.0]
    app = open_page(page="learn", lesson="choice", step="4")
    assert "You chose “2 rules”. What happens: “4 rules”. Two rules draw one line." in said(app)
    assert value(app, "prediction") is None
    trained("region")
    locked["region", "predict"] = [1.0] * 36
    assert "of the area that either of them covers." in said(open_page(page="learn", lesson="region", step="4"))


def test_each_visit_of_the_run_and_each_press_replays_it(locked):
    locked["bars", "predict"] = [0.2] * 5
    app = open_page(page="learn", lesson="bars", step="4")
    first = value(app, "replay")
    button(app, "Run it again").click().run()
    assert value(app, "replay") == first + 1
    button(app, "Next").click().run()
    assert value(app, "replay") == 0  # what comes after it shows the end
    button(app, "Back").click().run()
    assert value(app, "replay") == first + 2


def test_an_answer_is_final_and_says_why(locked):
    locked["bars", "predict"] = [0.2] * 5
    app = open_page(page="learn", lesson="bars", step="5")
    assert button(app, "Answer").disabled
    app.radio[0].set_value(0).run()
    app.radio[0].set_value(1)  # and at once, before the page has answered
    button(app, "Answer").click().run()
    assert locked["bars", "see"] == [1.0]
    assert not app.radio
    assert "That is λ = 0." in said(app)
    assert "UR pulls them there." in said(app)


def test_the_formula_has_the_numbers_of_the_run_or_their_names(locked):
    locked["bars", "predict"] = [0.2] * 5
    (run,) = (one.run for one in trained("bars") if one.scene.name == "with")
    app = open_page(page="learn", lesson="bars", step="6")
    largest = max(run.last.firing)
    assert f"The largest one is {largest:.2f}." in said(app)
    assert f"= {largest:.3f}" in app.latex[0].value
    app.button_group[0].set_value("With names").run()
    assert r"= \text{largest}" in app.latex[0].value


def test_free_play_switches_between_scenes_and_an_epoch_as_a_control_stands_still_there():
    trained("bars")
    app = open_page(page="learn", lesson="bars", step="2")
    ids = {one.scene.config.ur_weight: one.run.id for one in trained("bars")}
    for weight in (10, 0, 1):
        app.button_group[0].set_value(weight).run()
        assert value(app, "runs")["shown"] == ids[weight]
    app = open_page(page="learn", lesson="choice", step="2")
    assert value(app, "freeze") == 0
    app.button_group[0].set_value(8).run()
    assert value(app, "freeze") == 8


def test_a_trial_opens_explore_with_its_settings_and_trains(locked):
    locked["bars", "predict"] = [0.2] * 5
    app = open_page(page="learn", lesson="bars", step="7")
    button(app, "λ \\= 1000").click().run()
    assert (app.session_state["data"], app.session_state["ur"], app.session_state["rules"]) == ("iris", 1000.0, 5)
    assert "run" in app.query_params
    assert not app.exception

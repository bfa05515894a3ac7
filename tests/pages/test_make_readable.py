"""Make it readable: a press trains a readable run, which is measured as any run and stands beside the run it was made of."""

import re
import sys

import pytest

from tests.pages.helpers import button, captions, look_at, open_page, progress, run_of, run_until, train, upload, wait_for_end
from tests.tables import pets
from ui.explore import rules_tab
from ui.platform.engine import get_engine
from ui.settings.controls import widget_values

MAKE, STABLE, VALIDATE = "Make it readable", "How stable are these rules?", "5 × 2 cross-validation"


@pytest.fixture(scope="module")
def pressed(engine):
    """The page of a run of iris after a press on the button, at the end of the readable run; and the id of the first run.

    One for all tests, in their order: the last one removes the first run.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "__main__", sys.modules["__main__"])  # AppTest puts its script there
        patch.setattr(rules_tab, "BUDGET", 2.0)
        app = train(open_page(rules="4", epochs="8", seed="1", cw="balanced"))
        full = run_of(app)
        look_at(app, "Rules")
        button(app, MAKE).click().run()
        searching = captions(app)
        look_at(wait_for_end(app), "Rules")
        return app, full, searching


def test_a_press_trains_a_readable_run_that_keeps_seed_and_class_weights_and_shows_no_settings_before_they_are_found(pressed):
    app, full, searching = pressed
    tuned = "The settings of this run are still being tuned."
    assert tuned in searching and not any("in the sidebar differ" in text for text in searching)
    assert tuned not in captions(app)
    assert any(text.startswith("Compared with the previous run") for text in captions(app))
    store = get_engine().store
    assert run_of(app) != full and store.open(run_of(app)).about()["beside"] == full
    config = store.open(run_of(app)).config()
    assert (config.consequents, config.random_state, config.class_weight) == ("constant", 1, "balanced")
    assert store.record(run_of(app)).settings["n_rules"] == config.n_rules
    shown = widget_values(config, 0.3)
    assert {name: app.session_state[name] for name in shown} == shown  # so Train would train it again
    assert not app.exception and not app.error and MAKE not in [one.label for one in app.button]


def test_it_stands_beside_the_run_it_was_made_of(pressed):
    app, full, _ = pressed
    (shown,) = [frame.value for frame in app.dataframe if list(frame.value[frame.value.columns[0]])[:1] == ["Before"]]
    before, now, strongest, sentences = shown.to_dict("records")
    metrics = {which: get_engine().store.open(run).metrics() for which, run in (("before", full), ("now", run_of(app)))}
    wanted = ("4", "16", f"{metrics['before']['bca']:.3f}")
    assert (before["Rules"], before["Conditions in the model"], before["Test BCA"]) == wanted
    assert now["Test BCA"] == f"{metrics['now']['bca']:.3f}" and int(now["Conditions in the model"]) <= 3 * int(now["Rules"])
    (against,) = (text for text in captions(app) if text.startswith("Compared with the previous run"))
    assert against.count(" → ") == 6 and re.search(r", \d+ more\.$", against)
    assert strongest["Rules"] == sentences["Conditions in the model"] == ""
    assert strongest[""] == "Readable, the strongest rule decides" and sentences[""] == "Readable, the sentences alone"
    assert min(float(strongest["Test BCA"]), float(sentences["Test BCA"])) > 0.8
    assert any(2 <= code.value.count("\n\nRule ") <= int(now["Rules"]) for code in app.code)


def test_its_side_tasks_have_its_settings_and_a_run_that_is_gone_leaves_nothing_to_stand_beside(pressed):
    app, full, _ = pressed
    button(app, VALIDATE).click().run()
    look_at(app, "Rules")
    button(app, STABLE).click().run()
    engine = get_engine()
    for task in ("cross-validation", "rule-stability"):
        record = engine.store.ledger.records(task=task)[0]
        assert record.settings == engine.store.open(run_of(app)).config().to_dict()
        engine.stop(record.id)
    get_engine().store.housekeeping.remove(full, app.session_state["owner"])
    app.run()
    assert not app.exception and not any("Before" in frame.value.iloc[:, 0].tolist() for frame in app.dataframe)


def test_while_it_searches_the_page_says_so_and_a_stop_leaves_no_model(monkeypatch):
    monkeypatch.setattr(rules_tab, "BUDGET", 600.0)
    app = train(open_page(data="breast_cancer", rules="2", epochs="2", seed="1"))
    look_at(app, "Rules")
    button(app, MAKE).click().run()
    run_until(app, lambda: progress(app) == "Looking for readable settings…")
    button(app, "Stop").click().run()
    wait_for_end(app)
    assert "Stopped" in app.error[0].value and not app.exception


def test_without_the_data_no_side_task_can_be_pressed_and_each_says_why():
    app = train(upload(open_page(data="upload", rules="2", epochs="5"), "pets.csv", pets()))
    look_at(app, "Rules")
    visitor = open_page(run=run_of(app))
    look_at(visitor, "Rules")
    for label in (MAKE, STABLE, VALIDATE):
        assert not button(app, label).disabled
        assert button(visitor, label).disabled and "not available here" in button(visitor, label).help

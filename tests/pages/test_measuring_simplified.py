"""Stability and cross-validation of a simplified run measure how it came about, and are not mistaken for those of its source."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.helpers import ADDRESS, ROOT, as_text, button, look_at, open_page, run_until
from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset
from tsk_core.simplify import Options
from tsk_core.tasks import LiveTraining, Refit
from ui.platform.engine import get_engine

STABLE, VALIDATE = "How stable are these rules?", "5 × 2 cross-validation"


@pytest.fixture
def simplified(engine):
    """Makes a training of iris and a simplification of it; returns the ids of both runs."""

    def make(**options):
        iris, config = load_dataset("iris"), TrainConfig(n_rules=4, max_epochs=8, random_state=1)
        full = get_engine().submit_task(LiveTraining(config, iris))
        source = get_engine().result(full, timeout=60)
        task = Refit(source.config, iris, source=source.classifier, source_run=full, options=Options(**options))
        small = get_engine().submit_task(task)
        get_engine().result(small, timeout=60)
        return full, small

    return make


def visit(run, owner):
    """A run as its owner opens it anew."""
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    app.context["url"] = ADDRESS
    app.session_state["owner"], app.query_params["run"] = owner, run
    return app.run()


def records(task):
    """The ids of all runs of this kind that the engine has."""
    return {record.id: record for record in get_engine().store.records(task=task)}


def captions(app):
    return [as_text(caption.value) for caption in app.caption]


def test_a_press_measures_the_trainings_and_simplifications_of_the_run(simplified):
    full, small = simplified(max_rules=2, max_conditions=1, score_terms=2)
    earlier = {**records("cross-validation"), **records("rule-stability")}
    app = open_page(run=small)
    button(app, VALIDATE).click().run()
    run_until(app, lambda: any(text.startswith(VALIDATE) for text in captions(app)))
    assert any("simplifies it to this run's size" in text for text in captions(app))
    (record,) = [record for run, record in records("cross-validation").items() if run not in earlier]
    assert record.settings["n_rules"] == 4 and get_engine().store.open(record.id).metrics()["options"][0]["max_rules"] == 2
    look_at(app, "Rules")
    button(app, STABLE).click().run()
    run_until(app, lambda: any(text.startswith("Trained again with 10 other seeds") for text in captions(app)))
    (record,) = [record for run, record in records("rule-stability").items() if run not in earlier]
    counted = get_engine().store.open(record.id).metrics()["lengths"][0]["seeds"]["times"]
    assert record.settings["n_rules"] == 4 and 1 <= len(counted) <= 2
    source, reloaded = (visit(run, app.session_state["owner"]) for run in (full, small))
    assert not button(source, VALIDATE).disabled and not any(text.startswith(VALIDATE) for text in captions(source))
    assert any(text.startswith(VALIDATE) for text in captions(reloaded))


def test_without_rules_chosen_by_number_the_buttons_say_why_they_cannot_be_pressed(simplified):
    _, small = simplified(max_rules=4, max_conditions=4, score_terms=None, without=(1,))
    app = open_page(run=small)
    look_at(app, "Rules")
    for label in (VALIDATE, STABLE):
        assert button(app, label).disabled and "by their numbers" in button(app, label).help

"""The trainings of lessons: one for all visitors, found again later, tried again where it failed."""

import threading

import pytest

from tests.pages.lessons import BARS
from tests.pages.test_learn import folder, lessons, locked, trained  # noqa: F401
from tests.waiting import wait_until
from tsk_core.errors import LimitError
from tsk_core.lessons import read_lesson
from ui.learn import scenes
from ui.platform.engine import get_engine

pytestmark = pytest.mark.usefixtures("engine")


@pytest.fixture
def unknown(monkeypatch):
    """A server that does not know any scene yet."""
    monkeypatch.setattr(scenes, "_trainings", {})


def small(name, rules):
    """A lesson whose scenes nobody trained before."""
    text = BARS.replace("name: bars", f"name: {name}").replace("rules: 5", f"rules: {rules}")
    return read_lesson(text.replace("[1st, 2nd, 3rd, 4th, 5th]", str(list(range(rules)))))


def runs_of(lesson):
    store = get_engine().store
    return [record.id for name in lesson.scenes for record in store.ledger.records(f"lesson:{lesson.name}:{name}")]


def test_thirty_visitors_at_once_cost_one_training_for_each_scene(unknown):
    lesson = small("many", 3)
    threads = [threading.Thread(target=scenes.prepare, args=(lesson, ["with"])) for _ in range(30)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(runs_of(lesson)) == len(lesson.scenes)


def test_a_server_that_starts_again_finds_its_trainings(unknown, monkeypatch):
    lesson = small("again", 4)
    one = scenes.training(lesson, "with")
    wait_until(lambda: one.look().ended)
    monkeypatch.setattr(scenes, "_trainings", {})
    other = scenes.training(lesson, "with").look()
    assert other is not one
    assert (other.run.id, other.ended) == (one.run.id, True)
    assert [epoch.loss_ce for epoch in other.run.history] == [epoch.loss_ce for epoch in one.run.history]


def test_a_lesson_that_was_changed_is_trained_with_its_new_settings(unknown):
    one = scenes.training(small("changed", 3), "with").look()
    other = scenes.training(small("changed", 4), "with").look()
    assert one.run.id != other.run.id
    assert other.run.config.n_rules == 4


def test_a_scene_that_the_server_refuses_says_why_and_is_tried_again(unknown, monkeypatch):
    lesson, engine = small("refused", 3), get_engine()

    def refuse(*args, **options):
        raise LimitError("The queue is full.")

    with monkeypatch.context() as patch:
        patch.setattr(engine, "submit", refuse)
        one = scenes.training(lesson, "with").look()
        assert (one.error, one.ended) == ("The queue is full.", False)
    assert one.look().error  # not at once
    monkeypatch.setattr(scenes, "PATIENCE", 0)
    one._retry = 0.0
    wait_until(lambda: one.look().ended)
    assert one.error == ""


def test_a_scene_that_was_stopped_while_it_waited_is_trained_again(unknown, monkeypatch):
    lesson, engine = small("stopped", 3), get_engine()
    monkeypatch.setattr(scenes, "PATIENCE", 0)
    scenes.prepare(lesson, ["with", "without"])  # with one worker, the second waits
    waiting = scenes.training(lesson, "without")
    first = waiting.status.run
    engine.stop(first)
    wait_until(lambda: waiting.look().ended)
    assert (waiting.status.state, waiting.error) == ("finished", "")
    assert waiting.run.id != first

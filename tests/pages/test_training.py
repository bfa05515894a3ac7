"""A run while it trains: pausing, stepping and continuing, how often the page asks about it, and what is said of the queue."""

import pytest

from tests.pages.helpers import (
    button,
    look_at,
    metric,
    newest_epoch,
    open_page,
    outdated,
    progress,
    run_of,
    run_until,
    said,
    standing,
)
from tests.processes import worker_processes
from tests.tables import make_table
from tests.waiting import wait_until
from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset
from tsk_core.jobs.open_runs import WaitEstimate
from ui.live.run_subjects import ListsSubject, RunSubject
from ui.platform.engine import get_engine
from ui.runs.run_view import RunView


@pytest.fixture
def app():
    """A page whose run takes long; it is stopped at the end."""
    app = open_page(data="digits", epochs="2000", rules="5")
    button(app, "Train").click().run()
    yield app
    get_engine().stop(run_of(app))


def test_nobody_can_stop_the_run_of_another_browser_and_keep_running_stays_ticked_in_the_own_one(app):
    other = open_page(run=run_of(app))
    assert button(other, "Stop").disabled and button(other, "Pause").disabled and not button(app, "Stop").disabled
    keep = next(box for box in app.checkbox if box.label == "Keep running")
    keep.check().run()
    again = open_page()
    again.session_state["owner"] = app.session_state["owner"]
    again.query_params["run"] = run_of(app)
    again.run()
    (box,) = (box for box in again.checkbox if box.label == "Keep running")
    assert box.value and box.disabled


def test_the_browser_draws_the_scores_of_a_run_that_trains_and_the_page_once_it_has_ended(app):
    wait_until(lambda: newest_epoch(app))
    assert not app.metric and not app.get("progress") and not outdated(app) and standing(app)["text"] == "Training…"
    get_engine().stop(run_of(app))
    wait_until(lambda: outdated(app) == [run_of(app)])
    assert progress(app.run()).startswith("Stopped") and metric(app, "Epoch").endswith(" / 2000") and not outdated(app)


def test_a_run_pauses_steps_and_goes_on(app):
    wait_until(lambda: newest_epoch(app))
    button(app, "Pause").click().run()
    assert button(app, "Resume")
    wait_until(lambda: progress(app).startswith("Paused after epoch"))
    before = epoch_at_rest(app)
    assert progress(app) == f"Paused after epoch {before}."
    button(app, "Step").click().run()
    wait_until(lambda: newest_epoch(app) != before)
    assert epoch_at_rest(app) == before + 1
    button(app, "Resume").click().run()
    wait_until(lambda: newest_epoch(app) > before + 1)
    button(app, "Stop").click().run()
    run_until(app, lambda: progress(app).startswith("Stopped"))


def test_a_button_does_what_its_label_says_whatever_another_tab_pressed():
    app = open_page(data="digits", epochs="100000", rules="5")
    train = button(app, "Train")
    train.click().run()
    run, engine = run_of(app), get_engine()
    owner = engine.store.record(run).owner
    train.click()  # the second of two clicks, which the browser sent before the button was disabled
    app.run()
    assert run_of(app) == run and engine.store.ledger.count(owner) == 1
    engine.pause(run, owner)
    button(app, "Pause").click().run()
    assert engine.status(run).paused
    engine.resume(run, owner)
    button(app, "Resume").click().run()
    assert not engine.status(run).paused
    button(app, "Stop").click().run()


def test_a_step_before_train_starts_a_run_that_waits_after_its_first_epoch():
    app = open_page(data="digits", epochs="2000", rules="5")
    button(app, "Step").click().run()
    wait_until(lambda: progress(app).startswith("Paused after epoch"))
    assert progress(app) == "Paused after epoch 1." and button(app, "Resume")
    button(app, "Step").click().run()
    wait_until(lambda: newest_epoch(app) == 2)
    button(app, "Stop").click().run()
    run_until(app, lambda: progress(app).startswith("Stopped"))
    assert button(app, "Step").disabled  # one step too many starts no second run
    app.number_input(key="rules").set_value(6).run()
    assert not button(app, "Step").disabled


def test_a_pace_that_would_take_too_long_is_raised():
    assert "epochs at 5 a second" not in said(open_page(epochs="900", pace="5"))
    text = said(open_page(epochs="1800", pace="5"))
    assert "1,800 epochs at 5 a second would take 360 seconds" in text and "it trains 10 epochs a second" in text


def worker():
    """The process that trains."""
    (found,) = worker_processes()
    return found


@pytest.mark.slow
def test_epochs_are_those_of_the_training_that_goes_on_when_a_run_lost_its_worker():
    """It begins anew, so for a while there are fewer; they are the same but for their seconds. Browsers get them anew, too."""
    table, engine = make_table(), get_engine()
    run = engine.submit(TrainConfig(n_rules=3, max_epochs=100_000, random_state=1), table)
    shown = RunView(run, engine.store.open(run).config(), {}, 0.3, engine.status(run))
    wait_until(lambda: shown.refresh() or len(shown.history) > 100)
    before, followed, lists = shown.history[0], RunSubject(run, True), ListsSubject(run, ["snapshots"], 4, False, False, False)
    first = [looked_at(followed, "epochs"), looked_at(lists, "snapshots")]
    assert all(part["payload"]["list"] for part in first)
    worker().kill()
    wait_until(lambda: shown.refresh() or shown.status.attempt == 2)
    assert all(epoch is not before for epoch in shown.history)
    wait_until(lambda: shown.refresh() or len(shown.history) > 5)
    there = engine.history(run)
    assert all(mine is theirs for mine, theirs in zip(shown.history, there, strict=False)) and len(shown.history) <= len(there)
    engine.stop(run)
    wait_until(lambda: shown.refresh() or shown.status.ended)
    assert [e.epoch for e in shown.history] == list(range(1, len(shown.history) + 1))
    assert [e.to_dict() for e in shown.history] == [e.to_dict() for e in shown.result.history]
    then = [looked_at(followed, "epochs"), looked_at(lists, "snapshots")]
    assert [part["payload"]["list"] for part in then] == [[e.to_dict() for e in shown.history], engine.records(run, "snapshots")]
    assert all(old["version"] != new["version"] for old, new in zip(first, then, strict=True))


def looked_at(subject, kind):
    """A list of a subject after a look."""
    subject.look()
    return next(part for part in subject.stream.parts() if part["kind"] == kind)


@pytest.fixture
def asked(monkeypatch):
    """Each question for the state of a run."""
    engine, asked = get_engine(), []
    answer = engine.status
    monkeypatch.setattr(engine, "status", lambda run: asked.append(run) or answer(run))
    return asked


def test_the_page_asks_for_its_run_once_each_time_it_is_drawn(app, asked):
    look_at(app, "Rules")
    del asked[:]
    for _ in range(3):
        app.run()
    assert len(asked) == 3
    button(app, "Stop").click().run()
    assert len(asked) == 4 and len(set(asked)) == 1


def epoch_at_rest(app):
    """The epoch at which a paused run stands."""
    wait_until(lambda: progress(app) == f"Paused after epoch {newest_epoch(app)}.")
    return newest_epoch(app)


def test_no_line_is_spoken_of_while_the_workers_start(engine, monkeypatch):
    wait_until(engine.workers)
    monkeypatch.setattr(engine, "wait_estimate", lambda *_, **__: WaitEstimate(1, None, True, ""))
    assert line(open_page()) == "All workers are busy: a run started now would start next."
    monkeypatch.setattr(engine, "workers", list)
    assert not [part for part in open_page().get("bidi_component") if part.key == "queue_watch"]


def test_a_line_is_spoken_of_for_as_long_as_there_is_one(engine):
    wait_until(lambda: not engine.wait_estimate("somebody").position)
    long = engine.submit(TrainConfig(n_rules=20, max_epochs=2000, batch_size=2), load_dataset("breast_cancer"))  # the only worker
    wait_until(lambda: engine.wait_estimate("somebody").position)
    app = open_page(rules="3", epochs="3")
    assert line(app).startswith("All workers are busy: a run started now would start next")
    engine.stop(long)
    wait_until(lambda: line(app) == "")
    assert not app.exception


def line(app):
    """What the browser says of the queue beside the buttons."""
    return standing(app, "queue_watch")["text"]

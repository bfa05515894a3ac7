"""A run while it trains: pausing, stepping and continuing, and how often the page asks about it."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.helpers import button, look_at, metric, open_page, progress, run_of, run_until, said
from tests.processes import worker_processes
from tests.tables import make_table
from tests.waiting import wait_until
from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset
from tsk_core.jobs.open_runs import WaitEstimate
from ui.explore import run_panel
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


def test_the_first_scores_come_with_the_press_where_the_first_epoch_is_there_soon(engine, monkeypatch):
    wait_until(engine.workers)
    monkeypatch.setattr(run_panel, "FIRST_EPOCH", 30.0)
    app = open_page(data="iris", epochs="100000", rules="3")
    button(app, "Train").click().run()
    assert 0 <= float(metric(app, "Test accuracy (RCA)")) <= 1 and not button(app, "Stop").disabled
    button(app, "Stop").click().run()
    run_until(app, lambda: progress(app).startswith("Stopped"))


def test_a_page_does_not_wait_for_the_first_epoch_of_a_run_that_waits_for_others(engine):
    wait_until(engine.workers)
    long = engine.submit(TrainConfig(n_rules=20, max_epochs=2000, batch_size=2), load_dataset("breast_cancer"))  # the only worker
    waiting = [engine.submit(TrainConfig(n_rules=3, max_epochs=3), make_table()) for _ in range(2)][-1]
    shown = RunView(waiting, engine.store.open(waiting).config(), {}, 0.3, engine.status(waiting))
    shown.await_first_epoch(10**6)  # returns
    assert shown.status.position == 2 and not shown.history
    engine.stop(long)


def test_a_run_pauses_steps_and_goes_on(app):
    run_until(app, lambda: not metric(app, "Epoch").startswith("0 "))
    button(app, "Pause").click().run()
    assert button(app, "Resume")
    run_until(app, lambda: progress(app).startswith("Paused after epoch"))
    before = epoch_at_rest(app)
    assert progress(app) == f"Paused after epoch {before.split()[0]}."
    button(app, "Step").click().run()
    run_until(app, lambda: metric(app, "Epoch") != before)
    assert int(epoch_at_rest(app).split()[0]) == int(before.split()[0]) + 1
    button(app, "Resume").click().run()
    run_until(app, lambda: int(metric(app, "Epoch").split()[0]) > int(before.split()[0]) + 1)
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
    run_until(app, lambda: progress(app).startswith("Paused after epoch"))
    assert progress(app) == "Paused after epoch 1." and button(app, "Resume")
    button(app, "Step").click().run()
    run_until(app, lambda: metric(app, "Epoch") == "2 / 2000")
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
    """It begins anew, so for a while there are fewer; they are the same but for their seconds."""
    table, engine = make_table(), get_engine()
    run = engine.submit(TrainConfig(n_rules=3, max_epochs=100_000, random_state=1), table)
    shown = RunView(run, engine.store.open(run).config(), {}, 0.3, engine.status(run))
    wait_until(lambda: shown.refresh() or len(shown.history) > 100)
    before = shown.history[0]
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


def ticking():
    from ui.runs import current_run

    current_run.refresh()  # the page is drawn,
    latest = current_run.for_fragment()
    latest()  # with the fragment in it,
    latest()  # which is drawn again half a second later,
    latest()  # and again


def test_a_fragment_asks_again_when_it_is_drawn_by_itself(asked):
    run = get_engine().submit(TrainConfig(n_rules=3, max_epochs=100_000, random_state=1), make_table())
    app = AppTest.from_function(ticking)
    app.session_state["current_run"] = RunView(run, get_engine().store.open(run).config(), {}, 0.3, get_engine().status(run))
    del asked[:]
    assert not app.run().exception
    assert asked == [run] * 3
    get_engine().stop(run)


def epoch_at_rest(app):
    """The epoch at which a paused run stands."""
    seen = [None, metric(app.run(), "Epoch")]
    while seen[-1] != seen[-2]:
        seen.append(metric(app.run(), "Epoch"))
    return seen[-1]


def test_no_line_is_spoken_of_while_the_workers_start(engine, monkeypatch):
    wait_until(engine.workers)
    monkeypatch.setattr(engine, "wait_estimate", lambda *_, **__: WaitEstimate(1, None, True, ""))
    assert "All workers are busy: a run started now would start next." in said(open_page())
    monkeypatch.setattr(engine, "workers", list)
    captions = [caption.value for caption in open_page().caption]
    assert not any("queue" in text or "workers" in text for text in captions)


def test_a_line_is_spoken_of_for_as_long_as_there_is_one(engine):
    line = "a run started now would start next"
    app = run_until(open_page(rules="3", epochs="3"), lambda: not engine.wait_estimate("somebody").position)
    long = engine.submit(TrainConfig(n_rules=20, max_epochs=2000, batch_size=2), load_dataset("breast_cancer"))  # the only worker
    run_until(app, lambda: line in said(app))
    engine.stop(long)
    run_until(app, lambda: line not in said(app))
    assert not app.exception

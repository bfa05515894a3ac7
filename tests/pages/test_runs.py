"""The page Runs, and runs opened by their link; pausing, stepping and going on."""

import json

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.helpers import (
    as_text,
    button,
    last_message,
    look_at,
    metric,
    open_page,
    progress,
    rules,
    run_of,
    run_until,
    train,
    upload,
    values,
    wait_for_end,
)
from tests.processes import worker_processes
from tests.tables import make_table
from tests.waiting import wait_until
from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset, read_csv
from ui.engine import the_engine
from ui.figures import CLASS_COLOURS, ON_DARK
from ui.runs.run_view import RunView

pytestmark = pytest.mark.usefixtures("engine")


def trained(**link):
    """A page whose run has ended, and the run's id."""
    app = train(open_page(**({"epochs": "5", "rules": "3"} | link)))
    return app, run_of(app)


def runs_page(app):
    return app.switch_page("pages/runs.py").run()


def listed(app):
    return app.dataframe[0].value


def ticked(app, *rows):
    """The page with these runs ticked."""
    (key,) = (d.key for d in app.dataframe if d.key and d.key.startswith("runs:"))
    app.session_state[key] = {"selection": {"rows": list(rows), "columns": [], "cells": []}}
    return app.run()


def test_a_run_stands_in_the_address_and_opens_for_anyone_as_it_looked():
    app, run = trained(data="wine", ur="3")
    other = open_page(run=run)
    assert not other.exception and not other.error
    assert progress(other) == progress(app)
    for name in ("Test RCA", "Test BCA", "Epoch"):
        assert metric(other, name) == metric(app, name)
    assert rules(other) == rules(app) and last_message(other)["shown"]["epochs"]
    chosen = values(other)
    assert (chosen["data"], chosen["rules"], chosen["ur"], chosen["epochs"]) == ("wine", 3, 3.0, 5)


def test_what_a_link_says_besides_its_run_goes_first():
    _, run = trained()
    other = open_page(run=run, rules="9")
    assert values(other)["rules"] == 9 and metric(other, "Epoch") == "5 / 5"


def test_a_link_to_a_run_that_is_not_there_is_said_and_the_page_goes_on():
    app = open_page(run="0" * 32)
    (note,) = (as_text(i.value) for i in app.info)
    assert note.startswith("There is no such run here")
    assert not app.exception and "run" not in app.query_params
    train(app)
    assert not any("no such run" in i.value for i in app.info)


def test_nobody_can_stop_the_run_of_another_browser():
    app = open_page(data="digits", epochs="2000", rules="5")
    button(app, "Train").click().run()
    other = open_page(run=run_of(app))
    try:
        assert button(other, "Stop").disabled and button(other, "Pause").disabled
        assert not button(app, "Stop").disabled
    finally:
        button(app, "Stop").click().run()


def test_a_run_pauses_steps_and_goes_on():
    app = open_page(data="digits", epochs="2000", rules="5")
    button(app, "Train").click().run()
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


def worker():
    """The process that trains."""
    (found,) = worker_processes()
    return found


def test_a_pause_is_said_to_come_until_the_epoch_is_over():
    app = open_page(data="digits", epochs="2000", rules="5")
    button(app, "Train").click().run()
    run_until(app, lambda: not metric(app, "Epoch").startswith("0 "))
    process = worker()
    process.suspend()  # in the midst of an epoch
    try:
        button(app, "Pause").click().run()
        assert progress(app) == "Pausing after this epoch…" and button(app, "Resume")
    finally:
        process.resume()
    run_until(app, lambda: progress(app).startswith("Paused after epoch"))
    button(app, "Stop").click().run()
    run_until(app, lambda: progress(app).startswith("Stopped"))


def test_epochs_are_those_of_the_training_that_goes_on_when_a_run_lost_its_worker():
    """It begins anew, so for a while there are fewer; they are the same but for their seconds."""
    table, engine = make_table(), the_engine()
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
    engine, asked = the_engine(), []
    answer = engine.status
    monkeypatch.setattr(engine, "status", lambda run: asked.append(run) or answer(run))
    return asked


def test_the_page_asks_for_its_run_once_each_time_it_is_drawn(asked):
    app = open_page(data="digits", epochs="2000", rules="5")
    button(app, "Train").click().run()
    look_at(app, "Rules")
    del asked[:]
    for _ in range(3):
        app.run()
    assert len(asked) == 3
    button(app, "Stop").click().run()
    assert len(asked) == 4 and len(set(asked)) == 1
    run_until(app, lambda: progress(app).startswith("Stopped"))


def ticking():
    from ui.runs import current_run

    current_run.refresh()  # the page is drawn,
    latest = current_run.for_fragment()
    latest()  # with the fragment in it,
    latest()  # which is drawn again half a second later,
    latest()  # and again


def test_a_fragment_asks_again_when_it_is_drawn_by_itself(asked):
    run = the_engine().submit(TrainConfig(n_rules=3, max_epochs=100_000, random_state=1), make_table())
    app = AppTest.from_function(ticking)
    app.session_state["current_run"] = RunView(run, the_engine().store.open(run).config(), {}, 0.3, the_engine().status(run))
    del asked[:]
    assert not app.run().exception
    assert asked == [run] * 3
    the_engine().stop(run)


def epoch_at_rest(app):
    """The epoch at which a paused run stands."""
    seen = [None, metric(app.run(), "Epoch")]
    while seen[-1] != seen[-2]:
        seen.append(metric(app.run(), "Epoch"))
    return seen[-1]


def test_the_list_has_the_runs_of_this_browser_alone():
    app, _ = trained(data="wine")
    trained(data="iris")  # somebody else's
    runs_page(app)
    assert not app.exception and not app.error
    table = listed(app)
    assert table["data"].tolist() == ["wine"] and table["state"].tolist() == ["finished"]
    assert "R 3" in table["settings"][0] and 0 < table["test RCA"][0] <= 1


def test_a_browser_that_trained_nothing_reads_what_to_do():
    app = runs_page(open_page())
    assert "This browser has no runs yet" in app.info[0].value


def test_a_run_is_renamed_pinned_and_deleted():
    app, run = trained()
    runs_page(app)
    ticked(app, 0)
    app.text_input[0].set_value("my first <b>run</b>").run()
    assert the_engine().store.record(run).name == "my first <b>run</b>"
    button(app, "Pin").click().run()
    assert the_engine().store.record(run).pinned and listed(app)["state"].tolist() == ["finished, pinned"]
    assert any(run in c.value for c in app.code)
    button(app, "Delete this run").click().run()
    assert the_engine().store.record(run).removed
    assert not app.exception and "no runs yet" in app.info[0].value
    other = open_page(run=run)
    assert "deleted" in other.info[0].value and not other.exception


def test_ticked_runs_are_compared():
    app, _ = trained(data="wine")
    app.number_input(key="rules").set_value(5).run()
    train(app)
    runs_page(app)
    ticked(app, 0, 1)
    assert not app.exception and not app.error
    table = app.dataframe[1].value
    assert table.loc["Rules R"].tolist() == ["5", "3"] and len(app.get("plotly_chart")) == 1
    assert not any("different data" in c.value for c in app.caption)


def test_lines_of_the_comparison_are_called_as_the_runs_and_markup_stays_text():
    app, run = trained(data="wine")
    app.number_input(key="seed").set_value(7).run()
    train(app)
    the_engine().store.rename(run, "my <b>first</b> run", the_engine().store.record(run).owner)
    runs_page(app)
    assert listed(app)["settings"].tolist() == ["R 3, λ 1, BN bn, B 64, seed 7", "R 3, λ 1, BN bn, B 64, seed 0"]
    ticked(app, 0, 1)
    (chart,) = app.get("plotly_chart")
    lines = [line["name"] for line in json.loads(chart.proto.spec)["data"]]
    assert lines == [f"1: wine {listed(app)['name'][0][-4:]}", "2: my &lt;b&gt;first&lt;/b&gt; run"]
    assert list(app.dataframe[1].value.columns) == [lines[0], "2: my <b>first</b> run"]


def test_colours_of_lines_are_seen_on_their_ground_and_none_comes_twice():
    def light(colour):
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        return np.dot([0.2126, 0.7152, 0.0722], [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts])

    assert len(set(ON_DARK)) == len(ON_DARK) == len(set(CLASS_COLOURS)) == len(CLASS_COLOURS)
    assert min(light(colour) + 0.05 for colour in ON_DARK) / (light("#0E1117") + 0.05) > 4  # to 1; WCAG asks 3 of a line


def test_the_export_tab_has_what_repeats_a_run():
    app, run = trained(data="wine")
    look_at(app, "Export")
    script = app.code[-1].value
    assert "load_dataset('wine')" in script and "n_rules=3" in script
    assert any(run in as_text(m.value) for m in app.markdown)


def interrupted(dataset):
    """A run that its server left behind."""
    store = the_engine().store
    run = store.create(TrainConfig(n_rules=3, max_epochs=5, random_state=0), dataset)
    store.end(run, "interrupted", "The server stopped before this run ended; start it again.")
    return run


def test_an_interrupted_run_is_run_again_at_a_press():
    app = open_page(run=interrupted(load_dataset("wine")))
    assert "start it again" in app.error[0].value
    button(app, "Run again").click().run()
    wait_for_end(app)
    assert metric(app, "Epoch") == "5 / 5" and not app.error and rules(app)


def test_an_interrupted_run_on_a_file_asks_for_the_file():
    rows = b"size,kind\n" + b"1,x\n2,y\n" * 10
    app = open_page(run=interrupted(read_csv(rows, name="mine")))
    assert values(app)["data"] == "upload"
    button(app, "Run again").click().run()
    assert any("choose the same file" in e.value for e in app.error)
    upload(app, "mine.csv", rows)
    button(app, "Run again").click().run()
    wait_for_end(app)
    assert metric(app, "Epoch") == "5 / 5" and not app.error


def test_a_run_opened_on_a_page_in_use_brings_its_settings():
    first, run = trained(data="wine", ur="3", seed="4", tau="1/R", es="true", patience="5", cw="balanced")
    app = open_page(data="iris", rules="9")
    app.query_params["run"] = run
    app.run()
    assert metric(app, "Epoch") == metric(first, "Epoch")
    assert {k: v for k, v in values(app).items() if k != "rules"} == {k: v for k, v in values(first).items() if k != "rules"}


def test_a_line_is_spoken_of_for_as_long_as_there_is_one(engine):
    def said(app):
        return [caption.value for caption in app.caption if "you are next in the queue" in caption.value]

    app = run_until(open_page(rules="3", epochs="3"), lambda: not engine.wait_estimate("somebody").position)
    long = engine.submit(TrainConfig(n_rules=20, max_epochs=2000, batch_size=2), load_dataset("breast_cancer"))  # the only worker
    run_until(app, lambda: said(app))
    engine.stop(long)
    run_until(app, lambda: not engine.wait_estimate("somebody").position)
    assert not said(app.run()) and not app.exception

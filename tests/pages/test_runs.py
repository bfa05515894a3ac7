"""The page Runs, and runs opened by their link."""

import json

from tests.pages.helpers import (
    as_text,
    button,
    last_message,
    metric,
    open_page,
    progress,
    rules,
    run_of,
    train,
    upload,
    values,
    wait_for_end,
)
from tsk_core.config import TrainConfig
from tsk_core.data import ReadOptions, load_dataset, read_csv
from ui.platform.engine import get_engine


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


def test_a_run_stands_in_the_address_and_opens_for_anyone_as_it_looked_but_for_what_a_link_says_besides():
    app, run = trained(data="wine", ur="3")
    other = open_page(run=run)
    assert not other.exception and not other.error
    assert progress(other) == progress(app)
    for name in ("Accuracy", "Balanced accuracy", "Epoch"):
        assert metric(other, name) == metric(app, name)
    assert rules(other) == rules(app) and last_message(other)["shown"]["epochs"]["list"]
    chosen = values(other)
    assert (chosen["data"], chosen["rules"], chosen["ur"], chosen["epochs"]) == ("wine", 3, 3.0, 5)
    other = open_page(run=run, rules="9")
    assert values(other)["rules"] == 9 and metric(other, "Epoch") == "5 / 5"


def test_a_link_to_a_run_that_is_not_there_is_said_and_the_page_goes_on():
    app = open_page(run="0" * 32)
    (note,) = (as_text(i.value) for i in app.info)
    assert note.startswith("There is no such run here")
    assert not app.exception and "run" not in app.query_params
    train(app)
    assert not any("no such run" in i.value for i in app.info)


def test_the_list_has_the_runs_of_this_browser_alone_and_without_any_says_what_to_do():
    app, _ = trained(data="wine")
    trained(data="iris")  # somebody else's
    runs_page(app)
    assert not app.exception and not app.error
    table = listed(app)
    assert table["data"].tolist() == ["wine"] and table["state"].tolist() == ["finished"]
    assert "R 3" in table["settings"][0] and 0 < table["test RCA"][0] <= 1
    app = runs_page(open_page())
    assert "This browser has no runs yet" in app.info[0].value


def test_a_run_is_renamed_pinned_and_deleted():
    app, run = trained()
    runs_page(app)
    ticked(app, 0)
    app.text_input[0].set_value("my first <b>run</b>").run()
    assert get_engine().store.record(run).name == "my first <b>run</b>"
    button(app, "Pin").click().run()
    assert get_engine().store.record(run).pinned and listed(app)["state"].tolist() == ["finished, pinned"]
    assert any(run in c.value for c in app.code)
    button(app, "Delete this run").click().run()
    assert get_engine().store.record(run).removed
    assert not app.exception and "no runs yet" in app.info[0].value
    other = open_page(run=run)
    assert "deleted" in other.info[0].value and not other.exception


def test_a_press_acts_on_the_run_that_was_shown_whatever_came_and_went_in_another_tab():
    app, run = trained()
    store = get_engine().store
    owner = store.record(run).owner
    ticked(runs_page(app), 0)
    store.ledger.rename(run, "final", owner)
    store.housekeeping.pin(run, True, owner)
    button(app, "Pin").click().run()
    assert store.record(run).name == "final" and store.record(run).pinned
    assert app.text_input[0].value == "final"
    app.text_input[0].set_value(" my   run ").run()
    assert store.record(run).name == "my run" == app.text_input[0].value and not app.exception
    newer = store.create(TrainConfig(), load_dataset("iris"), owner=owner)
    store.housekeeping.end(newer, "finished")
    button(app, "Delete this run").click().run()
    assert store.record(run).removed and not store.record(newer).removed
    store.create(TrainConfig(), load_dataset("iris"), owner=owner)
    ticked(app.run(), 0)
    assert button(app, "Open").disabled is False and len(listed(app)) == 2
    (key,) = (d.key for d in app.dataframe if d.key and d.key.startswith("runs:"))
    assert app.session_state[key]["selection"]["rows"] == [0]
    store.housekeeping.remove(newer, owner)
    app.run()
    assert "Select a run" in " ".join(c.value for c in app.caption)  # the rows have moved


def test_ticked_runs_are_compared_and_those_with_other_test_rows_say_so():
    app, _ = trained(data="wine")
    for key, value in (("rules", 5), ("test", 0.5)):
        train(app.number_input(key=key).set_value(value).run())
    ticked(runs_page(app), 1, 2)
    assert not app.exception and not app.error
    table = app.dataframe[1].value
    assert table.loc["Rules R"].tolist() == ["5", "3"] and len(app.get("plotly_chart")) == 1
    assert not any("different data" in c.value or "different test rows" in c.value for c in app.caption)
    ticked(app, 0, 1)
    assert any("different test rows" in c.value for c in app.caption)
    assert not any("same settings" in c.value for c in app.caption)


def test_lines_of_the_comparison_are_called_as_the_runs_and_markup_stays_text():
    app, run = trained(data="wine")
    app.number_input(key="seed").set_value(7).run()
    train(app)
    get_engine().store.ledger.rename(run, "my <b>first</b> run", get_engine().store.record(run).owner)
    runs_page(app)
    assert listed(app)["settings"].tolist() == ["R 3, λ 1, BN bn, B 64, seed 7", "R 3, λ 1, BN bn, B 64, seed 0"]
    ticked(app, 0, 1)
    (chart,) = app.get("plotly_chart")
    lines = [line["name"] for line in json.loads(chart.proto.spec)["data"]]
    assert lines == [f"1: wine {listed(app)['name'][0][-4:]}", "2: my &lt;b&gt;first&lt;/b&gt; run"]
    assert list(app.dataframe[1].value.columns) == [lines[0], "2: my <b>first</b> run"]


def interrupted(dataset, **kept):
    """A run that its server left behind."""
    store = get_engine().store
    run = store.create(TrainConfig(n_rules=3, max_epochs=5, random_state=0), dataset, **kept)
    store.housekeeping.end(run, "interrupted", "The server stopped before this run ended; start it again.")
    return run


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


def test_a_run_whose_table_was_kept_keeps_it_when_it_is_run_again():
    rows = b"size;kind\n" + b"1,5;x\n2,5;y\n" * 10
    options = ReadOptions(decimal=",")
    app = open_page(run=interrupted(read_csv(rows, name="mine", read_options=options), keep_data=True, read_options=options))
    button(app, "Run again").click().run()
    store, run = get_engine().store, run_of(app)
    assert not app.error and len(list(get_engine().follow(run))) == 5
    assert store.record(run).data_kept and store.open(run).about()["dataset"]["reading"] == {"decimal": ","}

"""Cells of the study as a task: the command's own results, kept for all, computed once, kept on a stop; and a worked example."""

from dataclasses import replace

import pytest

from tests.tables import make_table
from tsk_core.config import TrainConfig
from tsk_core.errors import LimitError, RunError, SettingError
from tsk_core.runs import RunStore
from tsk_core.runs.folder import YIELDED
from tsk_core.tasks import perform, run_here
from tsk_core.tasks.task import Context
from tsk_study import STUDY_RESULTS, StudyCells, WorkedExample, cell_of, compute, protocol, read_results, work_out


@pytest.fixture
def table():
    return make_table(rows=90, name="vehicle")


def run(folder, task, **hooks):
    store = RunStore(folder)
    name, task = task.create_run(store, "ada")
    return store, run_here(store, name, task, **hooks)


def without_seconds(results):
    return [replace(one, seconds=0.0, rca=round(one.rca, 6), bca=round(one.bca, 6)) for one in results]


@pytest.mark.parametrize("algorithm", ["CART", "TSK-MBGD-BN"])
def test_it_finds_what_the_command_finds_and_keeps_it_beside_the_runs(tmp_path, table, algorithm, monkeypatch):
    original = protocol.protocol_config
    monkeypatch.setattr(protocol, "protocol_config", lambda *which: replace(original(*which), n_rules=3, max_epochs=5))
    store, record = run(tmp_path, StudyCells(table, algorithm, (0, 2)))
    assert (record.state, record.task) == ("finished", "study-cells")
    found = read_results(tmp_path / STUDY_RESULTS)
    assert list(found) == [("vehicle", algorithm, 0), ("vehicle", algorithm, 2)]
    expected = compute(table, [(algorithm, 0), (algorithm, 2)])
    assert without_seconds(found.values()) == without_seconds(expected)
    assert store.open(record.id).metrics()["computed"] == 2
    assert cell_of(store.open(record.id).path) == {"dataset": "vehicle", "algorithm": algorithm, "splits": [0, 2]}


def test_what_is_there_is_not_computed_again(tmp_path, table):
    run(tmp_path, StudyCells(table, "CART", (0,)))
    before = (tmp_path / STUDY_RESULTS).read_text()
    store, record = run(tmp_path, StudyCells(table, "CART", (0, 1)))
    assert (tmp_path / STUDY_RESULTS).read_text().startswith(before)
    metrics = store.open(record.id).metrics()
    assert (metrics["splits"], metrics["computed"]) == (2, 1)


def test_a_turn_that_is_over_goes_on_later_with_the_rest(tmp_path, table):
    store = RunStore(tmp_path)
    name, task = StudyCells(table, "CART", tuple(range(7))).create_run(store, "ada")
    assert perform(task, Context(store.open(name), time_slice=0.0)) == YIELDED
    assert len(read_results(tmp_path / STUDY_RESULTS)) == 5
    assert perform(task, Context(store.open(name), time_slice=0.0)).state == "finished"
    assert len(read_results(tmp_path / STUDY_RESULTS)) == 7
    assert store.open(name).metrics()["computed"] == 2


def test_a_stop_keeps_the_splits_that_are_done(tmp_path, table):
    steps = []
    hooks = {
        "on_progress": lambda *step: steps.append(step),
        "stop_reason": lambda: "Stopped." if steps and steps[-1][0] >= 5 else "",
    }
    _, record = run(tmp_path, StudyCells(table, "TSK-FCM-LSE", tuple(range(30))), **hooks)
    assert (record.state, record.message) == ("stopped", "Stopped.")
    assert 5 <= len(read_results(tmp_path / STUDY_RESULTS)) < 30


@pytest.mark.parametrize(
    ("algorithm", "splits", "words"),
    [("SVM", (0,), "no algorithm 'SVM'"), ("CART", (), "at least one"), ("CART", (30,), "0 to 29"), ("CART", (-1,), "0 to 29")],
)
def test_what_the_study_does_not_have_and_what_is_beyond_the_limits_is_refused(table, algorithm, splits, words, monkeypatch):
    with pytest.raises(SettingError, match=words):
        StudyCells(table, algorithm, splits)
    monkeypatch.setenv("TSK_MAX_RULES", "10")
    with pytest.raises(LimitError, match="Rules"):
        StudyCells(table, "TSK-MBGD", (0,)).check()


CONFIG = TrainConfig.paper(n_rules=4, max_epochs=5, random_state=1)


def test_a_worked_example_leaves_its_numbers_and_one_that_is_stopped_none(tmp_path, table):
    store, record = run(tmp_path, WorkedExample(CONFIG, table, row=2))
    assert (record.state, record.task) == ("finished", "worked-example")
    assert store.open(record.id).metrics() == work_out(table, CONFIG, 2)
    steps = []
    endless = replace(CONFIG, max_epochs=100_000)
    hooks = {"on_progress": lambda *step: steps.append(step), "stop_reason": lambda: "Stopped." if steps else ""}
    store, record = run(tmp_path, WorkedExample(endless, table), **hooks)
    assert record.state == "stopped"
    with pytest.raises(RunError, match="no numbers"):
        store.open(record.id).metrics()

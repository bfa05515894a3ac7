"""The task that measures a tree and a rule list of a run's size says what ``equal_size`` says, and can be stopped."""

import numpy as np
import pytest

from tests.tables import make_table
from tsk_core.errors import RunError, TrainingError
from tsk_core.evaluate.same_size import Peer, equal_size
from tsk_core.runs import RunStore
from tsk_core.study import ebm
from tsk_core.tasks import SameSize, run_here


def measured(folder, config, dataset, hooks=None, **options):
    store = RunStore(folder)
    run, task = SameSize(config, dataset, "of-this-run", 4, **options).create_run(store, "ada")
    return store, run_here(store, run, task, **(hooks or {}))


def parts(config, dataset):
    split, y = dataset.split(test_size=0.3, seed=config.random_state), np.asarray(dataset.y)
    return [part for rows in (split.train, split.test) for part in (dataset.X.iloc[rows], y[rows])]


def test_it_says_what_the_function_says(tmp_path, short):
    dataset = make_table(rows=150)
    store, record = measured(tmp_path, short, dataset)
    assert (record.state, record.task) == ("finished", "same-size")
    metrics = store.open(record.id).metrics()
    assert (metrics["of_run"], metrics["conditions"], metrics["ebm"]) == ("of-this-run", 4, False)
    expected = equal_size(*parts(short, dataset), 4, seed=short.random_state)
    assert [Peer(*values) for values in metrics["peers"]] == expected and len(expected) == 2


def test_the_ebm_is_measured_on_the_same_rows(tmp_path, short, monkeypatch):
    dataset, given = make_table(rows=150), []

    def main_effects(*rows, seed):
        given.append((rows, seed))
        return Peer("EBM", None, None, 0.5, 0.25)

    monkeypatch.setattr(ebm, "main_effects", main_effects)
    store, record = measured(tmp_path, short, dataset, ebm=True)
    metrics = store.open(record.id).metrics()
    assert metrics["ebm"] is True and metrics["peers"] == [["EBM", None, None, 0.5, 0.25]]
    ((rows, seed),) = given
    assert seed == short.random_state
    for one, expected in zip(rows, parts(short, dataset), strict=True):
        assert np.array_equal(one, expected)


def test_the_ebm_is_refused_where_it_is_not_installed(short, monkeypatch):
    monkeypatch.setattr(ebm, "missing", lambda: "It needs interpret.")
    dataset = make_table(rows=60)
    SameSize(short, dataset, "of-this-run", 4).check()
    with pytest.raises(TrainingError, match="interpret"):
        SameSize(short, dataset, "of-this-run", 4, ebm=True).check()


def test_a_stop_leaves_no_figures(tmp_path, short):
    steps = []
    hooks = {"on_progress": lambda *step: steps.append(step), "stop_reason": lambda: "Stopped." if steps else ""}
    store, record = measured(tmp_path, short, make_table(rows=60), hooks)
    assert record.state == "stopped"
    with pytest.raises(RunError, match="no numbers"):
        store.open(record.id).metrics()

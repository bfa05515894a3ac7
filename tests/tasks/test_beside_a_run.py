"""Tasks beside a run, the stability of its rules and models of its size, say what the functions say, and can be stopped."""

from dataclasses import replace

import numpy as np
import pytest

from tests.tables import make_table
from tsk_core import TSKClassifier, rule_stability
from tsk_core.errors import RunError, TrainingError
from tsk_core.evaluate import ebm
from tsk_core.evaluate.same_size import Peer, equal_size
from tsk_core.explain import RuleStability
from tsk_core.runs import RunStore
from tsk_core.tasks import SameSize, StabilityCheck, run_here


def done(folder, task, hooks=None):
    store = RunStore(folder)
    run, task = task.create_run(store, "ada")
    return store, run_here(store, run, task, **(hooks or {}))


def size_task(config, dataset, **options):
    return SameSize(config, dataset, "of-this-run", 4, **options)


def stability_task(config, dataset):
    return StabilityCheck(config, dataset, "of-this-run", n=2)


def parts(config, dataset):
    split, y = dataset.split(test_size=0.3, seed=config.random_state), np.asarray(dataset.y)
    return [part for rows in (split.train, split.test) for part in (dataset.X.iloc[rows], y[rows])]


def test_models_of_its_size_are_those_of_the_function(tmp_path, short):
    dataset = make_table(rows=150)
    store, record = done(tmp_path, size_task(short, dataset))
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
    store, record = done(tmp_path, size_task(short, dataset, ebm=True))
    metrics = store.open(record.id).metrics()
    assert metrics["ebm"] is True and metrics["peers"] == [["EBM", None, None, 0.5, 0.25]]
    ((rows, seed),) = given
    assert seed == short.random_state
    for one, expected in zip(rows, parts(short, dataset), strict=True):
        assert np.array_equal(one, expected)


def test_the_ebm_is_refused_where_it_is_not_installed(short, monkeypatch):
    monkeypatch.setattr(ebm, "missing", lambda: "It needs interpret.")
    dataset = make_table(rows=60)
    size_task(short, dataset).check()
    with pytest.raises(TrainingError, match="interpret"):
        size_task(short, dataset, ebm=True).check()


@pytest.mark.parametrize(("made", "early"), [(size_task, False), (stability_task, False), (stability_task, True)])
def test_a_stop_leaves_no_figures(tmp_path, short, made, early):
    steps, task = [], made(replace(short, early_stopping=early), make_table(rows=60))
    hooks = {"on_progress": lambda *step: steps.append(step), "stop_reason": lambda: "Stopped." if steps else ""}
    store, record = done(tmp_path, task, hooks)
    assert record.state == "stopped"
    with pytest.raises(RunError, match="no numbers"):
        store.open(record.id).metrics()


@pytest.mark.parametrize("readable", [False, True])
def test_the_stability_is_that_of_the_function(tmp_path, short, readable):
    dataset = make_table(rows=150)
    short = short.made_readable(n_rules=3, max_epochs=10) if readable else short
    store, record = done(tmp_path, stability_task(short, dataset))
    assert (record.state, record.task) == ("finished", "rule-stability")
    metrics = store.open(record.id).metrics()
    assert (metrics["of_run"], metrics["of"], len(metrics["lengths"])) == ("of-this-run", 2, 12)
    X, y = parts(short, dataset)[:2]
    expected = rule_stability(TSKClassifier(**short.to_dict()), X, y, n=2, max_antecedents=2)
    assert RuleStability.from_dict(metrics["lengths"][1]) == expected

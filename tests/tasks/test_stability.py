"""The task that checks how stable a run's rules are says what ``rule_stability`` says, and can be stopped."""

from dataclasses import replace

import numpy as np
import pytest

from tests.tables import make_table
from tsk_core import TSKClassifier, rule_stability
from tsk_core.errors import RunError
from tsk_core.explain import RuleStability
from tsk_core.runs import RunStore
from tsk_core.tasks import StabilityCheck, run_here


def check(folder, config, dataset, hooks=None):
    store = RunStore(folder)
    run, task = StabilityCheck(config, dataset, "of-this-run", n=3).create_run(store, "ada")
    return store, run_here(store, run, task, **(hooks or {}))


@pytest.mark.parametrize("readable", [False, True])
def test_it_says_what_the_function_says(tmp_path, short, readable):
    dataset = make_table(rows=150)
    short = short.made_readable(n_rules=3, max_epochs=10) if readable else short
    store, record = check(tmp_path, short, dataset)
    assert (record.state, record.task) == ("finished", "rule-stability")
    metrics = store.open(record.id).metrics()
    assert (metrics["of_run"], metrics["of"], len(metrics["lengths"])) == ("of-this-run", 3, 12)
    train = dataset.split(test_size=0.3, seed=short.random_state).train
    X, y = dataset.X.iloc[train], np.asarray(dataset.y)[train]
    expected = rule_stability(TSKClassifier(**short.to_dict()), X, y, n=3, max_antecedents=2)
    assert RuleStability.from_dict(metrics["lengths"][1]) == expected


@pytest.mark.parametrize("early", [False, True])
def test_a_stop_leaves_no_figures(tmp_path, short, early):
    dataset, steps = make_table(rows=150), []
    hooks = {"on_progress": lambda *step: steps.append(step), "stop_reason": lambda: "Stopped." if len(steps) > 3 else ""}
    store, record = check(tmp_path, replace(short, early_stopping=early), dataset, hooks)
    assert record.state == "stopped"
    with pytest.raises(RunError, match="no numbers"):
        store.open(record.id).metrics()

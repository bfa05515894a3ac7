"""Experiments: every point computed once, whatever stops them, and a worker left for those who watch a run."""

import json
from dataclasses import replace

import pytest

from tests.tables import make_table
from tsk_core.config import TrainConfig
from tsk_core.errors import LimitError
from tsk_core.experiments.plan import COMPARISON, SWEEP, Plan
from tsk_core.experiments.variants import cells, parse_axis, parse_variants
from tsk_core.runs import RunStore
from tsk_core.runs.folder import YIELDED
from tsk_core.tasks import EXPERIMENT, Experiment, experiment, perform, run_here
from tsk_core.tasks import task as task_module
from tsk_core.tasks.task import Context

BASE = TrainConfig(n_rules=3, max_epochs=5)


def compared(names=("none", "bn", "rbn"), base=BASE, seeds=2, **options):
    return Plan(COMPARISON, parse_variants(list(names), base), seeds=seeds, **options)


def swept(text="batch=16,32", seeds=2):
    axes = (parse_axis(text),)
    return Plan(SWEEP, cells(axes, BASE), seeds, axes=axes)


def run(store, plan, **hooks):
    name, task = Experiment(plan, make_table()).create_run(store, "ada")
    return run_here(store, name, task, **hooks)


def points_of(store, name):
    return {one["point"]: one for one in store.open(name).records(EXPERIMENT) if "point" in one}


def numbers(points):
    return {
        k: {name: value for name, value in point.items() if name not in ("seconds_share", "cached")}
        for k, point in points.items()
    }


def test_it_leaves_a_point_for_each_training_and_counts_them(tmp_path):
    store, plan = RunStore(tmp_path), compared()
    record = run(store, plan)
    assert (record.state, record.task) == ("finished", "comparison") and record.name.startswith("blobs: ")
    points = points_of(store, record.id)
    assert sorted(points) == list(range(6))
    assert [(p["variant"], p["seed"], p["split"]) for _, p in sorted(points.items())] == [
        (k, s, 0) for k in range(3) for s in range(2)
    ]
    metrics = store.open(record.id).metrics()
    assert (metrics["points"], metrics["computed"], metrics["cached"], metrics["diverged"]) == (6, 6, 0, 0)
    assert json.loads((store.open(record.id).path / "plan.json").read_text())["plan"] == plan.to_dict()
    best = max(sum(points[2 * k + s]["scores"]["last"][1] for s in range(2)) / 2 for k in range(3))
    assert record.bca == pytest.approx(best)


def test_a_point_is_computed_once_whoever_asks(tmp_path, monkeypatch):
    store = RunStore(tmp_path)
    first = run(store, compared())
    trained = []
    original = experiment.train_together
    monkeypatch.setattr(experiment, "train_together", lambda d, p, stack: trained.extend(stack) or original(d, p, stack))
    again = run(store, compared())
    assert not trained and numbers(points_of(store, again.id)) == numbers(points_of(store, first.id))
    assert all(point["cached"] for point in points_of(store, again.id).values())
    assert store.open(again.id).metrics()["cached"] == 6
    run(store, compared(("bn", "ur", "none"), seeds=3))
    assert len(trained) == 5  # all of "ur", and the third seed of the others


def test_a_stop_keeps_what_is_done_and_the_next_run_continues_to_the_same_figures(tmp_path):
    whole, parted = RunStore(tmp_path / "whole"), RunStore(tmp_path / "parted")
    plan = compared(("none", "bn", "rbn", "rules=4", "batch=16"), seeds=2)
    reference = numbers(points_of(whole, run(whole, plan).id))
    lines = []
    stopped = run(
        parted, plan, on_record=lambda series, line, head: lines.append(line),
        stop_reason=lambda: "Stopped." if sum(line.startswith('{"point"') for line in lines) >= 4 else "",
    )  # fmt: skip
    assert (stopped.state, stopped.message) == ("stopped", "Stopped.")
    kept = points_of(parted, stopped.id)
    assert 4 <= len(kept) < 10
    finished = run(parted, plan)
    assert parted.open(finished.id).metrics()["cached"] == len(kept)
    assert numbers(points_of(parted, finished.id)) == reference


def test_after_its_turn_it_lets_others_go_first_and_goes_on_where_it_was(tmp_path):
    store, plan = RunStore(tmp_path), compared(("none", "rbn", "rules=4"), seeds=1)
    name, task = Experiment(plan, make_table()).create_run(store, "ada")
    store.ledger.start(name)
    turns = 0
    while (ending := perform(task, Context(store.open(name), time_slice=0.0))) == YIELDED:
        turns += 1
        assert store.open(name).ending() is None and len(points_of(store, name)) == turns
        before = json.loads((store.open(name).path / experiment.EFFORT).read_text())
        assert before["computed"] == turns
    metrics = store.open(name).metrics()
    assert ending.state == "finished" and turns == 2
    assert (metrics["computed"], metrics["cached"]) == (3, 0) and metrics["seconds"] > before["seconds"] > 0


def test_validation_chooses_the_weight_once_and_a_stop_meanwhile_loses_no_more_than_its_group(tmp_path, monkeypatch):
    whole, parted = RunStore(tmp_path / "whole"), RunStore(tmp_path / "parted")
    plan, steps = compared(("none", "ur-val", "ur-bn-val"), replace(BASE, max_epochs=3), seeds=2), []
    finished = run(whole, plan, on_progress=lambda *step: steps.append(step[0]))
    reference = numbers(points_of(whole, finished.id))
    assert steps == sorted(steps) and steps[-1] == plan.epochs  # the bar goes on during the search and ends full
    group = 2 * plan.variants[1].search_epochs  # of one variant
    monkeypatch.setattr(task_module, "_PATIENCE", 0.0)
    steps.clear()
    stopped = run(
        parted, plan, on_progress=lambda *step: steps.append(step[0]),
        stop_reason=lambda: "Stopped." if steps and steps[-1] > 2 * 3 + group else "",
    )  # fmt: skip
    assert stopped.state == "stopped" and sorted(points_of(parted, stopped.id)) == [0, 1]
    searched = []
    original = experiment.choose_ur_weights
    count = lambda dataset, plan, group, tick: searched.extend(group) or original(dataset, plan, group, tick)  # noqa: E731
    monkeypatch.setattr(experiment, "choose_ur_weights", count)
    continued = run(parted, plan)
    assert numbers(points_of(parted, continued.id)) == reference and [one.variant for one in searched] == [2, 2]
    searched.clear()
    again = run(parted, plan)
    assert not searched and parted.open(again.id).metrics()["cached"] == 6


def test_a_sweep_has_baselines_on_the_same_splits(tmp_path):
    store, plan = RunStore(tmp_path), swept()
    record = run(store, plan)
    baselines = store.open(record.id).metrics()["baselines"]
    assert set(baselines) == {"majority", "logistic_regression", "random_forest"}
    assert all(len(scores[name]) == 2 for scores in baselines.values() for name in ("rca", "bca"))
    assert baselines["majority"]["bca"] == pytest.approx([1 / 3, 1 / 3]) and min(baselines["logistic_regression"]["rca"]) > 0.6
    (line,) = [one for one in store.open(record.id).records(EXPERIMENT) if "baselines" in one]
    assert line["baselines"] == baselines
    again = run(store, plan)
    assert store.open(again.id).metrics()["baselines"] == baselines


def test_too_many_trainings_or_one_too_large_are_refused_before_anything_is_written(tmp_path, monkeypatch):
    monkeypatch.setenv("TSK_MAX_EXPERIMENT_TRAININGS", "5")
    with pytest.raises(LimitError, match="TSK_MAX_EXPERIMENT_TRAININGS"):
        Experiment(compared(), make_table()).check()
    with pytest.raises(LimitError, match="Rules"):
        Experiment(compared(("rules=201",), seeds=1), make_table()).check()

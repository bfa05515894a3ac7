"""One visitor asks for everything on the page Paper; another one presses Train, or asks for one experiment. Turns are counted."""

from types import SimpleNamespace

import pytest

from tsk_core.errors import LimitError
from tsk_core.jobs.open_run import OpenRun
from tsk_core.jobs.open_runs import OpenRuns
from tsk_study import ALGORITHMS

GREEDY, HONEST = ("greedy", "192.0.2.1"), ("honest", "198.51.100.7")
EVERYTHING = 12 * len(ALGORITHMS)  # cells of the twelve datasets


def submit(runs, name, visitor, background):
    owner, address = visitor
    with runs.reserved(owner, background, address):
        runs.add(OpenRun(name, owner, None, 30, SimpleNamespace(), background, None, address))


def everything(workers):
    """The runs of a server with so many workers, all of which the greedy visitor's cells have or wait for."""
    runs = OpenRuns()
    runs.set_workers([f"worker {number}" for number in range(workers)])
    accepted = 0
    for number in range(EVERYTHING):
        try:
            submit(runs, f"cell {number}", GREEDY, background=True)
        except LimitError as error:
            assert "experiments, tunings and cells of the study" in str(error)
            break
        accepted += 1
    assert 0 < accepted < EVERYTHING
    while runs.take():
        pass
    return runs


def turns_until(runs, name):
    """How many cells end a turn, and go on waiting, before this run has a worker."""
    for turns in range(EVERYTHING):
        while runs.take():
            pass
        if runs.get(name).state == "running":
            return turns
        working = next(run for run in runs.running() if run.background)
        runs.requeue(working, "", lost=False)
    raise AssertionError("waited in vain")


@pytest.mark.parametrize(("workers", "turns"), [(1, 1), (2, 0), (8, 0)])
def test_another_visitors_training_begins_at_the_next_turn_or_at_once(workers, turns):
    runs = everything(workers)
    submit(runs, "training", HONEST, background=False)
    assert turns_until(runs, "training") == turns


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_another_visitors_experiment_begins_after_one_turn(workers):
    runs = everything(workers)
    submit(runs, "experiment", HONEST, background=True)
    assert turns_until(runs, "experiment") <= 1


def test_the_greedy_visitor_still_trains():
    runs = everything(2)
    submit(runs, "training", GREEDY, background=False)
    assert turns_until(runs, "training") == 0

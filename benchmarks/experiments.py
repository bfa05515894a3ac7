"""Comparisons and sweeps as stacks, beside the same trainings one by one: ``python -m benchmarks.experiments [NAME …]``.

Printed for each: seconds and processor seconds of the whole experiment, in one process with one thread; then processor seconds of
its trainings one by one, from a sample: alone with the same records, and as runs, which is what Train does. The paper's
settings, 60 epochs, 10 seeds; TSK_DATA_DIR has the tables.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tsk_core import load_dataset
from tsk_core.config import TrainConfig
from tsk_core.data import Dataset
from tsk_core.experiments.plan import COMPARISON, SWEEP, Plan, PlannedTraining
from tsk_core.experiments.stacks import stacks
from tsk_core.experiments.trainings import train_together
from tsk_core.experiments.variants import DEFAULT_VARIANTS, cells, parse_axis, parse_variants
from tsk_core.runs import RunStore
from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads
from tsk_core.tasks import LiveTraining, run_here

BASE = TrainConfig.paper(max_epochs=60)
SAMPLE = 8  # trainings that are done one by one


class Times(NamedTuple):
    """Of some trainings: wall-clock and processor seconds."""

    wall: float
    cpu: float


def compared(seeds: int = 10) -> Plan:
    """Four variants."""
    return Plan(COMPARISON, parse_variants(DEFAULT_VARIANTS, BASE), seeds)


def batch_sizes(seeds: int = 10) -> Plan:
    """The paper's eight batch sizes."""
    axes = (parse_axis("batch"),)
    return Plan(SWEEP, cells(axes, BASE), seeds, axes=axes)


EXPERIMENTS = {
    "compare-vehicle": ("vehicle", compared),
    "compare-satellite": ("satellite", compared),
    "batch-sizes-satellite": ("satellite", batch_sizes),
}


def timed(work: Callable[[], None]) -> Times:
    """Do it with one thread."""
    wall, cpu = time.perf_counter(), time.process_time()
    with torch_threads(1), denormals_as_zero():
        work()
    return Times(time.perf_counter() - wall, time.process_time() - cpu)


def as_stacks(dataset: Dataset, plan: Plan, groups: list[list[PlannedTraining]]) -> None:
    """Train these groups, each as one stack."""
    for group in groups:
        for _ in train_together(dataset, plan, group):
            pass


def as_runs(dataset: Dataset, plan: Plan, trainings: list[PlannedTraining]) -> None:
    """Train each as a run, with all that a run leaves."""
    with tempfile.TemporaryDirectory() as folder:
        store = RunStore(folder)
        for training in trainings:
            run, task = LiveTraining(training.config, dataset, plan.test_size).create_run(store, "benchmark")
            run_here(store, run, task)


def measure(name: str) -> str:
    """A line of the report."""
    data, make = EXPERIMENTS[name]
    dataset, plan = load_dataset(data), make()
    trainings = plan.trainings()
    together = timed(lambda: as_stacks(dataset, plan, stacks(dataset, plan, trainings, dataset.X.shape[1])))
    chosen = [trainings[at] for at in np.linspace(0, len(trainings) - 1, SAMPLE).round().astype(int)]
    alone = timed(lambda: as_stacks(dataset, plan, [[training] for training in chosen])).cpu * len(trainings) / SAMPLE
    runs = timed(lambda: as_runs(dataset, plan, chosen)).cpu * len(trainings) / SAMPLE
    return (
        f"{name}: {len(trainings)} trainings, {together.wall:.1f} s, {together.cpu:.1f} s of processor; one by one {alone:.1f} s"
        f" ({alone / together.cpu:.1f} times), as runs {runs:.1f} s ({runs / together.cpu:.1f} times)"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(EXPERIMENTS))
    for name in parser.parse_args().names or EXPERIMENTS:
        print(measure(name), flush=True)


if __name__ == "__main__":
    main()

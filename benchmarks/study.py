"""How long the paper's protocol takes: the MBGD family on one split of each dataset, and what that makes for 30 splits.

    TSK_DATA_DIR=folder python -m benchmarks.study [--split 0] [--workers 2] [--datasets all]

Prints seconds of processor time for each dataset, microseconds a step of one model, and how many times faster than a step of the
authors' code that is. A step's time has everything in it: shuffling, validation after each epoch, clustering.
"""

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tsk_core.data import load_dataset
from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads
from tsk_core.study.names import MBGD, PAPER, parse_datasets
from tsk_core.study.parts import TEST_SIZE
from tsk_core.study.protocol import train_cells
from tsk_core.study.running import families

AUTHORS = 858.0  # microseconds of a step of their code, R = 20 on Satellite, on a processor like ours
SPLITS, HELD_OUT = 30, 0.2


def measured(job: tuple[str, tuple[str, ...], int]) -> tuple[str, float, int]:
    """The dataset, seconds of processor time, and steps of one model each."""
    name, family, split = job
    dataset, epochs = load_dataset(name), [0]

    def tick() -> None:
        epochs[0] += 1

    with torch_threads(1), denormals_as_zero():
        began = time.process_time()
        results = train_cells(dataset, [(algorithm, split) for algorithm in family], tick)
        seconds = time.process_time() - began
    rows = len(dataset.y) * (1 - TEST_SIZE)
    final = sum(result.epochs for result in results)
    steps = (epochs[0] - final) * -(-rows * (1 - HELD_OUT) // 64) + final * -(-rows // 64)
    return name, seconds, int(steps)


def main() -> None:
    """Measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--split", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--datasets", default="all")
    options = parser.parse_args()
    names = parse_datasets(options.datasets)
    jobs = [
        (name, family, options.split) for name in reversed(names) for family in families([one for one in MBGD if one in PAPER])
    ]
    began = time.perf_counter()
    with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
        found = list(pool.map(measured, jobs))
    wall = time.perf_counter() - began
    for name in names:
        seconds, steps = (sum(one[k] for one in found if one[0] == name) for k in (1, 2))
        print(f"{name:12} {seconds:7.1f} s {steps:10,} steps {1e6 * seconds / steps:6.1f} µs a step")
    seconds, steps = (sum(one[k] for one in found) for k in (1, 2))
    step = 1e6 * seconds / steps
    faster = f"{AUTHORS / step:.0f} times faster than the authors' code"
    print(f"{'all':12} {seconds:7.1f} s {steps:10,} steps {step:6.1f} µs a step, {faster}")
    print(f"{wall:.0f} s with {options.workers} workers; {SPLITS} splits: {SPLITS * seconds / options.workers / 60:.0f} minutes")


if __name__ == "__main__":
    main()

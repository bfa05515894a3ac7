"""One owner submits 200 runs: how much longer does another one wait? ``python -m tests.load.fairness``.

With the quotas off. The other owner submits one run after the other; its wait is the time from submitting to the result,
first with the server to itself, then behind the 200. The issue asks for at most twice as long.
"""

import os
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.load.figures import options, percentiles, show

QUOTAS_OFF = {"TSK_MAX_QUEUED_PER_OWNER": "100000", "TSK_MAX_QUEUED": "100000"}


def fairness(engine, dataset, *, crowd: int, runs: int, epochs: int) -> dict:
    """Waits of one owner's ``runs`` runs without and with another's ``crowd`` runs in the queue; ends what is left of those.

    ``began_before_its_turn``: the most runs of the greedy owner that began between one submit of the other's and its beginning.
    """
    from tsk_core import TrainConfig

    config = TrainConfig(n_rules=10, max_epochs=epochs, random_state=0)
    for _ in range(2):
        engine.result(engine.submit(config, dataset, owner="first"), timeout=120)  # everything is loaded then
    alone = [_train(engine, config, dataset) for _ in range(runs)]
    greedy = [engine.submit(config, dataset, owner="greedy") for _ in range(crowd)]
    behind = [_train(engine, config, dataset) for _ in range(runs)]
    waiting = sum(not engine.status(run).ended for run in greedy)
    for run in greedy:
        engine.stop(run)
    for run in greedy:
        while not engine.status(run).ended:
            time.sleep(0.02)
    begun = [engine.store.record(run).started for run in greedy]
    return {
        "alone_s": percentiles([run.waited for run in alone]),
        "behind_s": percentiles([run.waited for run in behind]),
        "in_line_alone_s": percentiles([run.started - run.created for run in alone]),
        "in_line_behind_s": percentiles([run.started - run.created for run in behind]),
        "ratio_of_medians": round(_median(behind) / _median(alone), 2),
        "began_before_its_turn": max(sum(run.created < at < run.started for at in begun if at) for run in behind),
        "still_in_line_at_the_end": waiting,
    }


@dataclass(frozen=True)
class _Run:
    """The other owner's: when it was submitted and began (seconds since 1970), and how long its owner waited for the result."""

    created: float
    started: float
    waited: float


def _train(engine, config, dataset) -> _Run:
    before = time.monotonic()
    run = engine.submit(config, dataset, owner="other")
    engine.result(run, timeout=300)
    record = engine.store.record(run)
    return _Run(record.created, record.started, time.monotonic() - before)


def _median(runs: list[_Run]) -> float:
    return statistics.median(run.waited for run in runs)


def main() -> None:
    """Read the arguments, run, print."""
    asked = options(
        __doc__, crowd=(200, "runs of the greedy owner"), runs=(10, "runs of the other one"), epochs=(200, "epochs of each run"),
        workers=("2", "worker processes"),
    )  # fmt: skip
    os.environ.update(QUOTAS_OFF, TSK_WORKERS=asked.workers)
    from tsk_core import load_dataset
    from tsk_core.jobs import Engine

    with tempfile.TemporaryDirectory() as folder, Engine(Path(folder)) as engine:
        figures = fairness(engine, load_dataset("iris"), crowd=asked.crowd, runs=asked.runs, epochs=asked.epochs)
    show(f"one owner's wait, alone and behind another's {asked.crowd} runs", figures)


if __name__ == "__main__":
    main()

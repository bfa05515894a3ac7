"""How long somebody waits beside an owner of 200 runs: ``python -m benchmarks.fairness [--crowd 200] [--workers 1] [--json]``.

With quotas off, on the embedded cluster: one person's run from Train to its end, alone and while another owner has a crowd of
equal runs in line; the median of some tries each. The ratio should stay at most 2: what is training ends first, then it is
their turn.
"""

import argparse
import json
import os
import statistics
import tempfile
import time

from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset
from tsk_core.jobs import Engine

QUOTAS_OFF = {"TSK_MAX_QUEUED": "10000", "TSK_MAX_QUEUED_PER_OWNER": "10000", "TSK_MAX_RUNNING_PER_OWNER": "10000"}


def seconds_to_end(engine: Engine, config: TrainConfig, dataset) -> float:
    """From submitting one run to its end."""
    began = time.monotonic()
    run = engine.submit(config, dataset, owner="one")
    while not engine.status(run).ended:
        time.sleep(0.005)
    return time.monotonic() - began


def measure(crowd: int, workers: int, epochs: int, tries: int) -> dict[str, float]:
    """Median seconds alone and beside the crowd, and their ratio."""
    os.environ |= QUOTAS_OFF | {"TSK_WORKERS": str(workers)}
    dataset, config = load_dataset("iris"), TrainConfig(n_rules=10, max_epochs=epochs, random_state=0)
    with tempfile.TemporaryDirectory() as folder, Engine(folder) as engine:
        for _ in range(workers):  # the first runs of a worker are slower
            seconds_to_end(engine, config, dataset)
        alone = [seconds_to_end(engine, config, dataset) for _ in range(tries)]
        others = [engine.submit(config, dataset, owner="crowd") for _ in range(crowd)]
        beside = [seconds_to_end(engine, config, dataset) for _ in range(tries)]
        still_waiting = sum(engine.status(run).state == "queued" for run in others)
        for run in others:
            engine.stop(run)
    alone_s, beside_s = statistics.median(alone), statistics.median(beside)
    return {"alone_s": alone_s, "beside_s": beside_s, "ratio": beside_s / alone_s, "crowd_still_waiting": still_waiting}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--crowd", type=int, default=200)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=300)
    parser.add_argument("--tries", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = measure(options.crowd, options.workers, options.epochs, options.tries)
    if options.json:
        print(json.dumps(found))
    else:
        print("alone {alone_s:.2f} s, beside the crowd {beside_s:.2f} s, ratio {ratio:.2f}".format(**found))
        print("runs of the crowd still in line at the end: {crowd_still_waiting}".format(**found))


if __name__ == "__main__":
    main()

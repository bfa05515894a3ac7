"""A large CSV file read, profiled and encoded: ``python -m benchmarks.reading [--rows 200000] [--columns 50] [--json]``.

Writes the file into a temporary folder and takes it through ``read_table``, ``make_dataset`` and ``Encoder``, as the command
line does. Prints seconds, and megabytes resident at the peak: of this process and of the ones that read for it, each by itself
and both at one moment, sampled 200 times a second.
"""

import argparse
import json
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import psutil


def write(path: Path, rows: int, columns: int) -> None:
    """Numbers of six digits and three classes."""
    rng = np.random.default_rng(0)
    with path.open("w") as file:
        file.write(",".join([*(f"x{k}" for k in range(columns - 1)), "class"]) + "\n")
        for start in range(0, rows, 10_000):
            size = min(10_000, rows - start)
            for values, label in zip(rng.normal(size=(size, columns - 1)), rng.choice(["a", "b", "c"], size), strict=True):
                file.write(",".join([*(f"{v:.5f}" for v in values), label]) + "\n")


class Peak:
    """Memory of this process and its children while a ``with`` block runs: ``here``, ``there`` and ``both``, in MB."""

    def __enter__(self) -> "Peak":
        self.here = self.there = self.both = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        me = psutil.Process()
        while not self._over.wait(0.005):
            here, there = me.memory_info().rss / 1e6, sum(map(_own, me.children(recursive=True)))
            self.here, self.there, self.both = max(self.here, here), max(self.there, there), max(self.both, here + there)


def _own(process: psutil.Process) -> float:
    """Megabytes that a process shares with no other: a child made by fork shares its libraries with its parent."""
    try:
        return process.memory_full_info().pss / 1e6
    except psutil.Error:  # it ended just now
        return 0.0


def measure(path: Path) -> dict[str, float]:
    """Seconds for each step, then the peaks in MB."""
    from tsk_core.data import Encoder, make_dataset, read_table
    from tsk_core.data.reading import warm

    warm()
    with Peak() as peak:
        times = [time.perf_counter()]
        raw = read_table(path)
        times.append(time.perf_counter())
        dataset = make_dataset(raw.frame, "class", name=raw.name, findings=raw.findings)
        times.append(time.perf_counter())
        features = dataset.X
        encoded = Encoder().fit(features).transform(features)
        times.append(time.perf_counter())
    steps = dict(zip(("read", "profile", "encode"), np.diff(times).tolist(), strict=True))
    assert len(encoded) == len(dataset.frame)
    return steps | {"seconds": times[-1] - times[0], "here": peak.here, "there": peak.there, "both": peak.both}


def main() -> None:
    """Write, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--columns", type=int, default=50)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        write(path, options.rows, options.columns)
        size = path.stat().st_size / 1e6
        found = measure(path)
    if options.json:
        print(json.dumps(found))
        return
    print(f"{options.rows:,} rows, {options.columns} columns, {size:.0f} MB")
    print("  ".join(f"{step} {found[step]:.2f} s" for step in ("read", "profile", "encode", "seconds")))
    print("  ".join(f"{where} {found[where]:.0f} MB" for where in ("here", "there", "both")))


if __name__ == "__main__":
    main()

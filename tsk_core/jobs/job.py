"""What runs inside a Dask worker: one run, with its epochs sent to the engine as they come.

The scheduler imports this file too, to read a job, so what is heavy is imported when the job runs.
"""

import time
from pathlib import Path
from typing import Any

import psutil
from distributed import get_worker

from tsk_core.config import TrainConfig

__all__ = ["STOPPED", "run_job"]

STOPPED = "Stopped by hand."
MEMORY_SHARE = 0.8  # of the worker's memory; at 95% Dask kills the worker, and the run with it


def run_job(store_dir: str, run: str, config: TrainConfig, dataset: Any, test_size: float, topic: str, attempt: int) -> str:
    """Train one run and return the state it ended in. Its epochs go to ``topic`` as {run, attempt, epoch}."""
    import torch

    from tsk_core.jobs.store import RunStore
    from tsk_core.jobs.training import train_run

    torch.set_num_threads(1)  # both settings hold for the calling thread, so they are made here and not in the preload
    torch.set_flush_denormal(True)
    worker = get_worker()
    store = RunStore(store_dir, recover=False)
    memory = _MemoryGuard(getattr(getattr(worker, "memory_manager", None), "memory_limit", None))

    def should_stop() -> str:
        return STOPPED if store.asked_to_stop(run) else memory.reason()

    def send(epoch: Any) -> None:
        worker.log_event(topic, {"run": run, "attempt": attempt, "epoch": epoch.to_dict()})

    return train_run(Path(store_dir), run, config, dataset, test_size, should_stop, send).state


class _MemoryGuard:
    """Says when this process nears ``limit`` bytes (None: never), looking at most twice a second."""

    def __init__(self, limit: int | None) -> None:
        self._limit, self._process, self._next = limit, psutil.Process(), 0.0

    def reason(self) -> str:
        if not self._limit or time.monotonic() < self._next:
            return ""
        self._next = time.monotonic() + 0.5
        used = self._process.memory_info().rss
        if used < MEMORY_SHARE * self._limit:
            return ""
        return f"Stopped at {used / 1e6:,.0f} MB, the most one run may use here; use fewer rules, rows or columns."

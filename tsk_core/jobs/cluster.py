"""The Dask cluster that runs train in. ``python -m tsk_core.jobs.cluster`` is the embedded one, in a process of its own.

Its own process, because a cluster started inside a Streamlit script makes its children run that script again.
The process prints its address as one line, and ends when its standard input does: a parent that dies, even by kill -9,
takes it along, and the workers end with it. TSK_WORKERS sets the number of workers (default: one a CPU).
"""

import contextlib
import logging
import os
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tsk_core.errors import RunError, SettingError

__all__ = ["Cluster"]

MEMORY = "1GiB"  # of one worker
CONNECT_SECONDS = 20
START_SECONDS = 60  # a cluster whose workers do not come up would wait for them for ever
_QUIET = "ignore::UserWarning:multiprocessing.resource_tracker"  # it reports what it cleans up when all end at once


class Cluster:
    """A connection to a cluster: an embedded one that ends with this object, or a running one at ``address``.

    on_message: called with each message a job sends, from the connection's thread.
    """

    def __init__(self, on_message: Callable[[dict], None], address: str | None = None) -> None:
        self._on_message, self._address = on_message, address
        self._topic = f"tsk-{uuid.uuid4().hex}"  # one for all runs: Dask keeps each topic's last messages for ever
        self._process: subprocess.Popen | None = None
        self._client: Any = None
        self.workers = 0

    def start(self) -> None:
        """Start (2 to 4 seconds) or connect; RunError when that fails."""
        import dask
        from distributed import Client

        # a table travels inside its job, on this machine: no news worth a warning
        dask.config.set({"distributed.admin.large-graph-warning-threshold": "1GiB"})
        for name in ("distributed.client", "distributed.core", "distributed.comm", "distributed.batched"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # a lost cluster is noticed, handled and said by the engine
        address = self._address or self._start_process()
        try:
            self._client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False, name="tsk")
            self._client.subscribe_topic(self._topic, lambda event: self._on_message(event[1]))
            self.count_workers()
        except (OSError, ValueError) as error:
            raise RunError(f"No Dask scheduler answers at {address} ({type(error).__name__}).") from error

    def count_workers(self) -> int:
        """Ask how many jobs fit at once."""
        self.workers = max(1, len(self._client.scheduler_info()["workers"]))
        return self.workers

    def submit(self, on_done: Callable[[Any], None], *args: Any, attempt: int) -> Any:
        """Hand over one job (``run_job``'s arguments up to ``test_size``); ``on_done`` gets its future when it ended."""
        from tsk_core.jobs.job import run_job

        future = self._client.submit(run_job, *args, self._topic, attempt, key=f"run-{uuid.uuid4().hex}", pure=False, retries=0)
        future.add_done_callback(on_done)
        return future

    def is_alive(self) -> bool:
        """Whether the embedded cluster's process runs, or the connection to a remote one stands."""
        return self._process.poll() is None if self.is_embedded else self._client.status == "running"

    @property
    def is_embedded(self) -> bool:
        """Whether this object started the cluster."""
        return self._address is None

    def end(self) -> None:
        """End the embedded process and its workers, at any moment and from any thread; a remote cluster stays."""
        process = self._process
        if process is None:
            return
        with contextlib.suppress(OSError):
            process.stdin.close()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def close(self) -> None:
        """End what is embedded, and disconnect. For the thread that called ``start``."""
        self.end()
        if self._process is not None:
            self._process.stdout.close()
        if self._client is not None:
            with contextlib.suppress(Exception):  # nothing that goes wrong in closing matters to anyone
                self._client.close(timeout=2)

    def _start_process(self) -> str:
        root = str(Path(__file__).resolve().parents[2])
        path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tsk_core.jobs.cluster"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=os.environ | {"PYTHONPATH": path, "PYTHONWARNINGS": _QUIET, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"},
            start_new_session=True,  # Ctrl-C reaches the app alone, which then closes its cluster
        )  # fmt: skip
        address = self._process.stdout.readline().strip()
        if not address:
            raise RunError("The training service could not be started; the server's log has the details.")
        return address


def _worker_count() -> int:
    from dask.system import CPU_COUNT  # knows a container's share

    text = os.environ.get("TSK_WORKERS", str(CPU_COUNT))
    if not text.strip().isdecimal() or int(text) < 1:
        raise SettingError(f"The environment variable TSK_WORKERS is {text!r}; set it to a whole number of at least 1.")
    return int(text)


def main() -> None:
    """Run the embedded cluster until standard input ends."""
    import dask
    from distributed import LocalCluster

    threading.Thread(target=_end_with_input, daemon=True).start()
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()
    give_up = threading.Timer(START_SECONDS, os._exit, (1,))
    give_up.daemon = True
    give_up.start()
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what workers print must not fill a pipe that nobody reads
    dask.config.set(
        {
            "distributed.scheduler.allowed-failures": 0,  # the engine's queue runs a lost run again, knowing whose it is
            "distributed.worker.memory.target": False,  # a job guards its own memory; pausing would strand the next one
            "distributed.worker.memory.spill": False,
            "distributed.worker.memory.pause": False,
            "distributed.worker.profile.enabled": False,
            "distributed.scheduler.http.routes": [],  # Dask opens its web port even without a dashboard: nothing to see there
            "distributed.worker.http.routes": [],
        }
    )
    cluster = LocalCluster(
        n_workers=_worker_count(), threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None,
        scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},  # or it takes port 8787 where that is free
        memory_limit=MEMORY, silence_logs=logging.CRITICAL, preload=["tsk_core.jobs.preload"],
    )  # fmt: skip
    give_up.cancel()
    print(cluster.scheduler_address, file=answer, flush=True)
    answer.close()
    threading.Event().wait()


def _end_with_input() -> None:
    sys.stdin.buffer.read()
    os._exit(0)  # workers end with this process; an orderly close would wait for their trainings


def _end_with_parent(parent: int) -> None:
    """Standard input alone is not enough: a fork of the parent may hold its other end open."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


if __name__ == "__main__":
    main()

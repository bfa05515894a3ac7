"""The Dask cluster that runs train in. ``python -m tsk_core.jobs.cluster`` is the embedded one, in a process of its own.

Its own process, because a cluster started inside a Streamlit script makes its children run that script again. It ends with its
parent, and the workers end with it (runtime/child_process.py). TSK_WORKERS sets the number of workers (default: one a CPU),
TSK_WORKER_MB the memory of each in MiB (default: by the build of torch). No extensions of Dask run in it: nothing here uses them,
and its spans alone would keep a record of every run for ever.

Whoever may connect to a scheduler or a worker can run any code, and every account of a machine reaches its loopback addresses. So
all connections are TLS with credentials of this one cluster. It prints them, with its address, as one line of JSON; apart from
this pipe only the memory of the processes has them. docs/decisions/0027
"""

import contextlib
import importlib
import json
import logging
import os
import stat
import tempfile
import threading
import time
import uuid
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tsk_core import limits
from tsk_core.errors import RunError
from tsk_core.runtime.child_process import ChildError, ChildProcess, end_with_parent

MEGABYTES, MEGABYTES_CUDA = 1024, 2048  # memory of one worker; torch's build for graphics cards takes some 500 more by itself
CONNECT_SECONDS = 20
TRY_SECONDS = 3
ANSWER_SECONDS = 10
RESTART_SECONDS = 5
END_SECONDS = 5
START_SECONDS = 90  # with its imports; a cluster whose workers do not start would wait for them for ever
# What a task is made of. The scheduler unpickles each that it passes on; so the first run does not wait for its imports.
READ_BY_SCHEDULER = (
    "pandas",
    "tsk_core.data.dataset",
    "tsk_core.data.clean.pipeline",
    "tsk_core.tasks.live_training",
    "tsk_core.jobs.worker",
)
_SHORT_MEMORY = {  # Dask keeps histories that nothing here reads, and that would grow for hours
    "distributed.admin.log-length": 100,
    "distributed.admin.low-level-log-length": 100,
    "distributed.admin.system-monitor.log-length": 10,
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.admin.system-monitor.disk": False,
    "distributed.diagnostics.computations.max-history": 1,
    "distributed.diagnostics.erred-tasks.max-history": 1,
}
_ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONWARNINGS": "ignore::UserWarning:multiprocessing.resource_tracker",  # it reports what it cleans up when all end at once
}


class Cluster:
    """A connection to a cluster: an embedded one that ends with this object, or a running one at ``address``.

    on_message: called with each message a task sends, from the connection's thread.
    """

    def __init__(self, on_message: Callable[[dict[str, Any]], None], address: str | None = None) -> None:
        self._on_message, self._address = on_message, address
        self._topic = f"tsk-{uuid.uuid4().hex}"  # one for all runs: Dask keeps each topic's last messages for ever
        self._process: ChildProcess | None = None
        self._client: Any = None
        self._ended = threading.Event()
        self._lock = threading.Lock()  # between starting the process and ending it

    def start(self) -> None:
        """Start (2 to 4 seconds) or connect; RunError when that fails, or when ``end`` was called meanwhile."""
        import dask
        import distributed  # noqa: F401 - it sets its loggers' levels when it is first imported

        # a table travels inside its task, on this machine: not worth a warning
        dask.config.set({"distributed.admin.large-graph-warning-threshold": "1GiB"})
        for name in ("distributed.client", "distributed.core", "distributed.comm", "distributed.batched"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # the engine notices a lost cluster, handles it and reports it
        try:
            address, security = (self._address, None) if self._address else self._start_process()
        except ChildError as error:
            why = f"its process {error.what}"
            raise RunError(f"The training service could not be started: {why}; the server's log has the details.") from error
        self._client = self._connect(address, security)
        self._client.subscribe_topic(self._topic, lambda event: self._on_message(event[1]))

    def workers(self) -> list[str]:
        """The addresses of the workers that are there now; each takes one task at a time. OSError without an answer."""
        answer = self._client.sync(self._client.scheduler.identity, n_workers=-1, callback_timeout=ANSWER_SECONDS)
        return [address for address, worker in answer["workers"].items() if worker["status"] == "running"]

    def submit(self, worker: str, on_done: Callable[[Any], None], *args: Any) -> Any:
        """Hand one task (``run_task``'s arguments but for the topic) to a worker; ``on_done`` gets its future when it ended."""
        from tsk_core.jobs.worker import run_task

        key = f"run-{uuid.uuid4().hex}"
        future = self._client.submit(run_task, self._topic, *args, workers=[worker], key=key, pure=False, retries=0)
        future.add_done_callback(on_done)
        return future

    def restart(self, worker: str) -> None:
        """End a worker's process, whatever it does; its nanny starts a new one. All that ran in it is lost."""
        with contextlib.suppress(Exception):  # it may have ended by itself; the list of workers shows it
            self._client.restart_workers([worker], timeout=RESTART_SECONDS, raise_for_error=False)

    def is_alive(self) -> bool:
        """Whether the embedded cluster's process runs, or the connection to a remote one stands."""
        if self.is_embedded:
            return self._process is not None and self._process.is_alive()
        return bool(self._client.status == "running")

    @property
    def is_embedded(self) -> bool:
        """Whether this object started the cluster."""
        return self._address is None

    def end(self) -> None:
        """End the embedded process and its workers, at any moment and from any thread; a remote cluster stays."""
        self._ended.set()
        with self._lock:
            process = self._process
        if process is not None:
            process.close(END_SECONDS)

    def close(self) -> None:
        """End what is embedded, and disconnect. For the thread that called ``start``."""
        self.end()
        if self._client is not None:
            with contextlib.suppress(Exception):  # nothing that goes wrong in closing matters to anyone
                self._client.close(timeout=2)

    def _connect(self, address: str, security: Any) -> Any:
        """A client, in short attempts, since one that waits for a scheduler cannot be cancelled.

        security: of the embedded cluster; None for what Dask's own settings say.
        """
        from distributed import Client

        deadline = time.monotonic() + CONNECT_SECONDS
        while not self._ended.is_set():
            try:
                timeout = min(TRY_SECONDS, CONNECT_SECONDS)
                return Client(  # type: ignore[no-untyped-call]  # distributed is typed in part
                    address, timeout=timeout, security=security, set_as_default=False, name="tsk"
                )
            except (OSError, ValueError, RuntimeError) as error:  # no answer; no such address; no usable certificate
                if time.monotonic() > deadline or not isinstance(error, OSError):
                    raise RunError(f"No Dask scheduler answers at {address} ({type(error).__name__}).") from error
        raise RunError("The server stopped.")

    def _start_process(self) -> tuple[str, Any]:
        """The address of a new cluster, and what a client needs to be let in."""
        from distributed import Security

        with self._lock:
            if self._ended.is_set():
                raise RunError("The server stopped.")
            self._process = ChildProcess("tsk_core.jobs.cluster", environment=_ENVIRONMENT)
        line = self._process.wait_until_ready(START_SECONDS)
        address, certificate, key = json.loads(line)
        credentials = {"tls_ca_file": certificate, "tls_client_cert": certificate, "tls_client_key": key}
        return address, Security(require_encryption=True, **credentials)  # type: ignore[no-untyped-call]  # as above


def worker_megabytes() -> int:
    """The memory of one worker where TSK_WORKER_MB does not say it, by the build of torch that is installed."""
    torch = find_spec("torch")
    libraries = Path(torch.origin).parent / "lib" if torch is not None and torch.origin else Path()
    return MEGABYTES_CUDA if any(libraries.glob("*torch_cuda*")) else MEGABYTES


def main() -> None:
    """Run the embedded cluster until its parent ends it: at once, since an orderly end would wait for the trainings."""
    import dask
    from dask.system import CPU_COUNT  # knows a container's share
    from distributed import LocalCluster, Security

    os.umask(0o077)  # what workers write is nobody else's
    end_with_parent()
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what workers print must not fill the pipe
    dask.config.set(
        {
            "temporary-directory": _scratch(),
            "distributed.scheduler.allowed-failures": 0,  # the engine's queue runs a lost run again, knowing whose it is
            "distributed.worker.memory.target": False,  # a task guards its own memory; pausing would strand the next one
            "distributed.worker.memory.spill": False,
            "distributed.worker.memory.pause": False,
            "distributed.worker.profile.enabled": False,
            "distributed.scheduler.http.routes": [],  # Dask opens its web port even without a dashboard: nothing to see there
            "distributed.worker.http.routes": [],
            # else a worker that is killed again, or takes longer than that to start, would be closed for good
            "distributed.deploy.lost-worker-timeout": "1000 days",
            **_SHORT_MEMORY,
        }
    )
    scheduler = {"dashboard": False, "dashboard_address": "127.0.0.1:0"}  # or it takes port 8787 where that is free
    security = Security.temporary()  # type: ignore[no-untyped-call]  # as above
    cluster = LocalCluster(  # type: ignore[no-untyped-call]  # as above
        n_workers=limits.whole_number("TSK_WORKERS") or CPU_COUNT, threads_per_worker=1, processes=True, host="127.0.0.1",
        security=security, memory_limit=(limits.whole_number("TSK_WORKER_MB") or worker_megabytes()) * 2**20,
        dashboard_address=None, silence_logs=logging.CRITICAL,
        preload=["tsk_core.jobs.preload"], extensions={}, scheduler_kwargs=scheduler | {"extensions": {}},
    )  # fmt: skip
    print(json.dumps([cluster.scheduler_address, security.tls_client_cert, security.tls_client_key]), file=answer, flush=True)
    answer.close()
    with contextlib.suppress(ImportError):  # a run says it, in one sentence
        for name in READ_BY_SCHEDULER:
            importlib.import_module(name)
    threading.Event().wait()


def _scratch() -> str:
    """A folder that only this account may enter: Dask puts it in front of the workers' import path.

    The same one at each start, so that Dask clears what killed workers left.
    """
    if not hasattr(os, "getuid"):  # Windows: each account has a folder for temporary files of its own
        folder = Path(tempfile.gettempdir()) / "tsk-explorer"
        folder.mkdir(exist_ok=True)
        return str(folder)
    folder = Path(tempfile.gettempdir()) / f"tsk-explorer-{os.getuid()}"
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    status = folder.lstat()
    if (status.st_uid, status.st_mode) == (os.getuid(), stat.S_IFDIR | 0o700):
        return str(folder)
    return tempfile.mkdtemp(prefix="tsk-explorer-")  # another account was there first


if __name__ == "__main__":
    main()

"""A cluster whose workers are threads of this process: what the engine does, without the seconds that processes take to start.

``run_task`` runs in them as it does in Dask's; what needs a process to be killed, to hang or to run out of memory has a real
cluster (test_cluster.py).
"""

import pickle  # noqa: TID251 - as Dask sends a task
import threading
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from tsk_core.jobs import Engine
from tsk_core.jobs.control import Control
from tsk_core.jobs.worker import run_task


class Killed(BaseException):
    """The process of a worker ended."""


class Future:
    """What Dask tells of a task that has ended."""

    def __init__(self, status, error=None):
        self.status, self._error = status, error

    def exception(self):
        return self._error


class Worker:
    """What a task asks of its worker, and what its control finds once the worker was killed."""

    def __init__(self, cluster, address):
        self.cluster, self.address, self.loop, self.killed = cluster, address, self, threading.Event()

    def log_event(self, topic, message):
        if not self.killed.is_set():
            self.cluster.on_message(message)

    def add_callback(self, call_later, seconds, call):
        call_later(seconds, call)

    def call_later(self, seconds, call):
        timer = threading.Timer(seconds, call)
        timer.daemon = True
        timer.start()


class ThreadCluster:
    """Stands in for ``Cluster``; each task has a thread, of which any number may wait in one worker."""

    size, here = 2, threading.local()

    def __init__(self, on_message, address=None):
        self.on_message, self.is_embedded, self._threads, self._given = on_message, True, [], {}
        self._workers = [Worker(self, f"worker {number}") for number in range(self.size)]
        self._ended = threading.Event()

    def start(self):
        self._ended.clear()

    def workers(self):
        return [worker.address for worker in self._workers]

    def is_alive(self):
        return not self._ended.is_set()

    def worker_of(self, run):
        """The worker that a run was last given to."""
        return self._given[run]

    def submit(self, worker, on_done, *args):
        self._given[args[1]] = worker
        sent = pickle.dumps(args)
        for place in (one for one in self._workers if one.address == worker):  # a task for one that has gone stays where it is
            self._threads.append(threading.Thread(target=self._work, args=(place, on_done, sent), daemon=True))
            self._threads[-1].start()

    def _work(self, worker, on_done, sent):
        from distributed import KilledWorker

        self.here.worker = worker
        try:
            run_task("topic", *pickle.loads(sent))  # noqa: S301 - it is ours
            future = Future("finished")
        except Killed:
            future = Future("error", KilledWorker("task", worker.address, 1)) if self.is_alive() else Future("lost")
        except Exception as error:
            future = Future("error", error)
        on_done(future)

    def restart(self, worker):
        """Kill a worker; a new one comes in its place."""
        (place,) = (at for at, one in enumerate(self._workers) if one.address == worker)
        old, self._workers[place] = self._workers[place], Worker(self, f"{worker}, again")
        old.killed.set()

    def end(self):
        self._ended.set()
        for worker in self._workers:
            worker.killed.set()

    def close(self):
        self.end()
        for thread in self._threads:
            thread.join(60)


class MortalControl(Control):
    """A control that ends its task where the worker was killed."""

    def stop_reason(self):
        if ThreadCluster.here.worker.killed.is_set():
            raise Killed
        return super().stop_reason()


@contextmanager
def thread_workers(number):
    """Engines have so many workers of this kind; yields the clusters that they start."""
    clusters = []

    def start(*args):
        clusters.append(ThreadCluster(*args))
        return clusters[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ThreadCluster, "size", number)
        patch.setattr("tsk_core.jobs.supervisor.Cluster", start)
        patch.setattr("tsk_core.jobs.worker.Control", MortalControl)
        patch.setattr("tsk_core.jobs.worker.get_worker", lambda: ThreadCluster.here.worker)
        yield clusters


@contextmanager
def thread_engine(folder, workers):
    """An engine with such workers, and its clusters."""
    with thread_workers(workers) as clusters, Engine(folder) as engine:
        yield SimpleNamespace(engine=engine, clusters=clusters)

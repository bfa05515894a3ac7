"""Where tasks run: in worker processes of a Dask cluster. Knows the task protocol, and nothing of training.

engine.py      submit, status, follow, stop, pause, result: the only door for pages, scripts and the command line
dispatcher.py  which open run has which worker; steering.py: stop, pause, step, resume for one of them
supervisor.py  the thread that keeps a cluster up and sees to leases, long pauses, workers that are lost or hang
queue.py       who is next, by turns of owners; quota.py: how many runs an owner may have; wait_estimate.py: how long the wait
status.py      where a run stands
cluster.py     the embedded cluster in a process of its own, and how it is started and ended
worker.py      what runs inside a worker; preload.py: what a worker imports first; pausing.py: how it waits
control.py     the files by which a run is told to stop, to wait, to go on

Importing this package loads neither Dask nor torch; each name loads its file when first used.
"""

from importlib import import_module

__all__ = ["Engine", "Outlook", "Status"]

_HOMES = {"Engine": "engine", "Outlook": "wait_estimate", "Status": "status"}


def __getattr__(name: str):
    """Load a public name from its file on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)

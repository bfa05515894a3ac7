"""Where training runs: in worker processes of a Dask cluster, kept on disk.

``Engine`` takes runs, streams their epochs and gives their results; ``Result`` and ``Status`` are what it
answers; ``RunStore`` is the folder they are kept in.

engine.py    submit, status, follow, stop, result: the only door for pages, scripts and the command line
queue.py     who is next: round robin between owners
status.py    where a run stands
cluster.py   the embedded cluster in a process of its own, and how it is started and ended
job.py       what runs inside a worker; preload.py: what a worker imports first
training.py  one run from split to saved model; needs no cluster
baselines.py what any model has to beat on the same split
store.py     the folder of runs; ledger.py: its table

Importing this package loads neither Dask nor torch; each name loads its file when first used.
"""

from importlib import import_module

__all__ = ["Engine", "Result", "RunStore", "Status"]

_HOMES = {"Engine": "engine", "Status": "status", "Result": "store", "RunStore": "store"}


def __getattr__(name: str):
    """Load a public name from its file on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)

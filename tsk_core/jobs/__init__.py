"""Where training runs: in worker processes of a Dask cluster, kept on disk.

``Engine`` takes runs, streams their epochs and gives their results; ``Result`` and ``Status`` are what it
answers; ``RunStore`` is the folder they are kept in.

engine.py    submit, status, follow, stop, pause, result: the only door for pages, scripts and the command line
dispatcher.py which open run has which worker; steering.py what is asked of one: stop, pause, step, go on
keeper.py    the thread that keeps a cluster up and sees to leases, long pauses, workers that went or hang
queue.py     who is next, by turns of owners; quota.py: how many runs an owner may have; outlook.py: how long the wait
status.py    where a run stands; ended.py: answers about runs that ended, kept
cluster.py   the embedded cluster in a process of its own, and how it is started and ended
job.py       what runs inside a worker; preload.py: what a worker imports first; pausing.py: how it waits
control.py   the files by which a run is told to stop, to wait, to go on
training.py  one run from split to saved model; needs no cluster
mistakes.py  what it has wrong on the test rows, at some epochs; calibration.py: whether its probabilities can be believed
baselines.py what any model has to beat on the same split
store.py     the folder of runs, kept whole; folder.py: the files of one run; files.py: how files are written and read
ledger.py    the table of runs; schema.py: its columns, also those of older versions; housekeeping.py: room and removal
snapshots.py the rules at some epochs, to look back through a training; splits.py: its rows
result.py    what a run left; books.py: its readable rules, without its data
identity.py  which dataset it was; card.py: how to repeat it; archive.py: a zip to take away

Importing this package loads neither Dask nor torch; each name loads its file when first used.
"""

from importlib import import_module

__all__ = ["Engine", "Outlook", "Result", "RunStore", "Status"]

_HOMES = {"Engine": "engine", "Outlook": "outlook", "Status": "status", "Result": "store", "RunStore": "store"}


def __getattr__(name: str):
    """Load a public name from its file on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)

"""Where tasks run: in worker processes of a Dask cluster. Knows the task protocol, and nothing of training.

engine.py      submit, status, follow, stop, pause, result: the only door for pages, scripts and the command line
open_runs.py   the table of runs that have not ended, and its lock; open_run.py: one of them; record_log.py: what it reported
workers.py     which run holds which worker
dispatcher.py  hands runs to workers and notes their end; steering.py: stop, pause, step, resume
supervisor.py  the thread that keeps a cluster up and sees to leases, long pauses, workers that are lost or hang
queue.py       the order of queued runs; quota.py: how many runs an owner may have; wait_estimate.py: how long a run will wait
status.py      where a run stands; ended.py: answers about runs that ended, kept
shared.py      an engine in a process of its own, for several that draw pages
cluster.py     the embedded cluster in a process of its own, and how it is started and ended
worker.py      what runs inside a worker; preload.py: what a worker imports first
control.py     the files that ask a run to stop, pause, resume or train slowly; pausing.py, pacing.py: how its task waits

Importing this package loads neither Dask nor torch; each name loads its file when first used.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)

"""What each worker imports before its first run, so that the first epoch comes quickly. Dask imports this file by name."""

import contextlib
import importlib
import logging

import psutil

for _name in (
    "pandas",
    "sklearn.linear_model",
    "torch",
    "tsk_core.jobs.worker",
    "tsk_core.tasks.live_training",
    "tsk_core.estimators.classifier",
):
    try:
        importlib.import_module(_name)
    except ImportError:  # a worker that did not start could not report it; a run can, in one sentence
        logging.getLogger("tsk_core.jobs").warning("A worker cannot import %s", _name, exc_info=True)

with contextlib.suppress(psutil.Error, OSError):
    # Pages answer first where the cores are shared; on a machine with time to spare nothing changes. Windows has classes instead.
    psutil.Process().nice(getattr(psutil, "BELOW_NORMAL_PRIORITY_CLASS", 15))

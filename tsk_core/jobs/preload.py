"""What each worker imports before its first run, so that the first epoch comes quickly. Dask imports this file by name."""

import contextlib
import importlib
import logging

import psutil

from tsk_core.jobs.shared import SharedEngine

for _name in (
    "pandas",
    "sklearn.linear_model",
    "torch",
    "tsk_core.jobs.worker",
    "tsk_core.tasks.live_training",
    "tsk_core.estimators.classifier",
    "sklearn.ensemble",
    "tsk_core.live.series",
    "tsk_core.runs.rule_texts",
    "tsk_core.tasks.final_metrics",
):
    try:
        importlib.import_module(_name)
    except ImportError:  # a worker that did not start could not report it; a run can, in one sentence
        logging.getLogger("tsk_core.jobs").warning("A worker cannot import %s", _name, exc_info=True)

if not SharedEngine.is_there():
    # One process draws pages, on one core: it answers first where runs share that core. Several would leave the runs of a full
    # room a thirtieth of the cores, so beside those workers have the priority of any process. Windows has classes, not numbers.
    with contextlib.suppress(psutil.Error, OSError):
        psutil.Process().nice(getattr(psutil, "BELOW_NORMAL_PRIORITY_CLASS", 15))

"""Tasks: what a worker can be asked to do. A task is a small picklable object with ``run(context)``.

task.py              the protocol of a task; ``perform``, which runs one in any process
context.py           what a task works with: its folder, its records, when to wait or end
live_training.py     one training that people watch; snapshots.py, evaluations.py: what it records at some epochs;
                     final_metrics.py: its numbers at the end
experiment.py        a comparison or a sweep: many trainings as stacks, each computed once
cross_validation.py  the scores of one setting over the folds of a table
stability.py         how often the rules of a run come back when it is trained again
tuning.py            settings by cross-validation, within a budget of seconds
study_cells.py       some splits of one algorithm on one dataset of the study
worked_example.py    a model of the study trained again, and the paper's equations with its numbers
refit.py             a trained model made smaller and trained on, watched as a training is

Importing this package loads no torch; each name loads its file when first used.
"""

from importlib import import_module

__all__ = [
    "EXPERIMENT", "MOST_SPLITS", "PLAN", "STUDY_CELLS", "STUDY_RESULTS", "TRIALS", "WORKED_EXAMPLE", "CrossValidation",
    "Experiment", "LiveTraining", "Refit", "StabilityCheck", "StudyCells", "Task", "Tuning", "WorkedExample", "cell_of",
    "perform", "run_here",
]  # fmt: skip

_MODULES = {
    "EXPERIMENT": "experiment", "PLAN": "experiment", "Experiment": "experiment",
    "CrossValidation": "cross_validation", "LiveTraining": "live_training", "Refit": "refit",
    "StabilityCheck": "stability", "Tuning": "tuning", "TRIALS": "tuning",
    **dict.fromkeys(("MOST_SPLITS", "STUDY_CELLS", "STUDY_RESULTS", "StudyCells", "cell_of"), "study_cells"),
    "WORKED_EXAMPLE": "worked_example", "WorkedExample": "worked_example",
    "Task": "task", "perform": "task", "run_here": "task",
}  # fmt: skip


def __getattr__(name: str):
    """Load a public name from its file on first use."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)

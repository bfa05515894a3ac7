"""Tasks: what a worker can be asked to do. A task is a small picklable object with ``run(context)``.

task.py              the protocol of a task; ``perform``, which runs one in any process
dataset_task.py      what tasks share that train one setting on one dataset
context.py           what a task works with: its folder, its records, when to wait or end
live_training.py     one training that people watch, with the records of ``tsk_core.live``;
                     final_metrics.py: its numbers at the end; searched_baselines.py: with baselines as tuned as it is
experiment.py        a comparison or a sweep: many trainings as stacks, each computed once
cross_validation.py  the scores of one setting over the folds of a table
stability.py         how often the rules of a run come back when it is trained again
same_size.py         a tree and a rule list with as many conditions as a readable run
tuning.py            settings by cross-validation, within a budget of seconds
study_cells.py       some splits of one algorithm on one dataset of the study
worked_example.py    a model of the study trained again, and the paper's equations with its numbers
make_readable.py     a readable rule base for the table of a run, watched as a training is

Importing this package loads no torch; each name loads its file when first used.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)

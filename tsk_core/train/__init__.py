"""Training: initialisation, AdaBound, the mini-batch loop that yields Epoch records, early stopping."""

from tsk_core.train.loop import Progress, train_stack
from tsk_core.train.schedule import stacks_of, train
from tsk_core.train.spec import AT_THE_END, EVERY_EPOCH, Outcome, Records, StackMember, Table, TrainingSpec

__all__ = [
    "AT_THE_END",
    "EVERY_EPOCH",
    "Outcome",
    "Progress",
    "Records",
    "StackMember",
    "Table",
    "TrainingSpec",
    "stacks_of",
    "train",
    "train_stack",
]

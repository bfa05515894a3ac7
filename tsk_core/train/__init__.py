"""Training: initialisation, AdaBound, the mini-batch loop that yields Epoch records, early stopping."""

from tsk_core.train.loop import Member, Outcome, Table, train_stack
from tsk_core.train.metrics import accuracy
from tsk_core.train.schedule import train

__all__ = ["Member", "Outcome", "Table", "accuracy", "train", "train_stack"]

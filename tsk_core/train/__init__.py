"""Training: initialisation, AdaBound, the mini-batch loop that yields Epoch records, early stopping."""

from tsk_core.train.loop import Progress, train_stack
from tsk_core.train.member import Job, Member, Outcome, Table
from tsk_core.train.metrics import accuracy
from tsk_core.train.schedule import train

__all__ = ["Job", "Member", "Outcome", "Progress", "Table", "accuracy", "train", "train_stack"]

"""Training: initialisation, AdaBound, the mini-batch loop that yields Epoch records, early stopping."""

from tsk_core.train.loop import Progress, train_stack
from tsk_core.train.schedule import train
from tsk_core.train.spec import Outcome, StackMember, Table, TrainingSpec

__all__ = ["TrainingSpec", "StackMember", "Outcome", "Progress", "Table", "train", "train_stack"]

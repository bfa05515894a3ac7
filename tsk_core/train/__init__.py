"""Training: initialisation, AdaBound, the mini-batch loop and its Epoch records, early stopping."""

from tsk_core.train.epoch import ENTROPY_BINS, Epoch
from tsk_core.train.loop import Member, Outcome, Table, train_stack
from tsk_core.train.metrics import accuracy
from tsk_core.train.schedule import train

__all__ = ["ENTROPY_BINS", "Epoch", "Member", "Outcome", "Table", "accuracy", "train", "train_stack"]

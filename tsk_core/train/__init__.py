"""Training: initialisation, AdaBound, the mini-batch loop that yields Epoch records, early stopping."""

from tsk_core.train.initialise import starting_rules
from tsk_core.train.loop import (
    HoldOut,
    Progress,
    StackEpoch,
    best_ur_weight,
    final_member,
    hold_out_members,
    hold_outs_of,
    stacks_of,
    train,
    train_hold_outs,
    train_members,
    train_stack,
)
from tsk_core.train.prepare import PreparedStack, prepare_stack
from tsk_core.train.spec import AT_THE_END, EVERY_EPOCH, Outcome, Records, StackMember, TrainingSpec, Weights
from tsk_core.train.stack import Stack, most_members, stack_key
from tsk_core.train.table import Table

__all__ = [
    "AT_THE_END",
    "EVERY_EPOCH",
    "HoldOut",
    "Outcome",
    "PreparedStack",
    "Progress",
    "Records",
    "Stack",
    "StackEpoch",
    "StackMember",
    "Table",
    "TrainingSpec",
    "Weights",
    "best_ur_weight",
    "final_member",
    "hold_out_members",
    "hold_outs_of",
    "most_members",
    "prepare_stack",
    "stack_key",
    "stacks_of",
    "starting_rules",
    "train",
    "train_hold_outs",
    "train_members",
    "train_stack",
]

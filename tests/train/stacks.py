"""Stacks that the tests of this folder train."""

import numpy as np

from tsk_core.train import StackMember, train_stack


def member(config, seed=0, epochs=5, n=150, **more):
    return StackMember(config, seed, np.arange(n), epochs, **more)


def run(members, table, test=None):
    """All records by member, and the last outcome of each."""
    records, outcomes = [[] for _ in members], [None] * len(members)
    for progress in train_stack(members, table, test):
        for at, epoch, outcomes[at] in progress:
            records[at] += [] if epoch is None else [epoch]
    return records, outcomes

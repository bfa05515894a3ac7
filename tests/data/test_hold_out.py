"""What early stopping holds out: rows at random, whole groups, or the latest rows."""

import numpy as np
import pytest
import torch

from tsk_core.config import TrainConfig
from tsk_core.data.folds import hold_out
from tsk_core.errors import DataError
from tsk_core.train import Table, TrainingSpec, train

N = 120
ROWS = np.arange(10, N)  # the others are test rows


def table(**more):
    x = torch.randn(N, 3, generator=torch.Generator().manual_seed(0))
    return Table(x, torch.arange(N) % 3, 3, **more)


def drawn(table, share=0.2, rows=ROWS):
    """Five hold-outs, each as (rows trained on, rows held out)."""
    rng = np.random.default_rng(0)
    return [hold_out(rows, share, rng, table.y.numpy(), table.groups, table.time) for _ in range(5)]


def test_each_training_row_is_on_one_side():
    for trained, held_out in [*drawn(table()), *drawn(table(groups=np.arange(N) // 6)), *drawn(table(time=np.arange(N) / 7))]:
        assert sorted([*trained, *held_out]) == ROWS.tolist()
        assert abs(len(held_out) - 22) <= 6


def test_groups_stay_whole_and_differ_from_one_hold_out_to_the_next():
    groups = np.arange(N) // 6
    found = drawn(table(groups=groups))
    assert all(not set(groups[trained]) & set(groups[held_out]) for trained, held_out in found)
    assert len({tuple(held_out) for _, held_out in found}) > 1


def test_copies_of_a_row_are_on_one_side():
    rows = np.random.default_rng(1).integers(0, N, N)  # a bootstrap sample
    for trained, held_out in drawn(table(), rows=rows):
        assert not set(trained) & set(held_out) and sorted([*trained, *held_out]) == sorted(rows)
        assert abs(len(held_out) - 24) <= 6


@pytest.mark.parametrize("kind", ["float64", "datetime64[s]"])
def test_the_latest_rows_are_held_out_and_rows_without_a_time_are_not(kind):
    time = np.random.default_rng(0).permutation(N).astype(kind)
    time[20:40] = np.nan if kind == "float64" else np.datetime64("NaT")
    for trained, held_out in drawn(table(time=time)):
        known = trained[~np.isnan(time[trained])]
        assert time[known].max() < time[held_out].min()
        assert not set(held_out) & set(range(20, 40))


@pytest.mark.parametrize(
    ("more", "rows", "sentence"),
    [
        ({}, ROWS[:2], "needs at least 3 training rows, got 2"),
        ({"groups": np.zeros(N, int)}, ROWS, "all training rows have the same group"),
        ({}, np.full(9, 3), "needs at least 3 training rows, got 1"),
        ({"time": np.zeros(N)}, ROWS, "all training rows have the same time"),
        ({"time": np.full(N, np.nan)}, ROWS, "all training rows have the same time"),
        ({"groups": np.arange(N) == 10}, ROWS, None),
        ({"time": np.minimum(np.arange(N), 11.0)}, ROWS, "would train on 1 row"),
    ],
)
def test_what_cannot_be_held_out_is_refused_in_one_sentence(more, rows, sentence):
    if sentence is None:
        assert {len(held_out) for _, held_out in drawn(table(**more), rows=rows)} == {1}
        return
    with pytest.raises(DataError, match=sentence):
        drawn(table(**more), rows=rows)


def test_hold_outs_of_different_sizes_are_all_searched():
    groups = np.repeat(np.arange(9), [40, 20, 20, 10, 10, 5, 5, 5, 5])
    config = TrainConfig(n_rules=2, max_epochs=4, patience=2, early_stopping=True)
    progress = list(train([TrainingSpec(config, 0, np.arange(N))], table(groups=groups)))
    stages = [epoch.stage for ((_, epoch, _),) in progress]
    assert stages == sorted(stages) and {"hold-out", "training"} == set(stages)

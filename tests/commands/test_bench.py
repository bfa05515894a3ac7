"""The benchmark measures what it says; how fast the machine is decides nothing here."""

import json

import pytest
import torch

from tsk_core.__main__ import main
from tsk_core.commands import bench


def test_a_measurement_leaves_threads_and_small_numbers_as_they_were():
    before = torch.get_num_threads()
    times = bench.measure({"two threads": bench.matmul_limit(1, 64, threads=2)}, rounds=1)
    assert list(times) == ["two threads"] and times["two threads"] > 0
    assert torch.get_num_threads() == before
    assert float(torch.tensor(1e-310, dtype=torch.float64) * 1) > 0


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_the_command_prints_a_figure_for_each_contestant(monkeypatch, capsys, form):
    monkeypatch.setattr(bench, "standard", lambda device: {"a": lambda: 10, "b": lambda: 20})
    assert main(["bench", *form]) == 0
    printed = capsys.readouterr().out
    names = json.loads(printed) if form else [line.split()[0] for line in printed.splitlines()]
    assert list(names) == ["a", "b"]


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a graphics card")
def test_a_missing_graphics_card_is_named(capsys):
    assert main(["bench", "--device", "cuda"]) == 1
    assert "torch finds no graphics card" in capsys.readouterr().err

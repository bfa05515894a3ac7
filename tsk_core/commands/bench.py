"""How fast a training step is on this machine, and how far from what its matrix products alone take.

All contestants run in one process, in turn, round after round, so that a machine whose speed drifts drifts for all of them; the
least time of all rounds counts. One torch thread, or as many as said; or a graphics card.
"""

import time
from collections.abc import Callable

import numpy as np
import torch

from tsk_core.config import TrainConfig
from tsk_core.train import StackMember, Table
from tsk_core.train.stack import Stack
from tsk_core.train.table import torch_device

SATELLITE = {"D": 36, "C": 6, "R": 20}
N = 4504  # training rows of a 70/30 split of Satellite
BATCHES = (64, 512)
MODELS = (1, 4, 16, 64)
Contestant = Callable[[], int]  # runs some steps and returns how many model-steps these were


def table(seed: int = 0, device: str = "cpu") -> Table:
    """Random rows of Satellite's shape on a device of torch; a step's time does not depend on what stands in them."""
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(N, SATELLITE["D"], generator=g)
    return Table(x.to(device), torch.randint(SATELLITE["C"], (N,), generator=g).to(device), SATELLITE["C"])


def ours(rows: Table, models: int, batch_size: int, threads: int = 1) -> Contestant:
    """Whole epochs of a stack: shuffling, gathering, steps and AdaBound."""
    config = TrainConfig.paper(n_rules=SATELLITE["R"], batch_size=batch_size, init="random")
    n = len(rows.y)
    stack = Stack([StackMember(config, k, np.arange(n), 1) for k in range(models)], rows)

    def run() -> int:
        torch.set_num_threads(threads)
        stack.run_epoch()
        return models * -(-n // batch_size)

    return run


def matmul_limit(models: int, batch_size: int, threads: int = 1, device: str = "cpu") -> Contestant:
    """The six matrix products of a step and nothing else."""
    D, C, R = SATELLITE["D"], SATELLITE["C"], SATELLITE["R"]
    B, M = batch_size, models
    sizes = [  # z, rule scores, class scores, df, moments, Gᵀx̂⁰
        ((M, R, 2 * D + 1), (M, 2 * D + 1, B)),
        ((M, R * C, D + 1), (M, D + 1, B)),
        ((M * B, 1, R), (M * B, R, C)),
        ((M * B, R, C), (M * B, C, 1)),
        ((M, 2 * D + 1, B), (M, B, R)),
        ((M, D + 1, B), (M, B, R * C)),
    ]
    products = [(torch.randn(a, device=device), torch.randn(b, device=device)) for a, b in sizes]
    buffers = [torch.bmm(a, b) for a, b in products]
    steps = 20

    def run() -> int:
        torch.set_num_threads(threads)
        for _ in range(steps):
            for (a, b), buffer in zip(products, buffers, strict=True):
                torch.bmm(a, b, out=buffer)
        if device == "cuda":
            torch.cuda.synchronize()  # a card computes after the call has returned
        return models * steps

    return run


def measure(contestants: dict[str, Contestant], rounds: int = 7) -> dict[str, float]:
    """Microseconds per model-step of each, the least of ``rounds`` rounds; each runs once unmeasured before it is measured."""
    best = dict.fromkeys(contestants, float("inf"))
    before = torch.get_num_threads()
    torch.set_flush_denormal(True)
    try:
        for _ in range(rounds):
            for name, run in contestants.items():
                torch.set_num_threads(1)
                run()  # the caches hold its own data again
                started = time.perf_counter()
                steps = run()
                best[name] = min(best[name], 1e6 * (time.perf_counter() - started) / steps)
    finally:
        torch.set_flush_denormal(False)
        torch.set_num_threads(before)
    return best


def standard(device: str = "cpu") -> dict[str, Contestant]:
    """Ours and the limit, for each batch size and number of models, on a device of torch."""
    rows, contestants = table(device=torch_device(device)), {}
    for B in BATCHES:
        for M in MODELS:
            contestants[f"tsk_core, B={B}, M={M}"] = ours(rows, M, B)
            contestants[f"matrix products alone, B={B}, M={M}"] = matmul_limit(M, B, device=device)
        if device == "cpu":
            contestants[f"tsk_core, B={B}, M=16, 2 threads"] = ours(rows, 16, B, threads=2)
            contestants[f"matrix products alone, B={B}, M=16, 2 threads"] = matmul_limit(16, B, threads=2)
    return contestants


def report(times: dict[str, float]) -> str:
    """A line each: microseconds per model-step."""
    return "\n".join(f"{name:46} {us:9.1f} µs per model-step" for name, us in times.items())

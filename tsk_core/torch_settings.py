"""Settings of torch that hold for a block of code, and are as before after it."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

__all__ = ["denormals_as_zero", "torch_threads"]


@contextmanager
def torch_threads(count: int) -> Iterator[None]:
    """That many torch threads in this block. One is best for one model, whose steps are too small to share."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def denormals_as_zero() -> Iterator[None]:
    """Numbers below 1e-38 count as 0 in this thread, as in the app's workers: the same numbers, and no slow ones."""
    already = float(torch.tensor(1e-39) * 1) == 0.0
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(already)

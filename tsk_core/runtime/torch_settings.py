"""Context managers that change a setting of torch and restore it afterwards."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def torch_threads(count: int) -> Iterator[None]:
    """Use ``count`` torch threads in this block. One is best for a single model, whose steps are too small to divide."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def denormals_as_zero() -> Iterator[None]:
    """Treat numbers below 1e-38 as 0 in this thread, as the app's workers do: results agree, and no step is slow."""
    already = float(torch.tensor(1e-39, dtype=torch.float32, device="cpu") * 1) == 0.0
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(already)

"""AdaBound and Adam step by step against independent implementations."""

import warnings

import pytest
import torch

from tsk_core.model import Parameters, Shape
from tsk_core.train.optimizers import OPTIMIZERS, keep_away_from_zero


def independent(name, tensor):
    """The same optimiser from another library."""
    if name == "adam":
        return torch.optim.Adam([tensor], lr=0.01)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what it imports is its own affair
        from pytorch_optimizer import AdaBound
    return AdaBound([tensor], lr=0.01, final_lr=0.1, gamma=1e-3, eps=1e-8)


@pytest.mark.parametrize("name", ["adabound", "adam"])
def test_each_step_equals_an_independent_implementation(name):
    p = Parameters(Shape(2, 3, 4, 2, "rbn"), torch.float64)
    generator = torch.Generator().manual_seed(0)
    p.buffer.copy_(torch.randn(p.buffer.shape, generator=generator, dtype=torch.float64))
    theirs = p.buffer.clone().requires_grad_()
    peer, ours = independent(name, theirs), OPTIMIZERS[name](p, 0.01)
    for _ in range(300):
        gradient = torch.randn(p.buffer.shape, generator=generator, dtype=torch.float64)
        theirs.grad = gradient.clone()
        peer.step()
        ours.step(p.buffer, gradient)
        torch.testing.assert_close(p.buffer, theirs.detach(), rtol=0, atol=1e-7)


def test_the_state_of_a_kept_model_is_its_own():
    p = Parameters(Shape(3, 2, 2, 2, "bn"), torch.float64)
    gradient = torch.randn(p.buffer.shape, dtype=torch.float64)
    together, alone = OPTIMIZERS["adabound"](p, 0.01), OPTIMIZERS["adabound"](p, 0.01)
    together.step(p.buffer.clone(), gradient)
    alone.step(p.buffer.clone(), gradient)
    alone.take([2])
    torch.testing.assert_close(alone.first.centers[0], together.first.centers[2])


def test_widths_keep_their_sign_and_stay_away_from_zero():
    sigmas = torch.tensor([1.0, -1.0, 1e-5, -1e-5, 0.0, -0.0])
    keep_away_from_zero(sigmas)
    torch.testing.assert_close(sigmas, torch.tensor([1.0, -1.0, 1e-3, -1e-3, 1e-3, -1e-3]))

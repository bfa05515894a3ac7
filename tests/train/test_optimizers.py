"""The optimisers step by step against independent implementations, or against their formulas written out."""

import math
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


def test_each_step_of_powerball_adabelief_is_its_formula():
    p = Parameters(Shape(1, 2, 1, 2, "none"), torch.float64)
    generator = torch.Generator().manual_seed(0)
    ours, expected = OPTIMIZERS["powerball-adabelief"](p, 0.01), p.buffer.fill_(0.5).tolist()
    m, s = [0.0] * len(expected), [0.0] * len(expected)
    for t in range(1, 200):
        gradient = torch.randn(p.buffer.shape, generator=generator, dtype=torch.float64)
        gradient[0] = 0.0  # as of a parameter that is not trained
        for k, g in enumerate(gradient.tolist()):
            h = math.copysign(abs(g) ** 0.5, g)
            m[k] = 0.9 * m[k] + 0.1 * h
            s[k] = 0.999 * s[k] + 0.001 * (h - m[k]) ** 2
            expected[k] -= 0.01 * (m[k] / (1 - 0.9**t)) / ((s[k] / (1 - 0.999**t)) ** 0.5 + 1e-8)
        ours.step(p.buffer, gradient)
        torch.testing.assert_close(p.buffer, torch.tensor(expected, dtype=torch.float64), rtol=1e-9, atol=1e-9)
    assert expected[0] == 0.5


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_model_moves_as_it_does_alone_when_others_leave(name):
    p = Parameters(Shape(3, 2, 2, 2, "bn"), torch.float64)
    p.buffer.zero_()
    gradient = Parameters(p.shape, torch.float64)
    gradient.buffer.copy_(torch.randn(p.buffer.shape, dtype=torch.float64))
    alone, own = p.take([2]), gradient.take([2])
    of_all, of_one = OPTIMIZERS[name](p, 0.01), OPTIMIZERS[name](alone, 0.01)
    of_all.step(p.buffer, gradient.buffer)
    of_one.step(alone.buffer, own.buffer)
    of_all.take([2])
    left = p.take([2])
    of_all.step(left.buffer, own.buffer)
    of_one.step(alone.buffer, own.buffer)
    assert torch.equal(left.buffer, alone.buffer) and left.buffer.any()


def test_widths_keep_their_sign_and_stay_away_from_zero():
    sigmas = torch.tensor([1.0, -1.0, 1e-5, -1e-5, 0.0, -0.0])
    keep_away_from_zero(sigmas)
    torch.testing.assert_close(sigmas, torch.tensor([1.0, -1.0, 1e-3, -1e-3, 1e-3, -1e-3]))

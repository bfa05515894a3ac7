"""Random stacks to test with."""

import torch

from tsk_core.model import Parameters, RunningStatistics, Shape


def random_stack(M, R, D, C, batch_norm, seed=0):
    """A float64 stack with random parameters (some σ and γ negative) and random running statistics."""
    generator = torch.Generator().manual_seed(seed)

    def draw(like):
        return torch.randn(like.shape, generator=generator, dtype=torch.float64)

    p = Parameters(Shape(M, R, D, C, batch_norm), torch.float64)
    for name in ("centers", "weights", "biases", "beta"):
        tensor = getattr(p, name)
        tensor.copy_(draw(tensor))
    p.sigmas.copy_(draw(p.sigmas).abs().add(0.5) * draw(p.sigmas).sign())
    p.gamma.copy_(draw(p.gamma))
    running = RunningStatistics.initial(M, D, torch.float64, "cpu")
    running.mean.copy_(draw(running.mean))
    running.variance.copy_(draw(running.variance).square())
    return p, running


def one_model(p, m, requires_grad=False):
    """One model of the stack as the dict that ``reference`` reads."""
    names = ("centers", "sigmas", "weights", "biases", "gamma", "beta")
    return {name: getattr(p, name)[m].clone().requires_grad_(requires_grad) for name in names}

"""Random stacks to test with."""

import torch

from tsk_core.model import Objective, Parameters, RunningStatistics, Shape


def random_stack(M, R, D, C, batch_norm, seed=0, **form):
    """A float64 stack with random parameters (some widths and γ negative) and random running statistics. form: of ``Shape``."""
    generator = torch.Generator().manual_seed(seed)

    def draw(like):
        return torch.randn(like.shape, generator=generator, dtype=torch.float64)

    p = Parameters(Shape(M, R, D, C, batch_norm, **form), torch.float64)
    for name in ("centers", "weights", "biases", "beta", "scale", "shift"):
        tensor = getattr(p, name)
        tensor.copy_(draw(tensor))
    p.widths.copy_(draw(p.widths).abs().add(0.5) * draw(p.widths).sign())
    p.gamma.copy_(draw(p.gamma))
    running = RunningStatistics.initial(M, D, torch.float64, "cpu")
    running.mean.copy_(draw(running.mean))
    running.variance.copy_(draw(running.variance).square())
    return p, running


def objective(firing, ur_weight, tau, l2, shrinkage, sharpness=None, covering=None, l1=None, trains_gamma=None):
    """An Objective, its later penalties 0 where they are not given."""
    later = [0 * ur_weight if weight is None else weight for weight in (sharpness, covering, l1)]
    return Objective(firing, ur_weight, tau, l2, shrinkage, *later, trains_gamma)


def one_model(p, m, requires_grad=False):
    """One model of the stack as the dict that ``reference`` reads."""
    names = ("centers", "widths", "weights", "biases", "gamma", "beta", "scale", "shift")
    return {name: getattr(p, name)[m].clone().requires_grad_(requires_grad) for name in names}

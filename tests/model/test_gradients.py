"""The closed-form step against autograd, in float64, for every variant."""

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model import reference
from tests.model.stacks import one_model, random_stack
from tsk_core.model import Objective, Parameters, loss_and_gradient

TOLERANCE = {"softmax": 1e-9, "htsk": 1e-9, "paper": 1e-7}  # "paper": 1 − Σf̄ cancels

shapes = st.fixed_dictionaries(
    {
        "M": st.integers(1, 3),
        "R": st.integers(1, 4),
        "D": st.integers(1, 4),
        "C": st.integers(2, 4),
        "B": st.integers(2, 6),
        "seed": st.integers(0, 10**6),
        "constant": st.booleans(),
        "weighted": st.booleans(),
    }
)


@settings(max_examples=15, deadline=None)
@given(case=shapes)
def check_against_autograd(batch_norm, firing, case):
    """Compare loss parts and every gradient of every model of the stack."""
    M, R, D, C, B = (case[k] for k in "MRDCB")
    p, running = random_stack(M, R, D, C, batch_norm, case["seed"])
    g = torch.Generator().manual_seed(case["seed"])
    x = torch.randn(M, B, D, generator=g, dtype=torch.float64)
    if case["constant"]:
        x[..., 0] = 1.5
    y = torch.randint(C, (M, B), generator=g)
    weight = torch.rand(M, C, generator=g, dtype=torch.float64) + 0.1 if case["weighted"] else None
    lam, tau, l2 = (torch.rand(M, generator=g, dtype=torch.float64) * s for s in (10, 1, 0.1))

    grad = Parameters(p.shape, torch.float64)
    step = loss_and_gradient(p, running, Objective(firing, lam, tau, l2, weight), x, y, grad)

    for m in range(M):
        model = one_model(p, m, requires_grad=True)
        w = None if weight is None else weight[m]
        parts = reference.loss(x[m], y[m], model, batch_norm, firing, lam[m], tau[m], l2[m], w)
        sum(parts).backward()
        for got, expected in zip((step.cross_entropy, step.l2, step.uniform), parts, strict=True):
            torch.testing.assert_close(got[m], expected.detach(), rtol=1e-10, atol=1e-12)
        largest = max(float(t.grad.abs().max()) for t in model.values() if t.numel())
        for name, tensor in model.items():
            if tensor.numel():
                difference = float((getattr(grad, name)[m] - tensor.grad).abs().max())
                assert difference <= TOLERANCE[firing] * max(largest, 1e-12), (name, difference, largest)


def test_the_closed_form_gradient_equals_autograd(batch_norm, firing):
    check_against_autograd(batch_norm, firing)


def test_the_target_of_uniform_regularisation_does_not_change_the_gradient(batch_norm):
    p, running = random_stack(1, 3, 2, 2, batch_norm)
    x, y = torch.randn(1, 8, 2, dtype=torch.float64), torch.randint(2, (1, 8))
    one = torch.ones(1, dtype=torch.float64)
    gradients = []
    for tau in (0.0, 0.5, 1 / 3):
        grad = Parameters(p.shape, torch.float64)
        loss_and_gradient(p, running, Objective("softmax", 50 * one, tau * one, 0 * one), x, y, grad)
        gradients.append(grad.buffer)
    torch.testing.assert_close(gradients[0], gradients[1], rtol=1e-10, atol=1e-12)
    torch.testing.assert_close(gradients[0], gradients[2], rtol=1e-10, atol=1e-12)


def test_a_model_of_a_stack_gets_the_gradient_it_gets_alone(batch_norm, firing):
    p, running = random_stack(3, 4, 5, 3, batch_norm)
    x, y = torch.randn(3, 7, 5, dtype=torch.float64), torch.randint(3, (3, 7))
    values = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
    objective = Objective(firing, values, values / 10, values / 100)
    grad = Parameters(p.shape, torch.float64)
    loss_and_gradient(p, running.take([0, 1, 2]), objective, x, y, grad)
    alone, alone_grad = p.take([1]), Parameters(p.take([1]).shape, torch.float64)
    loss_and_gradient(alone, running.take([1]), objective.take([1]), x[1:2], y[1:2], alone_grad)
    torch.testing.assert_close(grad.take([1]).buffer, alone_grad.buffer, rtol=1e-12, atol=1e-13)

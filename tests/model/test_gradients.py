"""The closed-form step against autograd, in float64, for every variant."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.model import reference
from tests.model.stacks import objective as make_objective
from tests.model.stacks import one_model, random_stack
from tsk_core.model import Batches, Parameters, RunningStatistics, Step

TOLERANCE = {"softmax": 1e-9, "htsk": 1e-9, "scaled": 1e-9, "log": 1e-9, "paper": 1e-7}  # "paper": 1 − Σf̄ cancels

shapes = st.fixed_dictionaries(
    {
        "M": st.integers(1, 3),
        "R": st.integers(1, 4),
        "D": st.integers(1, 4),
        "C": st.integers(2, 4),
        "B": st.integers(2, 6),
        "seed": st.integers(0, 10**6),
        "constant": st.booleans(),
        "weighted_classes": st.booleans(),
        "weighted_rows": st.booleans(),
        "shrinks": st.booleans(),
        "penalised": st.lists(st.booleans(), min_size=3, max_size=3),
        "inverse_widths": st.booleans(),
        "drops_rules": st.booleans(),
        "layer_norm": st.booleans(),
        "firing": st.sampled_from(list(TOLERANCE)),
    }
)


def take_step(p, running, objective, x, y, class_weight=None, normalised=None, row_weight=None):
    """Gradient and loss parts (7, M) of one batch; x: (M, B, D), y and row_weight: (M, B)."""
    s = p.shape
    M, B, D = x.shape
    row_weight = None if row_weight is None else row_weight.reshape(-1)
    weights = class_weight, normalised, row_weight
    batches = Batches(x.reshape(M * B, D), y.reshape(-1), s.C, s.batch_norm, *weights, slopes=s.slopes)
    (batch,) = batches.block(torch.arange(M * B).view(1, M, B), running)
    grad = Parameters(s, torch.float64)
    step = Step(p, grad, objective, B)
    step.antecedents.drop([torch.Generator().manual_seed(m) for m in range(M)])
    step.run(batch)
    return grad, step.losses


def kept_rules(share, R, B, seed):
    """Which rules each row has under DropRule, (B, R): those whose draw is at least the share, or all where none is."""
    draws = torch.rand(R, B, generator=torch.Generator().manual_seed(seed)).T
    kept = draws >= share
    return kept | ~kept.any(1, keepdim=True)


def check_against_autograd(batch_norm, slopes, case):
    """Compare loss parts and every gradient of every model of the stack."""
    M, R, D, C, B = (case[k] for k in "MRDCB")
    firing = case["firing"]
    form = {name: case[name] for name in ("inverse_widths", "layer_norm")}
    p, running = random_stack(M, R, D, C, batch_norm, case["seed"], slopes=slopes, **form)
    g = torch.Generator().manual_seed(case["seed"])
    x = torch.randn(M, B, D, generator=g, dtype=torch.float64)
    if case["constant"]:
        x[..., 0] = 1.5
    y = torch.randint(C, (M, B), generator=g)
    weight = torch.rand(M, C, generator=g, dtype=torch.float64) + 0.1 if case["weighted_classes"] else None
    row_weight = torch.rand(M, B, generator=g, dtype=torch.float64) + 0.01 if case["weighted_rows"] else None
    lam, tau, l2, kappa = (torch.rand(M, generator=g, dtype=torch.float64) * s for s in (10, 1, 0.1, 0.1))
    kappa[0] *= case["shrinks"]  # a model without shrinkage, alone or beside others with it
    rho, zeta, gamma = (torch.rand(M, generator=g, dtype=torch.float64) * wanted for wanted in case["penalised"])

    weights = lam, tau, l2, kappa, rho, zeta, gamma
    shares = torch.rand(M, generator=g, dtype=torch.float64) if case["drops_rules"] else None
    objective = replace(make_objective(firing, *weights), drop_rule=shares)
    grad, losses = take_step(p, running, objective, x, y, weight, None, row_weight)

    for m in range(M):
        model = one_model(p, m, requires_grad=True)
        w, row_w = (None if tensor is None else tensor[m] for tensor in (weight, row_weight))
        kept = None if shares is None else kept_rules(shares[m], R, B, m)
        inverse = {"inverse": case["inverse_widths"]}
        parts = reference.loss(x[m], y[m], model | inverse, batch_norm, firing, *[value[m] for value in weights], w, row_w, kept)
        sum(parts).backward()
        for got, expected in zip(losses, parts, strict=True):
            torch.testing.assert_close(got[m], expected.detach(), rtol=1e-10, atol=1e-12)
        model = {name: tensor for name, tensor in model.items() if tensor.numel()}
        gradients = {name: torch.zeros_like(t) if t.grad is None else t.grad for name, t in model.items()}
        largest = max(float(gradient.abs().max()) for gradient in gradients.values())
        for name, gradient in gradients.items():
            if gradient.numel():
                difference = float((getattr(grad, name)[m] - gradient).abs().max())
                assert difference <= TOLERANCE[firing] * max(largest, 1e-12), (name, difference, largest)


@pytest.mark.parametrize(
    ("batch_norm", "slopes"), [("none", True), ("bn", True), ("gbn", True), ("rbn", True), ("none", False), ("gbn", False)]
)
@given(case=shapes)
def test_the_closed_form_gradient_equals_autograd(batch_norm, slopes, case):
    """Of each model of a stack by itself, constant consequents included."""
    check_against_autograd(batch_norm, slopes, case)


def test_models_with_and_without_batch_normalisation_share_a_stack(firing):
    p, running = random_stack(2, 4, 3, 3, "bn")
    p.gamma[1], p.beta[1] = 1, 0
    x, y = torch.randn(2, 7, 3, dtype=torch.float64), torch.randint(3, (2, 7))
    values = torch.tensor([1.0, 2.0], dtype=torch.float64)
    mask = torch.tensor([True, False])
    objective = make_objective(firing, *[values] * 7, mask.double())
    together, losses = take_step(p, running, objective, x, y, normalised=mask)
    plain = p.take([1]).without_batch_norm()
    alone, alone_losses = take_step(plain, None, make_objective(firing, *[values[1:]] * 7), x[1:], y[1:])
    for name in ("centers", "widths", "weights", "biases"):
        torch.testing.assert_close(getattr(together, name)[1:], getattr(alone, name), rtol=1e-12, atol=1e-13)
    assert not together.gamma[1].any() and not together.beta[1].any() and together.gamma[0].any()
    torch.testing.assert_close(losses[:, 1:], alone_losses)


def test_float32_is_as_good_as_its_digits_allow(batch_norm, firing):
    p, running = random_stack(2, 5, 6, 3, batch_norm, seed=4)
    x, y = torch.randn(2, 32, 6, dtype=torch.float64), torch.randint(3, (2, 32))
    values = torch.tensor([1.0, 10.0], dtype=torch.float64)
    objective = make_objective(firing, values, values / 5, values / 100, values / 50)
    exact, exact_losses = take_step(p, running.take([0, 1]), objective, x, y)
    short, single = Parameters(p.shape), Parameters(p.shape)
    short.buffer.copy_(p.buffer)
    floats = RunningStatistics(running.mean.float(), running.variance.float())
    (batch,) = Batches(x.float().view(64, 6), y.view(-1), 3, batch_norm).block(torch.arange(64).view(1, 2, 32), floats)
    values = values.float()
    step = Step(short, single, make_objective(firing, values, values / 5, values / 100, values / 50), 32)
    step.run(batch)
    for name, tensor in exact.stored.items():
        if tensor.numel():
            difference = (single.stored[name].double() - tensor).abs().max()
            assert float(difference) <= 1e-4 * float(exact.buffer.abs().max()), name
    torch.testing.assert_close(step.losses.double(), exact_losses, rtol=1e-4, atol=1e-5)


def test_losses_add_up_over_batches(batch_norm):
    p, running = random_stack(2, 3, 2, 2, batch_norm)
    values = torch.tensor([1.0, 2.0], dtype=torch.float64)
    objective = make_objective("softmax", values, values / 5, values / 10, values / 20)
    step = Step(p, Parameters(p.shape, torch.float64), objective, 6)
    expected = torch.zeros(7, 2, dtype=torch.float64)
    for _ in range(3):
        x, y = torch.randn(2, 6, 2, dtype=torch.float64), torch.randint(2, (2, 6))
        (batch,) = Batches(x.view(12, 2), y.view(-1), 2, batch_norm).block(torch.arange(12).view(1, 2, 6), running)
        step.run(batch)
        expected += take_step(p, running, objective, x, y)[1]
    torch.testing.assert_close(step.losses, expected)


def test_a_block_of_batches_moves_running_statistics_as_torch_does():
    x = torch.randn(20, 3, dtype=torch.float64) * 2 + 1
    _, running = random_stack(1, 2, 3, 2, "bn")
    peer = torch.nn.BatchNorm1d(3, dtype=torch.float64)
    peer.running_mean.copy_(running.mean[0])
    peer.running_var.copy_(running.variance[0])
    index = torch.randperm(20).view(4, 1, 5)
    batches = Batches(x, torch.zeros(20, dtype=torch.long), 2, "bn").block(index, running)
    for rows, batch in zip(index, batches, strict=True):
        standard = peer(x[rows[0]])
        torch.testing.assert_close(batch.consequent_inputs[0, :3].T, standard.detach())
    torch.testing.assert_close(running.mean[0], peer.running_mean)
    torch.testing.assert_close(running.variance[0], peer.running_var)

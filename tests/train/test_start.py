"""A training that goes on from given rules changes what it may, ties what it has to, and nothing else."""

import numpy as np
import pytest
import torch

from tsk_core.config import TrainConfig
from tsk_core.model import Rules, infer
from tsk_core.train import AT_THE_END, FIXED, Stack, StackMember, Start, Table, train_stack

R, D, C, N = 3, 4, 2, 60
CONFIG = TrainConfig(n_rules=R, batch_norm="none", firing="softmax", batch_size=16, max_epochs=4, random_state=0)


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(N, D))
    return Table(torch.from_numpy(x).float(), torch.from_numpy((x[:, 0] + x[:, 1] > 0).astype(int)), C)


def some_rules(seed=0):
    rng = np.random.default_rng(seed)
    sigmas = rng.uniform(0.5, 2, (1, R, D))
    sigmas[0, 0, 1] = np.inf
    parts = np.zeros((1, R)), rng.normal(size=(1, R, D)), sigmas, rng.normal(size=(1, R, C, D)), rng.normal(size=(1, R, C))
    return Rules(*(torch.from_numpy(part) for part in parts))


def free(shape):
    return np.arange(np.prod(shape)).reshape(shape)


def member(start, table, **changes):
    return StackMember(CONFIG, 0, np.arange(N), CONFIG.max_epochs, start=start, records=AT_THE_END, **changes)


def trained(starts, table):
    outcomes = {}
    for progress in train_stack([member(start, table) for start in starts], table):
        for at, _, outcome in progress:
            outcomes[at] = outcome.rules
    return [outcomes[at] for at in range(len(starts))]


def test_before_the_first_step_the_stack_predicts_as_the_rules_it_starts_from(table):
    rules = some_rules()
    began = Stack([member(Start(rules, free((R, D)), free((R, D))), table)], table).rules()
    for found, expected in zip(infer(began, table.x), infer(rules, table.x), strict=True):
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-5)  # parameters are float32
    assert torch.isinf(began.sigmas[0, 0, 1])


def test_a_missing_antecedent_stays_missing_and_fixed_slopes_stay_what_they_are(table):
    rules = some_rules()
    memberships, slopes = free((R, D)), free((R, D))
    memberships[0, 1] = memberships[2, 3] = FIXED
    slopes[:, 2] = FIXED
    (after,) = trained([Start(rules, memberships, slopes)], table)
    assert torch.isinf(after.sigmas[0, 0, 1])
    for values, before in ((after.centers, rules.centers), (after.sigmas, rules.sigmas)):
        assert values[0, 2, 3] == before[0, 2, 3].float()
        assert (values[0, 1] != before[0, 1].float()).all()
    assert torch.equal(after.weights[0, :, :, 2], rules.weights[0, :, :, 2].float().double())
    assert (after.weights[0, :, :, 0] != rules.weights[0, :, :, 0].float()).all()
    assert (after.biases != rules.biases.float()).all()


def test_what_is_tied_stays_equal_and_moves(table):
    rules = some_rules()
    rules.weights[0, :, :, 0] = rules.weights[0, 0, :, 0]
    rules.centers[0, 1, 3], rules.sigmas[0, 1, 3] = rules.centers[0, 2, 3], rules.sigmas[0, 2, 3]
    memberships, slopes = free((R, D)), free((R, D))
    memberships[1, 3], slopes[:, 0] = memberships[2, 3], slopes[0, 0]
    (after,) = trained([Start(rules, memberships, slopes)], table)
    assert (after.weights[0, :, :, 0] == after.weights[0, :1, :, 0]).all()
    assert (after.weights[0, 0, :, 0] != rules.weights[0, 0, :, 0].float()).all()
    assert after.centers[0, 1, 3] == after.centers[0, 2, 3] != rules.centers[0, 1, 3].float()
    assert after.sigmas[0, 1, 3] == after.sigmas[0, 2, 3]


def test_the_gradient_of_a_tied_group_is_its_sum(table):
    """The oracle is autograd on a model with one number in place of the group."""
    rules = some_rules()
    rules.weights[0, :, :, 0] = rules.weights[0, 0, :, 0]
    slopes = free((R, D))
    slopes[:, 0] = slopes[0, 0]
    stack = Stack([member(Start(rules, free((R, D)), slopes), table)], table)
    shared = rules.weights[0, 0, :, 0].clone().requires_grad_()
    weights = torch.cat([shared.expand(R, C).unsqueeze(2), rules.weights[0, :, :, 1:]], 2)
    z = -((table.x.double()[:, None] - rules.centers[0]) ** 2 / (2 * rules.sigmas[0] ** 2)).sum(2)
    rule_scores = (table.x.double() @ weights.reshape(R * C, D).T + rules.biases[0].flatten()).view(N, R, C)
    scores = (torch.softmax(z, 1).unsqueeze(2) * rule_scores).sum(1)
    penalty = CONFIG.l2 * (weights**2).sum() + CONFIG.shrinkage * ((weights - weights.mean(0)) ** 2).sum()
    (torch.nn.functional.cross_entropy(scores, table.y) + penalty).backward()
    step = stack._step(N)
    for batch in stack.batches.block(torch.arange(N).view(1, 1, N), stack.running):
        step.run(batch)
    stack.ties.apply(stack.gradient.buffer)
    found = stack.gradient.weights[0, :, :, 0].double()
    torch.testing.assert_close(found, shared.grad.expand(R, C), atol=1e-5, rtol=1e-4)


def test_a_model_does_not_depend_on_what_trains_beside_it(table):
    one, other = (Start(some_rules(seed), free((R, D)), free((R, D))) for seed in (0, 1))
    alone, (beside, _) = trained([one], table)[0], trained([one, other], table)
    for a, b in zip(alone.tensors(), beside.tensors(), strict=True):
        torch.testing.assert_close(a, b, atol=1e-5, rtol=1e-5)

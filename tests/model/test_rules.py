"""Merged rules decide exactly as the layered model does; firing levels and scores equal the slow formulas."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.model import reference
from tests.model.stacks import one_model, random_stack
from tsk_core.model import blocks, infer, merge
from tsk_core.model.firing import HALF_HEIGHT, log_firing, log_membership


def inference_oracle(p, running, m, x, batch_norm, firing):
    """Scores and firing of the model as it was trained: standardise, antecedents, consequents, layer by layer."""
    statistics = (running.mean[m], running.variance[m])
    return reference.forward(x, one_model(p, m), batch_norm, firing, statistics)


@pytest.mark.parametrize(("exact", "layer_norm"), [(True, False), (False, False), (True, True), (False, True)])
def test_merged_rules_give_the_scores_of_the_layered_model(batch_norm, firing, exact, layer_norm):
    p, running = random_stack(2, 4, 3, 3, batch_norm, seed=1, layer_norm=layer_norm)
    x = torch.randn(20, 3, dtype=torch.float64)
    got_firing, got_scores = infer(merge(p, running, firing), x, exact=exact)
    for m in range(2):
        scores, levels = inference_oracle(p, running, m, x, batch_norm, firing)
        scale = float(scores.abs().max())
        torch.testing.assert_close(got_scores[m], scores, rtol=0, atol=1e-10 * scale)
        torch.testing.assert_close(got_firing[m], levels, rtol=0, atol=1e-10)


def test_rules_in_raw_units_give_the_scores_of_normalised_ones(batch_norm, firing):
    p, running = random_stack(1, 4, 3, 2, batch_norm, seed=2)
    mean = torch.tensor([1e3, -5.0, 0.1], dtype=torch.float64)
    scale = torch.tensor([1e-2, 30.0, 1.0], dtype=torch.float64)
    raw = mean + scale * torch.randn(30, 3, dtype=torch.float64)
    rules = merge(p, running, firing)
    _, expected = infer(rules, (raw - mean) / scale)
    _, got = infer(rules.in_units(mean, scale), raw)
    terms = (rules.in_units(mean, scale).weights.abs() * raw.abs().max(0).values).sum(-1).max()
    torch.testing.assert_close(got, expected, rtol=0, atol=1e-10 * float(terms))


def test_a_vanishing_gamma_drops_the_antecedent_and_keeps_its_weight(firing):
    p, running = random_stack(1, 3, 2, 2, "gbn", seed=3)
    p.gamma[0, 0, 1] = 0.0
    x = torch.randn(10, 2, dtype=torch.float64)
    rules = merge(p, running, firing)
    assert torch.isinf(rules.sigmas[0, :, 1]).all()
    _, scores = infer(rules, x)
    expected, _ = inference_oracle(p, running, 0, x, "gbn", firing)
    torch.testing.assert_close(scores[0], expected, rtol=1e-10, atol=1e-12)


def test_firing_levels_sum_to_one_even_where_every_rule_underflows():
    p, running = random_stack(1, 3, 2, 2, "none")
    far = torch.full((1, 2), 1e4, dtype=torch.float64)
    softmax, _ = infer(merge(p, running, "softmax"), far)
    paper, _ = infer(merge(p, running, "paper"), far)
    assert float(softmax.sum()) == pytest.approx(1)
    assert float(paper.sum()) == 0.0


def test_blocks_cover_every_row_once_and_equal_one_pass():
    p, running = random_stack(1, 60, 50, 3, "bn")
    x = torch.randn(2000, 50, dtype=torch.float64)
    rules = merge(p, running, "softmax")
    parts = list(blocks(rules, x))
    assert len(parts) > 1
    scores = torch.cat([s for _, _, s in parts], 1)
    torch.testing.assert_close(scores, infer(rules, x)[1])
    assert [row for rows, _, _ in parts for row in range(*rows.indices(2000))] == list(range(2000))


def test_a_membership_is_a_half_at_its_half_height_and_a_firing_level_the_sum_in_numpy_and_torch():
    assert math.exp(log_membership(2.0, 2.0, 3.0)) == 1
    assert math.exp(log_membership(2.0 + 3.0 * HALF_HEIGHT, 2.0, 3.0)) == pytest.approx(0.5)
    assert log_membership(5.0, 2.0, 3.0) == log_membership(5.0, 2.0, -3.0) == -0.5
    assert log_membership(1e300, 0.0, np.inf) == 0
    g = np.random.default_rng(0)
    x, centers, sigmas = g.normal(size=(50, 1, 7)), g.normal(size=(3, 7)), g.uniform(0.01, 2, size=(3, 7))
    memberships = log_membership(x, centers, sigmas)
    there = log_membership(*map(torch.from_numpy, (x, centers, sigmas)))
    np.testing.assert_array_equal(memberships, there)
    np.testing.assert_allclose(log_firing(x, centers, sigmas), memberships.sum(-1), rtol=1e-13)


def test_reading_rules_needs_no_torch():
    code = "import sys, tsk_core.explain; assert 'torch' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=False).returncode == 0

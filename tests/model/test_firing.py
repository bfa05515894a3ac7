"""The membership of ``model.firing``: its value, its shapes, and that NumPy and PyTorch get the same."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from tsk_core.model.firing import HALF_HEIGHT, log_firing, log_membership

ROOT = Path(__file__).parents[2]


def test_a_membership_is_1_at_its_centre_and_a_half_at_its_half_height():
    assert math.exp(log_membership(2.0, 2.0, 3.0)) == 1
    assert math.exp(log_membership(2.0 + 3.0 * HALF_HEIGHT, 2.0, 3.0)) == pytest.approx(0.5)
    assert log_membership(5.0, 2.0, 3.0) == log_membership(5.0, 2.0, -3.0) == -0.5
    assert log_membership(1e300, 0.0, np.inf) == 0


def test_numpy_and_torch_give_the_same_and_a_firing_level_is_the_sum():
    g = np.random.default_rng(0)
    x, centers, sigmas = g.normal(size=(50, 1, 7)), g.normal(size=(3, 7)), g.uniform(0.01, 2, size=(3, 7))
    memberships = log_membership(x, centers, sigmas)
    there = log_membership(*map(torch.from_numpy, (x, centers, sigmas)))
    np.testing.assert_array_equal(memberships, there)
    np.testing.assert_allclose(log_firing(x, centers, sigmas), memberships.sum(-1), rtol=1e-13)


def test_reading_rules_needs_no_torch():
    code = "import sys, tsk_core.explain; assert 'torch' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0

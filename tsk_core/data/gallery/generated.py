"""Tables drawn from formulas, with a fixed seed each: two moons, circles, spirals, and Breiman's waveforms."""

import numpy as np
import pandas as pd
from sklearn.datasets import make_circles, make_moons

__all__ = ["circles", "moons", "spirals", "waveform21", "waveform_bases"]

_SEED = 0


def moons() -> pd.DataFrame:
    """Two interleaved half circles with noise; 600 rows, features x and y, classes upper and lower."""
    points, labels = make_moons(600, noise=0.2, random_state=_SEED)
    return _plane(points, np.array(["upper", "lower"])[labels])


def circles() -> pd.DataFrame:
    """A circle within a circle, with noise; 600 rows, features x and y, classes outer and inner."""
    points, labels = make_circles(600, noise=0.1, factor=0.5, random_state=_SEED)
    return _plane(points, np.array(["outer", "inner"])[labels])


def spirals(arms: int = 3) -> pd.DataFrame:
    """Interleaved spirals, one class each ("arm 1", …); 900 rows, features x and y.

    Arm k at t in [0, 1]: radius 0.1 + t, angle 2π(k / arms + t), plus N(0, 0.03²) noise.
    """
    rng = np.random.default_rng(_SEED)
    arm = np.arange(900) % arms
    t = np.sqrt(rng.uniform(size=900))  # the root spreads points evenly over the area, not over the radius
    angle = 2 * np.pi * (arm / arms + t)
    points = (0.1 + t)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])  # (900, 2)
    return _plane(points + rng.normal(0, 0.03, points.shape), np.array([f"arm {k + 1}" for k in range(arms)])[arm])


def waveform_bases() -> np.ndarray:
    """The three triangular waves h1, h2, h3 on i = 1 … 21, shape (3, 21): max(6 − |i − c|, 0), c = 7, 15, 11."""
    i = np.arange(1, 22)
    return np.maximum(6 - np.abs(i - np.array([[7], [15], [11]])), 0).astype(float)


def waveform21(n_rows: int = 5000) -> pd.DataFrame:
    """Breiman et al., Classification and Regression Trees (1984), section 2.6.2; 21 features, 3 classes.

    x = u·h_a + (1 − u)·h_b + N(0, 1) noise with u uniform in [0, 1]; (a, b) = (1, 2), (1, 3), (2, 3) for classes 1, 2, 3.
    """
    rng = np.random.default_rng(_SEED)
    bases = waveform_bases()
    pairs = np.array([[0, 1], [0, 2], [1, 2]])
    label = rng.integers(3, size=n_rows)
    u = rng.uniform(size=(n_rows, 1))
    x = u * bases[pairs[label, 0]] + (1 - u) * bases[pairs[label, 1]] + rng.normal(size=(n_rows, 21))  # (N, 21)
    return pd.DataFrame(x.round(4), columns=[f"x{k}" for k in range(1, 22)]).assign(**{"class": label + 1})


def _plane(points: np.ndarray, labels: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(points.round(4), columns=["x", "y"]).assign(**{"class": labels})

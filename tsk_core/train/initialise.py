"""Initial parameters: centres from the data, widths and consequents from the run's generator."""

import numpy as np
import torch
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from tsk_core.model import Parameters

__all__ = ["clustered_rows", "fuzzy_c_means", "initial_centers", "initialise"]

MOST_ROWS = 20_000  # clustering more rows costs time and gains nothing


def initialise(p: Parameters, model: int, x: np.ndarray, init: str, seed: int, generator: torch.Generator) -> None:
    """Fill one model of the stack; x: (N, D) its normalised training rows, or some of them (``clustered_rows``).

    Centres by ``init``; σ ~ N(1, 0.2²) clipped to ≥ 0.05; b_0 = 0; b ~ U(−1, 1). The draws do not depend on the
    batch-normalisation variant, so variants of one seed start alike.
    """
    s = p.shape
    p.centers[model] = torch.from_numpy(initial_centers(x, s.R, init, seed))
    sigmas = 1 + 0.2 * torch.randn(s.R, s.D, generator=generator)
    p.sigmas[model] = sigmas.clamp_(min=0.05)
    p.weights[model] = torch.rand(s.R, s.C, s.D, generator=generator) * 2 - 1
    p.biases[model] = 0


def clustered_rows(rows: np.ndarray, seed: int) -> np.ndarray:
    """The row numbers that clustering sees: all, or ``MOST_ROWS`` of them drawn at random."""
    if len(rows) <= MOST_ROWS:
        return rows
    return rows[np.random.default_rng(seed).choice(len(rows), MOST_ROWS, replace=False)]


def initial_centers(x: np.ndarray, n_rules: int, init: str, seed: int) -> np.ndarray:
    """Rule centres (R, D). With fewer distinct rows than rules, the rest are rows drawn with replacement."""
    rng = np.random.default_rng(seed)
    distinct = np.unique(x, axis=0)
    if len(distinct) <= n_rules:
        return np.concatenate([distinct, x[rng.integers(len(x), size=n_rules - len(distinct))]])
    if init == "random":
        return x[rng.choice(len(x), n_rules, replace=False)]
    with threadpool_limits(1):  # a second pool of threads beside torch's costs a factor of 10 to 200
        if init == "fcm":
            return fuzzy_c_means(x, n_rules, rng)
        return KMeans(n_rules, random_state=seed, n_init=1).fit(x).cluster_centers_


def fuzzy_c_means(x: np.ndarray, n_clusters: int, rng: np.random.Generator, *, iterations: int = 100) -> np.ndarray:
    """Centres (K, D) of fuzzy c-means (Bezdek 1981).

    The fuzzifier follows Yu, Cheng, Huang (2004), q/(q − 2) with q = min(N, D − 1): at the usual 2, all centres
    collapse onto the mean in high dimension. It is 2 where that is undefined.
    """
    q = min(len(x), x.shape[1] - 1)
    fuzzifier = q / (q - 2) if q >= 3 else 2.0
    centers = x[rng.choice(len(x), n_clusters, replace=False)].astype(float)
    x_norm = (x * x).sum(1, keepdims=True)
    for _ in range(iterations):
        squared = np.maximum(x_norm - 2 * x @ centers.T + (centers * centers).sum(1), 1e-12)  # (N, K)
        log_membership = -np.log(squared) / (fuzzifier - 1)
        membership = np.exp(log_membership - log_membership.max(1, keepdims=True))
        membership = (membership / membership.sum(1, keepdims=True)) ** fuzzifier
        moved = membership.T @ x / membership.sum(0)[:, None]
        if np.abs(moved - centers).max() < 1e-5:
            return moved
        centers = moved
    return centers

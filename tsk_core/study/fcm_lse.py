"""TSK-FCM-LSE: antecedents by fuzzy c-means, consequents by ridge least squares. The paper names both and leaves the rest open.

docs/decisions/0038-the-other-algorithms.md says how the readings below were chosen.
"""

import numpy as np
import torch

from tsk_core.model import Rules, class_scores, infer
from tsk_core.study.parts import Fit, SplitData
from tsk_core.train.initialise import fuzzy_c_means, fuzzy_memberships

__all__ = ["FUZZIFIER", "N_RULES", "RIDGE", "fcm_lse", "fit_rules"]

N_RULES = 20
RIDGE = 0.05  # α
FUZZIFIER = 2.0
_LEAST_VARIANCE = 1e-4  # of a feature that is constant in a cluster


def fcm_lse(split: SplitData) -> Fit:
    """The rule base of ``fit_rules`` with the paper's α and R."""
    rules = fit_rules(split.X_train, split.y_train, split.seed)
    return Fit(class_scores(rules, torch.from_numpy(split.X_test), exact=False).argmax(1).numpy(), {})


def fit_rules(x: np.ndarray, y: np.ndarray, seed: int) -> Rules:
    """One model of ``N_RULES`` rules. x: (N, D) normalised rows, N ≥ N_RULES; y: (N,) class indices.

    Centres: those of fuzzy c-means. σ²: the squared distance from the centre, feature by feature, averaged with the rows' weights
    in that centre. Consequents: those with the least Σ (score − target)² + RIDGE·Σ b², b_0 included; a row's target is 1 for its
    class and 0 for the others.
    """
    centers = fuzzy_c_means(x, N_RULES, np.random.default_rng(seed), fuzzifier=FUZZIFIER)
    sigmas = np.sqrt(np.maximum(_variances(x, centers), _LEAST_VARIANCE))
    R, D, C = *centers.shape, int(y.max()) + 1
    consequents = torch.zeros(1, R, C, D + 1, dtype=torch.float64, device="cpu")
    log_weights, m, s = (torch.from_numpy(values).unsqueeze(0) for values in (np.zeros(R), centers, sigmas))
    rules = Rules(log_weights, m, s, weights=consequents[..., 1:], biases=consequents[..., 0])
    firing = infer(rules, torch.from_numpy(x), exact=False)[0][0].numpy()  # (N, R)
    terms = np.column_stack([np.ones(len(x)), x])
    design = (firing[:, :, None] * terms[:, None, :]).reshape(len(x), -1)  # (N, R(D+1))
    solution = np.linalg.solve(design.T @ design + RIDGE * np.eye(R * (D + 1)), design.T @ np.eye(C)[y])
    consequents[0] = torch.from_numpy(solution).view(R, D + 1, C).transpose(1, 2)
    return rules


def _variances(x: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """Σ_n w_nr (x_nd − c_rd)² / Σ_n w_nr, (R, D), the square expanded; w as in fuzzy c-means."""
    weight = fuzzy_memberships(x, centers, FUZZIFIER)
    weight /= weight.sum(0)
    return weight.T @ (x * x) - 2 * centers * (weight.T @ x) + centers**2

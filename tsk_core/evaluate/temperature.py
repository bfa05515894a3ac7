"""Temperature scaling: one number that makes probabilities neither too sure nor too unsure, and leaves each row's class as it is.

Source: Guo, Pleiss, Sun, Weinberger, On calibration of modern neural networks (2017), section 4.2.
"""

import math

import numpy as np

__all__ = ["temperature"]

LEAST, MOST = 0.05, 20.0


def temperature(scores: np.ndarray, y: np.ndarray, log_prior: np.ndarray | float = 0.0) -> float:
    """The T in [0.05, 20] at which softmax(scores / T + log_prior) has the lowest log loss; 1 without rows.

    scores: (N, C), of rows that the model was not trained on; those that are not finite do not count. y: (N,) class indices.
    log_prior: (N, C), of ``train.table.log_prior``; 0 without class weights.
    The log loss is convex in 1/T, so there is one minimum.
    """
    from scipy.optimize import minimize_scalar
    from scipy.special import log_softmax

    known = np.isfinite(scores).all(1)
    priors = np.broadcast_to(log_prior, scores.shape)[known]
    scores, y = scores[known], y[known]
    if not len(y):
        return 1.0

    def log_loss(log_t: float) -> float:
        return -float(log_softmax(scores / math.exp(log_t) + priors, axis=1)[np.arange(len(y)), y].mean())

    found = minimize_scalar(log_loss, bounds=(math.log(LEAST), math.log(MOST)), method="bounded", options={"xatol": 1e-4})
    return math.exp(found.x)

"""Baselines on the same split: the majority class, and logistic regression on the same encoding."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from tsk_core.evaluate.metrics import accuracy_of_labels

__all__ = ["baselines", "scores"]

WORK = 10**7  # rows × columns × classes of logistic regression, at most; more would take longer than the training itself


def scores(y_true: np.ndarray, y_pred: np.ndarray) -> dict[str, float | None]:
    """Accuracy (rca) and mean recall over the classes present in ``y_true`` (bca), in [0, 1]; None without rows.

    y_true, y_pred: class names, shape [N].
    """
    return accuracy_of_labels(y_true, y_pred)._asdict()


def baselines(
    Z_train: np.ndarray, y_train: np.ndarray, Z_test: np.ndarray, y_test: np.ndarray, seed: int = 0
) -> tuple[dict[str, dict[str, float | None]], list[str]]:
    """Scores of both baselines on the test rows, and notes on deviations from this.

    Z_*: the model's own encoding, normalised float64, shape [N, D]. y_*: class names, shape [N].
    """
    names, counts = np.unique(y_train, return_counts=True)
    majority = names[counts.argmax()]
    notes = []
    most_rows = max(1, WORK // max(1, Z_train.shape[1] * len(names)))
    if len(Z_train) > most_rows:
        rows = np.random.default_rng(seed).choice(len(Z_train), size=most_rows, replace=False)
        Z_train, y_train = Z_train[rows], y_train[rows]
        notes.append(f"The baseline logistic regression was trained on {most_rows:,} of the training rows.")
    return {
        "majority": scores(y_test, np.full(len(y_test), majority)),
        "logistic_regression": scores(y_test, _logistic_regression(Z_train, y_train, Z_test)),
    }, notes


def _logistic_regression(Z_train: np.ndarray, y_train: np.ndarray, Z_test: np.ndarray) -> np.ndarray:
    if not len(Z_test):
        return np.empty(0, dtype=y_train.dtype)
    if len(np.unique(y_train)) == 1:  # scikit-learn refuses a single class
        return np.full(len(Z_test), y_train[0])
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # 1000 iterations are enough for a baseline
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)  # a small table with many classes
        return LogisticRegression(max_iter=1000).fit(Z_train, y_train).predict(Z_test)

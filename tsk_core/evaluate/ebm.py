"""The Explainable Boosting Machine of the library interpret, which is optional, as a baseline."""

import warnings
from importlib.util import find_spec

import numpy as np

from tsk_core.data.encoding import Labels, Rows
from tsk_core.errors import TrainingError
from tsk_core.evaluate.same_size import Peer, check_rows
from tsk_core.metrics import accuracy_of_labels


def missing() -> str:
    """One sentence how to get it; empty where it is."""
    return "" if find_spec("interpret") else "It needs interpret: pip install interpret-core."


def main_effects(X_train: Rows, y_train: Labels, X_test: Rows, y_test: Labels, *, seed: int = 0) -> Peer:
    """Without pairs of features, so that each feature has one curve to read: what to set beside a readable rule base.

    It takes seconds. X_*: rows as ``TSKClassifier`` takes them, (N, features); y_*: their classes, (N,). Raises TrainingError
    where interpret is missing, or DataError.
    """
    y_train, y_test = check_rows(X_train, y_train, X_test, y_test)
    predicted = fit_ebm(X_train, y_train, X_test, seed, {"interactions": 0})[0] if len(y_test) else y_test
    return Peer("EBM", None, None, *accuracy_of_labels(y_test, predicted))


def fit_ebm(X_train: Rows, y_train: np.ndarray, X_test: Rows, seed: int, settings: dict[str, int]) -> tuple[np.ndarray, int]:
    """The predicted classes, (n,), and how many shapes its reader looks at: of two classes one a term, of more one a class."""
    if sentence := missing():
        raise TrainingError(sentence)
    from interpret.glassbox import ExplainableBoostingClassifier

    model = ExplainableBoostingClassifier(random_state=seed, n_jobs=1, **settings)
    with warnings.catch_warnings():  # about pictures, which nobody looks at here
        warnings.filterwarnings("ignore", "For multiclass we cannot currently visualize pairs")
        warnings.filterwarnings("ignore", "Missing values detected")
        model.fit(X_train, y_train)
        predicted: np.ndarray = model.predict(X_test)
    classes = len(model.classes_)
    return predicted, len(model.term_features_) * (1 if classes == 2 else classes)  # noqa: PLR2004 - one curve tells two classes apart

"""The rows of a training that a browser draws, and that rules are summarised on while it trains."""

from functools import cached_property
from typing import Any, Self

import numpy as np
import pandas as pd

from tsk_core.data.encoding import class_indices
from tsk_core.data.splitting import Split
from tsk_core.explain import Summariser, rows_to_show
from tsk_core.notebook.classifier import WatchedClassifier

__all__ = ["ShownRows"]

Encoded = tuple[np.ndarray, np.ndarray]  # (N, D) in original units; class indices (N,)


class ShownRows:
    """Training and test rows, encoded by a fitted classifier. test: maybe without rows."""

    def __init__(self, classifier: WatchedClassifier, train: Encoded, test: Encoded) -> None:
        self._encoder, self._classes = classifier.encoder_, classifier.classes_
        self._train, self._test = train, test

    @classmethod
    def of_tables(cls, classifier: WatchedClassifier, train: tuple[Any, Any] | None, test: tuple[Any, Any] | None) -> Self | None:
        """Of tables (X, y). train: None for the rows that the model keeps. None where there are neither.

        Test rows with a class that the model does not know are left out.
        """
        kept = classifier.model_.training_rows
        known = kept if train is None else cls._encoded(classifier, *train)
        tested = (np.empty((0, len(classifier.encoder_.columns))), np.empty(0, int))
        if test is not None:
            tested = cls._encoded(classifier, *test)
        if known is None:  # a model that was loaded has no rows of its own
            known, tested = tested, (tested[0][:0], tested[1][:0])
        return cls(classifier, known, tested) if len(known[1]) else None

    @staticmethod
    def _encoded(classifier: WatchedClassifier, X: Any, y: Any) -> Encoded:
        labels, Z = np.asarray(y), classifier.model_.encoded(X)
        known = np.isin(labels, classifier.classes_)
        return Z[known], class_indices(classifier.classes_, labels[known])

    @property
    def tested(self) -> bool:
        """Whether there are test rows."""
        return len(self._test[1]) > 0

    @cached_property
    def to_show(self) -> dict[str, object]:
        """A few rows for the browser, as ``explain.rows_to_show`` gives them."""
        n, m = len(self._train[1]), len(self._test[1])
        Z, y = np.concatenate([self._train[0], self._test[0]]), np.concatenate([self._train[1], self._test[1]])
        split = Split(np.arange(n), np.arange(n, n + m))
        return rows_to_show(self._encoder, self._classes, Z, self._classes[y], split, encode=np.ascontiguousarray)

    def summariser(self, n_rules: int) -> Summariser:
        """Summarises the rules of any epoch, quickly."""
        train, test = ((pd.DataFrame(Z), self._classes[y]) for Z, y in (self._train, self._test))
        return Summariser(np.ascontiguousarray, self._classes, train, test, n_rules, quick=True)

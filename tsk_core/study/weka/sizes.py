"""JRip and PART with as many conditions as a rule base has.

Both grow shorter as each rule has to hold for more rows (JRip's -N, PART's -M), so a search by halves over this number finds the
rules with the most conditions that are within. Whether rare classes weigh as much as common ones is decided by the BCA of such
rules on a third of the training rows (of a sample, where there are many), which does not train then.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from sklearn.utils.class_weight import compute_sample_weight

from tsk_core.data.folds import folds
from tsk_core.errors import TrainingError
from tsk_core.evaluate.same_size import Peer, sample
from tsk_core.metrics import accuracy
from tsk_core.study.parts import SplitData
from tsk_core.study.weka.client import trained
from tsk_core.study.weka.printed import conditions_and_rules

__all__ = ["LEAST_ROWS", "most_within", "within"]

LEAST_ROWS = {"JRip": "-N", "PART": "-M"}
"""Name of a learner -> its option for the rows for which a rule has to hold."""
Table = tuple[np.ndarray, np.ndarray]  # encoded rows (N, D) and class indices (N,)
_ROWS = (2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 800, 1200)  # 2 is Weka's default for both


def within(name: str, split: SplitData, conditions: int) -> Peer:
    """The rules of ``most_within``, trained on the split's training rows and measured on its test rows.

    name: of ``LEAST_ROWS``. conditions: of all rules together. Raises TrainingError where Weka is missing or fails.
    """

    def found(x: np.ndarray, y: np.ndarray, test: Table, balanced: bool) -> Peer:
        search = partial(_peer, name, split.feature_of, (x, y), test, compute_sample_weight("balanced", y) if balanced else None)
        return most_within(search, conditions)

    rows = sample(split.y_train, split.seed)
    x, y = split.X_train[rows], split.y_train[rows]
    fold = folds(y, 3, split.seed)[0]
    bca = [found(x[fold.train], y[fold.train], (x[fold.test], y[fold.test]), balanced).bca or 0 for balanced in (False, True)]
    return found(split.X_train, split.y_train, (split.X_test, split.y_test), balanced=bca[1] > bca[0])


def most_within(peer: Callable[[int], Peer], conditions: int) -> Peer:
    """The rules with the most conditions up to this number; where none have so few, those with the fewest.

    peer: makes rules that each hold for at least so many rows; TrainingError where Weka fails, as it may for very many.
    """
    found: dict[int, Peer] = {}  # by number of conditions
    low, high, at = 0, len(_ROWS), 0  # the default first, then by halves
    while low < high:
        try:
            one = peer(_ROWS[at])
        except TrainingError:
            if not found:
                raise
            high = at
        else:
            counted = one.conditions or 0
            found[counted] = one
            low, high = (low, at) if counted <= conditions else (at + 1, high)
        at = (low + high) // 2
    return found[max((counted for counted in found if counted <= conditions), default=min(found))]


def _peer(name: str, feature_of: Sequence[int], train: Table, test: Table, weights: np.ndarray | None, least_rows: int) -> Peer:
    predicted, text = trained(name, train, test, options=(LEAST_ROWS[name], str(least_rows)), weights=weights)
    return Peer(name, *conditions_and_rules(text, feature_of), *accuracy(test[1], predicted))

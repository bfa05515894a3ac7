"""Joining: a second file as the test set; both become one table with a column that tells training and test rows apart."""

import numpy as np
import pandas as pd

from tsk_core.data.clean.names import fresh_name, tidy_names
from tsk_core.data.naming import listed
from tsk_core.errors import DataError

__all__ = ["PART", "with_test_rows"]

PART = "part (train or test)"  # name of that column


def with_test_rows(train: pd.DataFrame, test: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """One raw table of both, and the name of its column that says train or test; give this column the role "split".

    train, test: raw tables with the same columns, in any order.
    Raises DataError if a table has no rows, or naming the columns that only one table has.
    """
    train, test = tidy_names(train)[0], tidy_names(test)[0]
    for frame, what in ((train, "first"), (test, "test")):
        if not len(frame):
            raise DataError(f"The {what} table has no rows.")
    missing = [name for name in train.columns if name not in set(test.columns)]
    extra = [name for name in test.columns if name not in set(train.columns)]
    if missing or extra:
        differences = [f"{word} {listed(names)}" for word, names in (("lacks", missing), ("has in addition", extra)) if names]
        raise DataError(f"The test table needs the same columns as the first one; it {' and '.join(differences)}.")
    part = fresh_name(PART, set(train.columns))
    both = pd.concat([train, test[train.columns]], ignore_index=True)
    both[part] = pd.Series(np.repeat(["train", "test"], [len(train), len(test)]), dtype="str")
    return both, part

"""Classes that only test rows have, as where a test file spells its classes in another way."""

import numpy as np
import pandas as pd

from tsk_core.data.check.checked import Checked
from tsk_core.data.finding import Finding
from tsk_core.data.naming import joined, quoted, sorted_names
from tsk_core.numbers import counted

__all__ = ["untrained_classes"]

_SHOWN = 5


def untrained_classes(table: Checked) -> list[Finding]:
    """A warning where the column that says train or test leaves a class without a training row."""
    if table.split_column is None or table.split_column.kind != "split":
        return []
    tested = table.split_column.values
    counts = pd.Series(table.y[tested]).value_counts()
    only = counts[~np.isin(counts.index.to_numpy(object), table.y[~tested])]
    if not len(only):
        return []
    names = [f"{quoted(name)} ({counted(int(only[name]), 'row')})" for name in sorted_names(only.index)]
    shown = joined([*names[:_SHOWN], f"{len(names) - _SHOWN} more"] if len(names) > _SHOWN else names)
    they = "It cannot be learned" if len(names) == 1 else "They cannot be learned"
    return [
        Finding(
            f"Only test rows have the class{'es' * (len(names) > 1)} {shown}.",
            f"{they}: each of these rows counts as a mistake.",
            "Write the classes of the test rows as in the training rows, or leave these rows out.",
            "warning", (table.target,),
        )
    ]  # fmt: skip

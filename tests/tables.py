"""Tables of any size for tests."""

import numpy as np
import pandas as pd

from tsk_core.data import Dataset


def make_table(rows=120, columns=4, classes=3, seed=0, name="blobs"):
    """Gaussian blobs, one a class."""
    random = np.random.default_rng(seed)
    y = np.arange(rows) % classes
    X = random.normal(size=(rows, columns)) + 2 * y[:, None] * (np.arange(columns) % 2)
    frame = pd.DataFrame(X, columns=[f"x{i}" for i in range(columns)]).assign(kind=[f"class {v}" for v in y])
    return Dataset(frame=frame, target="kind", name=name, source="", licence="", findings=())

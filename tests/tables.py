"""Tables of any size for tests."""

import random

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


def pets(header="size,colour,species", colours=("red", "blue"), classes=("cat", "dog"), rows=60):
    """A CSV with a number, a category and a class; each of the first two columns has a missing value."""
    noise = random.Random(0)
    lines = [header]
    for k in range(rows):
        size = "" if k == 7 else f"{3 * (k % 2) + noise.random():.2f}"
        colour = "" if k == 9 else colours[k % 2]
        lines.append(f"{size},{colour},{classes[k % 2]}")
    return "\n".join(lines).encode()

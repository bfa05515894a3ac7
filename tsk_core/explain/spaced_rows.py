"""Which rows to measure of a table with many."""

import numpy as np

__all__ = ["evenly_spaced"]


def evenly_spaced(n_rows: int, most: int) -> np.ndarray:
    """At most ``most`` of the positions 0 … n_rows − 1, evenly spaced, rising: int (min(n_rows, most),)."""
    return np.linspace(0, n_rows - 1, min(n_rows, most)).round().astype(int)

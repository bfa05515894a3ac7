"""Some of many rows, drawn at random."""

import numpy as np

__all__ = ["drawn_rows"]


def drawn_rows(rows: np.ndarray, most: int, random: int | np.random.Generator) -> np.ndarray:
    """The rows as they are, or ``most`` of more, drawn at random and in the order drawn. random: a generator, or its seed."""
    return rows if len(rows) <= most else np.random.default_rng(random).choice(rows, most, replace=False)

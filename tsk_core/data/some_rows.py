"""Some of many rows: drawn at random, or block after block, so that arrays of them fit into memory."""

from collections.abc import Iterable, Iterator

import numpy as np

__all__ = ["drawn_rows", "drawn_rows_per_class", "row_blocks"]


def drawn_rows(rows: np.ndarray, most: int, random: int | np.random.Generator) -> np.ndarray:
    """The rows as they are, or ``most`` of more, drawn at random and in the order drawn. random: a generator, or its seed."""
    return rows if len(rows) <= most else np.random.default_rng(random).choice(rows, most, replace=False)


def drawn_rows_per_class(codes: np.ndarray, counts: Iterable[int], random: np.random.Generator) -> np.ndarray:
    """Row numbers, rising: so many of each class, drawn at random; all of a class that has fewer. codes: (N,). counts: (C,)."""
    return np.sort(np.concatenate([random.permutation(np.flatnonzero(codes == k))[:n] for k, n in enumerate(counts)]))


def row_blocks(n_rows: int, numbers_per_row: int, most: int) -> Iterator[slice]:
    """Slices of all rows, one after another, each of at most ``most`` numbers, or of one row."""
    size = max(1, most // numbers_per_row)
    return (slice(start, start + size) for start in range(0, n_rows, size))

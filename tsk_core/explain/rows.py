"""Rows for a browser to draw and to move: some of each class, the range of each column, and a two-dimensional view of all.

Everything is JSON-ready, in the encoded columns and original units of the exported rules; missing values are filled.
"""

import warnings
from collections.abc import Callable

import numpy as np

from tsk_core.data.encoding import Encoder, Rows, class_indices
from tsk_core.data.splitting import Split, drawn_rows, row_blocks
from tsk_core.errors import DataError
from tsk_core.explain.labels import significant
from tsk_core.numbers import SIGNIFICANT, six_digits

MOST_BYTES = 1_900_000  # of everything as JSON, except for models of more than 12,000 columns, which get ``FEWEST`` rows
FEWEST = 10
FLOATS = 4_000_000  # encoded at once: 32 MB
VIEW_ROWS = 5_000  # that the principal pca are learnt from


def rows_to_show(
    encoder: Encoder,
    classes: np.ndarray,
    X: Rows,
    y: np.ndarray,
    split: Split,
    most: int = 1000,
    seed: int = 0,
    *,
    encode: Callable[[Rows], np.ndarray] | None = None,
    positions: np.ndarray | None = None,
) -> dict[str, object]:
    """Rows, ranges and the view of one trained classifier, as JSON-ready values of at most about 2 MB.

    encoder, classes: of the classifier. X, y: the whole table, (N, features) and (N,) class names. split: its ``train``
    and ``test`` row numbers, each row in one of them. most: n at most; fewer rows are shown where D is large.
    encode: rows of X → (N, D), the encoder's ``transform`` by default; another one where X is encoded already.
    positions: as those of ``Dataset``, where X lacks rows of the table that people know.

    "row" [n]: ``positions``, by default those in X, rising. "part" [n]: 0 for training, 1 for test. "y" [n]: class indices.
    "x" [n][D]: encoded.
    "tests": how many test rows there are in X.
    A quarter of the rows is divided equally among the classes, the rest in proportion to their sizes.
    "columns" [D] of {"low", "high"}: the range over all rows. "view": see ``_view``.

    Raises DataError where X, y and split do not fit each other or the classifier.
    """
    part = _parts(split, len(y))
    if len(X) != len(y) or most < 1:
        raise DataError(
            f"X has {len(X)} rows, y has {len(y)}, and most is {most}; X and y need equally many rows, and most at least 1."
        )
    indices, random, encode = class_indices(classes, y), np.random.default_rng(seed), encode or encoder.transform
    digits = _digits(encoder)
    chosen = _chosen(indices, len(classes), min(most, _capacity(digits)), random)
    low, high = _ranges(encode, X)
    rows = np.sort(drawn_rows(np.asarray(split.train), min(VIEW_ROWS, max(FEWEST, FLOATS // len(digits))), random))
    return {
        "row": (chosen if positions is None else positions[chosen]).tolist(),
        "part": part[chosen].tolist(),
        "tests": len(split.test),
        "y": indices[chosen].tolist(),
        "x": [_short(row, digits) for row in encode(_take(X, chosen))],
        "columns": [
            {"low": least, "high": greatest}
            for least, greatest in zip(*(_short(values, digits) for values in (low, high)), strict=True)
        ],
        "view": _view(encoder, encode(_take(X, rows)), digits, seed),
    }


def _view(encoder: Encoder, encoded: np.ndarray, digits: np.ndarray, seed: int) -> dict[str, list[float] | list[list[float]]]:
    """The first two principal components of some training rows: {"center" [D], "scale" [D], "axes" [2][D], "share" [2]}.

    A row's point is ((x − center) / scale) · axis for each axis. Axes have length 1; ``share`` is of the variance. An axis
    without variance, such as the second of one column or both of constant rows, is 0, and so is its share.
    """
    axes, share = _principal(encoder.normalise(encoded), seed)
    return {
        "center": _short(encoder.mean_, np.maximum(digits, SIGNIFICANT)),
        "scale": _short(encoder.scale_),
        "axes": [_short(axis) for axis in axes],
        "share": _short(share),
    }


def _parts(split: Split, n_rows: int) -> np.ndarray:
    """0 for training rows and 1 for test rows, (N,)."""
    rows = np.concatenate([np.asarray(split.train, dtype=int), np.asarray(split.test, dtype=int)])
    if not n_rows or not len(split.train) or not np.array_equal(np.sort(rows), np.arange(n_rows)):
        raise DataError(f"The split does not contain each of the {n_rows} rows exactly once; pass the split used in training.")
    part = np.zeros(n_rows, dtype=int)
    part[np.asarray(split.test, dtype=int)] = 1
    return part


def _digits(encoder: Encoder) -> np.ndarray:
    """Significant digits of each column, int (D,); 0 for categories, which are 0 or 1."""
    number = np.array([column.kind == "number" for column in encoder.columns])
    return np.where(number, significant(encoder.mean_, encoder.scale_), 0)


def _capacity(digits: np.ndarray) -> int:
    """How many rows fit. A number takes its digits and at most 9 bytes, a category 3; the rest takes about 150 per column."""
    row = int(np.where(digits > 0, digits + 9, 3).sum()) + 30
    return max(FEWEST, (MOST_BYTES - 150 * len(digits)) // row)


def _chosen(classes: np.ndarray, n_classes: int, most: int, random: np.random.Generator) -> np.ndarray:
    """Row numbers, rising, of at most ``most`` rows."""
    wanted = rows_per_class(np.bincount(classes, minlength=n_classes), most)
    drawn = [drawn_rows(np.flatnonzero(classes == c), n, random) for c, n in enumerate(wanted)]
    return np.sort(np.concatenate(drawn))


def rows_per_class(counts: np.ndarray, most: int) -> np.ndarray:
    """How many rows of each class, (C,): a quarter in equal shares, the rest in proportion; min(most, ΣN_c) in total."""
    if counts.sum() <= most:
        return counts
    taken = np.minimum(counts, max(1, most // (4 * len(counts))))
    if taken.sum() > most:  # more classes than rows: one each of the largest
        taken = np.zeros_like(counts)
        taken[np.argsort(-counts, kind="stable")[:most]] = 1
        return taken
    left = counts - taken
    exact = left * ((most - taken.sum()) / left.sum())
    taken, rest = taken + np.floor(exact).astype(int), exact - np.floor(exact)
    taken[np.argsort(-rest, kind="stable")[: most - taken.sum()]] += 1  # the largest remainders
    return taken


def _ranges(encode: Callable[[Rows], np.ndarray], X: Rows) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest value of each encoded column, (D,) each."""
    first = encode(_take(X, np.arange(1)))[0]
    low, high = first.copy(), first.copy()
    for rows in row_blocks(len(X), len(first), FLOATS):
        encoded = encode(_take(X, np.arange(*rows.indices(len(X)))))
        np.minimum(low, encoded.min(0), out=low)
        np.maximum(high, encoded.max(0), out=high)
    return low, high


def _principal(x: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Two unit axes (2, D) and the share of variance along each (2,), of normalised rows (n, D); 0 where there is none."""
    from sklearn.decomposition import PCA  # here, because the import is slow

    axes, share = np.zeros((2, x.shape[1])), np.zeros(2)
    k = min(2, *x.shape)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of rows that are all the same: 0/0
        pca = PCA(k, random_state=seed).fit(x)
    kept = np.flatnonzero(pca.explained_variance_ > 1e-12)  # columns have a variance of 1 or 0
    axes[kept], share[kept] = pca.components_[kept], pca.explained_variance_ratio_[kept]
    return axes, share


def _take(X: Rows, rows: np.ndarray) -> Rows:
    return X[rows] if isinstance(X, np.ndarray) else X.iloc[rows]


def _short(values: np.ndarray, digits: np.ndarray | None = None) -> list[float]:
    """Values with these numbers of significant digits (0: whole numbers)."""
    if digits is None:
        return [six_digits(value) for value in values.tolist()]
    pairs = zip(values.tolist(), digits.tolist(), strict=True)
    return [float(f"{value:.{n}g}") if n else int(value) for value, n in pairs]

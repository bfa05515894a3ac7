"""What a thumbnail of a dataset shows: a few rows, in the plane of the two features that tell the classes apart best."""

import numpy as np
import pandas as pd
from pandas.api import types
from sklearn.feature_selection import f_classif

from tsk_core.data.dataset import Dataset

__all__ = ["sample_points", "telling_features"]

_ROWS = 2_000  # enough to rank features by
_SAME = 0.95  # features correlated more than this show one thing twice


def telling_features(dataset: Dataset) -> tuple[str, str] | None:
    """The two numeric features with the largest ANOVA F, on at most 2,000 rows, gaps as medians; None where there are not two.

    The second is the best that is not nearly a multiple of the first (|correlation| ≤ 0.95), if there is one. They come in
    the table's order.
    """
    rows = _stratified(dataset.y, _ROWS)
    frame = _numbers(dataset.X).iloc[rows]
    frame = frame.loc[:, frame.nunique() > 1]
    if frame.shape[1] < 2:
        return None
    scale = frame - frame.mean()
    scale /= np.sqrt((scale**2).mean())
    with np.errstate(divide="ignore", invalid="ignore"):  # a feature may be constant within every class
        score = np.nan_to_num(f_classif(scale, dataset.y[rows].astype(str))[0], nan=-1.0)
    ranked = list(frame.columns[np.argsort(-score, kind="stable")])
    first = ranked.pop(0)
    second = next((name for name in ranked if abs((scale[first] * scale[name]).mean()) <= _SAME), ranked[0])
    return tuple(name for name in frame.columns if name in (first, second))


def sample_points(dataset: Dataset, most: int = 150) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """(x, y, class) of at most ``most`` rows on the two most telling features; None where there are not two numbers.

    The classes have their shares of the rows, and each has at least one; the same rows each time. Gaps show as medians.
    """
    pair = telling_features(dataset)
    if pair is None:
        return None
    rows = _stratified(dataset.y, most)
    x, y = (_numbers(dataset.X[[name]]).iloc[rows, 0].to_numpy(dtype=float) for name in pair)
    return x, y, dataset.y[rows]


def _numbers(features: pd.DataFrame) -> pd.DataFrame:
    """The numeric features in float64, gaps as medians; features that are all gaps left out."""
    names = [n for n in features if types.is_numeric_dtype(features[n]) and not types.is_bool_dtype(features[n])]
    frame = features[names].astype(float).replace([np.inf, -np.inf], np.nan).dropna(axis=1, how="all")
    return frame.fillna(frame.median())


def _stratified(y: np.ndarray, most: int) -> np.ndarray:
    """At most ``most`` row numbers in order, or one a class where there are more classes than that."""
    shuffled = np.random.default_rng(0).permutation(len(y))
    if len(y) <= most:
        return np.arange(len(y))
    codes = pd.factorize(y, sort=True)[0]
    counts = np.bincount(codes)
    quota = np.maximum(counts * most // len(y), 1)
    while quota.sum() > most and quota.max() > 1:
        quota[quota.argmax()] -= 1
    place = pd.Series(codes[shuffled]).groupby(codes[shuffled]).cumcount().to_numpy()  # 0, 1, … within each class
    return np.sort(shuffled[place < quota[codes[shuffled]]])

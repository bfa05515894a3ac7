"""The points of a dataset's thumbnail: a few rows, in the plane of the two features that separate the classes best."""

import numpy as np
import pandas as pd
from pandas.api import types
from sklearn.feature_selection import f_classif

from tsk_core.data.dataset import Dataset

__all__ = ["best_feature_pair", "sample_points"]

POINTS = 150
_ROWS = 2_000  # enough to rank the features
_SAME = 0.95  # more strongly correlated features are redundant


def best_feature_pair(dataset: Dataset) -> tuple[str, str] | None:
    """The two numeric features with the largest ANOVA F on at most 2,000 rows; None if there are not two.

    Missing values count as medians. The second feature is the best one whose correlation with the first is at most 0.95, if
    there is one. Both are in table order.
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
    left, right = (name for name in frame.columns if name in (first, second))
    return left, right


def sample_points(dataset: Dataset) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """(x, y, class) of at most 150 rows on the best feature pair; None without two numeric features.

    Each class has its share of the rows, at least one; the rows are the same each time. Missing values are medians.
    """
    pair = best_feature_pair(dataset)
    if pair is None:
        return None
    rows = _stratified(dataset.y, POINTS)
    x, y = (_numbers(dataset.X[[name]]).iloc[rows, 0].to_numpy(dtype=float) for name in pair)
    return x, y, dataset.y[rows]


def _numbers(features: pd.DataFrame) -> pd.DataFrame:
    """The numeric features in float64, missing values as medians; empty features are left out."""
    names = [n for n in features if types.is_numeric_dtype(features[n]) and not types.is_bool_dtype(features[n])]
    frame = features[names].astype(float).replace([np.inf, -np.inf], np.nan).dropna(axis=1, how="all")
    return frame.fillna(frame.median())


def _stratified(y: np.ndarray, most: int) -> np.ndarray:
    """At most ``most`` row numbers in order, or one for each class if there are more classes."""
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

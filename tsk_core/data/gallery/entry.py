"""Entry: one dataset of the gallery, with the content of its card, known without loading the table."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pandas.api import types
from sklearn.feature_selection import f_classif

from tsk_core.data.dataset import Dataset
from tsk_core.data.findings import Finding
from tsk_core.data.reading import read_table

GROUPS = ("bundled", "generated", "paper", "folder")  # in display order


class Card(NamedTuple):
    """What a card says about a dataset; the fields are those of ``Entry``."""

    name: str
    title: str
    description: str
    good_for: str
    counts: tuple[int, ...]
    features: int | None


class MeasuredSettings(NamedTuple):
    """Settings that were measured to do well on a table.

    start: the name of a starting point. settings: what differs from it, by the names of ``TrainConfig``'s fields.
    figures: the test scores, as a sentence.
    """

    start: str
    settings: dict[str, Any]
    figures: str


@dataclass(frozen=True)
class Entry:
    """One dataset of the gallery.

    good_for: one sentence, what the dataset demonstrates.
    counts: rows of each class, largest first; empty for a file of a folder, which is not read in advance.
    features: columns beside the target; None if ``counts`` is empty. group: one of ``GROUPS``.
    loader: returns the table, with the target column ``class`` (a file of a folder: any), and the findings of loading.
    measured: settings that do well on it; None if none did better than the paper's, or if nobody measured.
    rules: how many rules the card promises; None if it does not say.
    """

    name: str
    title: str
    description: str
    good_for: str
    counts: tuple[int, ...]
    features: int | None
    group: str
    source: str
    licence: str
    loader: Callable[[], tuple[pd.DataFrame, tuple[Finding, ...]]]
    measured: MeasuredSettings | None = None
    rules: int | None = None

    @property
    def rows(self) -> int | None:
        """N, or None if it is not known before loading."""
        return sum(self.counts) or None

    @property
    def classes(self) -> int | None:
        """C, or None if it is not known before loading."""
        return len(self.counts) or None


# The operator's own files: ``<name>.csv`` in the folders of TSK_DATA_DIR.


def csv_files() -> dict[str, Path]:
    """``{name in small letters: path}``, sorted by file name; of two files of one name, the first folder's."""
    paths: dict[str, Path] = {}
    for folder in filter(None, os.environ.get("TSK_DATA_DIR", "").split(os.pathsep)):
        for path in sorted(Path(folder).glob("*.csv")):
            paths.setdefault(path.stem.casefold(), path)
    return dict(sorted(paths.items(), key=lambda item: item[1].stem))


def file_state(name: str) -> tuple[str, int, int] | None:
    """The file that a name stands for in these folders, with the time of its last change and its size; None without one."""
    path = csv_files().get(name.casefold())
    if path is None:
        return None
    try:
        status = path.stat()
    except OSError:  # deleted since
        return None
    return str(path), status.st_mtime_ns, status.st_size


def folder_entry(path: Path) -> Entry:
    """The entry of a file; only its name is known."""

    def loader() -> tuple[pd.DataFrame, tuple[Finding, ...]]:
        raw = read_table(path)
        return raw.frame, raw.findings

    title = path.stem.replace("_", " ").replace("-", " ").capitalize()
    description = f"{path.name} in the data folder of this server."
    return Entry(path.stem, title, description, "", (), None, "folder", path.name, "", loader)


# The points of a dataset's thumbnail: a few rows, in the plane of the two features that separate the classes best.


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

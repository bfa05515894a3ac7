"""Which test rows belong together: a patient's visits, or the rows of a stretch of time. Intervals draw them together.

Sources: Davison and Hinkley, Bootstrap methods and their application (1997), section 3.8, whole groups; Carlstein, The use of
subseries values for estimating the variance (1986), blocks of consecutive times that do not overlap; Politis and White, Automatic
block-length selection for the dependent bootstrap (2004; corrected with Patton, 2009), the length of the blocks.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tsk_core.data.naming import quoted
from tsk_core.data.splitting import SplitColumn
from tsk_core.evaluate.intervals import RESAMPLES, Interval
from tsk_core.evaluate.shares import FEWEST, Shares, intervals_of, resamples

__all__ = ["Units", "block_length", "drawn_text", "how_drawn", "kept_units", "rows_alone", "share_interval", "units_of"]


@dataclass(frozen=True, eq=False)
class Units:
    """What an interval draws: rows, whole groups, or blocks of consecutive times.

    codes: (N,) from 0, the unit of each test row. kind: "rows", "groups" or "blocks". column: of the table, "" for rows.
    length: times in a block, else 0.
    """

    codes: np.ndarray
    kind: str = "rows"
    column: str = ""
    length: int = 0

    @property
    def count(self) -> int:
        """How many units there are."""
        return int(self.codes.max(initial=-1)) + 1

    def to_dict(self) -> dict[str, object]:
        """JSON-ready, without the codes: {"unit", "count", "column", "length"}."""
        return {"unit": self.kind, "count": self.count, "column": self.column, "length": self.length}


def rows_alone(n_rows: int) -> Units:
    """Each row a unit of its own."""
    return Units(np.arange(n_rows))


def units_of(split_column: SplitColumn | None, correct: np.ndarray) -> Units:
    """The units of N test rows, by the column that decided the split. split_column: of these rows (``Dataset.split_column_of``).

    correct: (N,) bool, whether a model classifies each of them correctly; the blocks of a split by time are as long as this
    sequence asks for (``block_length``).
    """
    if split_column is None or split_column.kind == "split" or not len(correct):
        return rows_alone(len(correct))
    found, codes = np.unique(split_column.values, return_inverse=True)
    if split_column.kind == "group":
        return Units(codes, "groups", split_column.column) if len(found) < len(codes) else rows_alone(len(codes))
    share = np.bincount(codes, weights=correct) / np.bincount(codes)
    length = block_length(share)
    blocks = max(1, len(found) // length)
    return Units(codes * blocks // len(found), "blocks", split_column.column, length)


def kept_units(codes: np.ndarray) -> Units:
    """The units of N test rows from what a run kept of them, (N,): equal in rows that belong together."""
    return rows_alone(len(codes)) if len(np.unique(codes)) == len(codes) else Units(codes, "groups")


def block_length(series: np.ndarray) -> int:
    """How many consecutive values of a series (T,) have to stay together, at least ∛T and at most T/3.

    Politis and White's rule for the circular block bootstrap: b = ∛(2 T g²/d), with the flat-top window λ(t) = min(1, 2(1 − |t|))
    over 2m lags, m the lag after which no autocorrelation differs from 0: g = Σ λ |k| R(k), d = 4/3 (Σ λ R(k))².
    """
    series = np.asarray(series, float)
    T = len(series)
    least: int = math.ceil(T ** (1 / 3))
    if 3 * least > T or np.ptp(series) < 1e-12:
        return least
    centred = series - series.mean()
    in_a_row = max(5, math.isqrt(int(math.log10(T))))
    lags = min(T - 1, math.isqrt(T) + 1 + in_a_row)
    covariance = np.array([centred[: T - k] @ centred[k:] for k in range(lags + 1)]) / T
    large = np.abs(covariance[1:] / covariance[0]) >= 2 * math.sqrt(math.log10(T) / T)
    last = next((m for m in range(lags) if not large[m : m + in_a_row].any()), lags)
    window = min(2 * last, lags)
    if not window:
        return least
    k = np.arange(1, window + 1)
    weight = np.minimum(1.0, 2 * (1 - k / window)) * covariance[1 : window + 1]
    g, spectrum = 2 * (weight * k).sum(), covariance[0] + 2 * weight.sum()
    wanted = T / 3 if spectrum <= 0 else (1.5 * T * g**2 / spectrum**2) ** (1 / 3)
    return min(T // 3, max(least, math.ceil(wanted)))


def share_interval(right: np.ndarray, units: Units, seed: int) -> Interval | None:
    """95% interval of the share of rows that are right, (N,) bool; None without rows. units: of them. seed: of resamples."""
    if not len(right):
        return None
    alone = units.kind == "rows"
    codes = np.zeros(len(right), int) if alone else units.codes
    shares = Shares(np.bincount(codes, right)[:, None], np.bincount(codes)[:, None].astype(float), alone)
    drawn = None
    if not alone:
        counts = resamples(np.concatenate([shares.successes, shares.trials], axis=1), np.random.default_rng(seed))
        drawn = Shares(counts[:, :1], counts[:, 1:], alone).each
    (interval,) = intervals_of(shares, drawn)
    return None if interval is None else Interval(float(interval.low), float(interval.high))


def drawn_text(resampled: Mapping[str, Any], rows: int) -> str:
    """What follows "95% interval": " over 45 test rows", or ", by the 7 groups of 'patient' (280 test rows)".

    resampled: of ``Units.to_dict``. rows: how many there are.
    """
    count, column = f"{resampled['count']:,}", quoted(resampled["column"])
    if resampled["unit"] == "rows":
        return f" over {rows:,} test rows"
    if resampled["unit"] == "groups":
        return f", by the {count} groups of {column} ({rows:,} test rows)"
    times = f"{resampled['length']} consecutive times" if resampled["length"] > 1 else "one time"
    return f", by {count} blocks of {times} of {column} ({rows:,} test rows)"


def how_drawn(resampled: Mapping[str, Any]) -> str:
    """How the intervals of scores and differences are made, in a few sentences."""
    if resampled["unit"] == "rows":
        return (
            "Intervals of shares are Wilson's; that of BCA is Wilson's for the number of rows that would give its variance; for"
            f" differences, both predictions of a row are resampled together ({RESAMPLES:,} bootstrap resamples)."
        )
    unit = "group" if resampled["unit"] == "groups" else "block"
    period = "" if unit == "group" else " They hold for the period tested; later rows may differ."
    return (
        f"Rows of a {unit} are alike, so whole {unit}s are drawn with replacement ({RESAMPLES:,} resamples). Where fewer than"
        f" {FEWEST} {unit}s have a misclassified row, or fewer than {FEWEST} a correctly classified one (for BCA: in some class),"
        f" the interval is Wilson's, with each {unit} as one row.{period}"
    )

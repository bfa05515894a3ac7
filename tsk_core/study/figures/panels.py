"""What a figure is drawn of: panels, each a chart of lines or of bars."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Panel", "Series", "over_splits"]


class Series(NamedTuple):
    """One line, or the bars of one colour. x: numbers, or names. sd: of each mean over repetitions; None draws no band.

    style: which of the colours and dashes, from 0.
    """

    name: str
    x: Sequence[Any]
    mean: Sequence[float]
    sd: Sequence[float] | None
    style: int


class Panel(NamedTuple):
    """One chart of a figure.

    kind: "lines" or "bars"; a line of one point is that point with a bar. log_x: whether x is logarithmic, with ticks at x_ticks,
    else at the x of the first line. levels: heights to mark, and their names.
    """

    title: str
    x_title: str
    y_title: str
    series: Sequence[Series]
    kind: str = "lines"
    log_x: bool = False
    levels: Sequence[tuple[float, str]] = ()
    x_ticks: Sequence[float] = ()


def over_splits(frame: "pd.DataFrame", x: str, value: str, name: str, style: int) -> Series:
    """Means and SD of a column over the repetitions at each x; without SD where there is one repetition."""
    spread = frame.groupby(x)[value].agg(["mean", "std"])
    sd = None if spread["std"].isna().any() else spread["std"].tolist()
    return Series(name, spread.index.tolist(), spread["mean"].tolist(), sd, style)

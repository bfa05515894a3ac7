"""A figure: how its data are computed, what is drawn of them, and what they show in a sentence."""

import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from tsk_core.data import load_dataset
from tsk_core.errors import DataError
from tsk_core.evaluate.comparing import paired_over_seeds
from tsk_core.numbers import counted, signed
from tsk_study.names import DATASETS
from tsk_study.parts import TEST_SIZE
from tsk_study.results import Key, Result

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

    from tsk_core.data import Dataset

# What a figure is drawn of: panels, each a chart of lines or of bars.


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


# What the paper's text says of a figure, and whether our numbers show it.
#
# ``YES`` takes that the 95% interval of the mean difference over the splits lies above 0 (corrected for splits that share rows),
# or that it is so in three quarters of the pairs of trainings at least; it is said which. Both are of this one dataset, or of
# these. Where the paper says "significantly", the interval decides.


YES, NO, PARTLY, UNCERTAIN = "yes", "no", "partly", "not certain"


class Claim(NamedTuple):
    """says: what the paper's text says of its figure. holds: whether ours shows it (``YES``, …). numbers: of ours, in words."""

    says: str
    holds: str
    numbers: str


class Compared(NamedTuple):
    """A claim that one thing is larger than another, on our numbers. text: the numbers."""

    holds: str
    text: str


def interval_above(a: "pd.Series", b: "pd.Series") -> Compared:
    """Whether the mean of a − b over the splits is above 0: ``YES`` or ``NO`` where its 95% interval leaves 0 out."""
    paired = paired_over_seeds(a.to_numpy(), b.to_numpy(), TEST_SIZE / (1 - TEST_SIZE))
    if paired.low is None or paired.high is None:
        return Compared(UNCERTAIN, signed(paired.difference, 3))
    holds = YES if paired.low > 0 else NO if paired.high < 0 else UNCERTAIN
    return Compared(holds, f"{signed(paired.difference, 3)} (95% interval {signed(paired.low, 3)} to {signed(paired.high, 3)})")


def ratio_above(a: "pd.Series", b: "pd.Series") -> Compared:
    """Whether a/b is above 1: as ``interval_above`` of their logarithms. a, b: positive, by split."""
    import numpy as np

    paired = paired_over_seeds(np.log(a.to_numpy(float)), np.log(b.to_numpy(float)), TEST_SIZE / (1 - TEST_SIZE))
    ratio, count = f"{np.exp(paired.difference):.2f} times as large", f"larger in {paired.wins} of {paired.of} repetitions"
    if paired.low is None or paired.high is None or paired.p_value is None:
        return Compared(UNCERTAIN, f"{ratio}, {count}")
    holds = YES if paired.low > 0 else NO if paired.high < 0 else UNCERTAIN
    p = "p below .001" if paired.p_value < 0.001 else f"p {paired.p_value:.3f}".replace("0.", ".")  # noqa: PLR2004
    return Compared(holds, f"{ratio} (95% interval {np.exp(paired.low):.2f} to {np.exp(paired.high):.2f}, {p}), {count}")


def often_above(a: "np.ndarray", b: "np.ndarray") -> Compared:
    """Whether the numbers of a are above those of b in the same places: ``YES`` in three quarters of them, ``NO`` in one."""
    count, of = int((a > b).sum()), a.size
    return Compared(YES if 4 * count >= 3 * of else NO if 4 * count <= of else PARTLY, f"{count} of {of}")


def together(*parts: Compared) -> str:
    """Whether a claim with several parts holds: what all of them say, else ``PARTLY``."""
    verdicts = {part.holds for part in parts}
    return verdicts.pop() if len(verdicts) == 1 else PARTLY


# Panels as SVG, by matplotlib: two in a row, for print and slides.
#
# The colours are those of Okabe and Ito, which colour-blind people can distinguish; each line has its own dash and marker.


COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#B8A800")
_DASHES, _MARKERS = ("-", "--", ":", "-."), ("o", "s", "D", "^", "v", "P", "X")
_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text: it can be searched, and read aloud
    "svg.hashsalt": "tsk",  # the same data, the same file
    "font.size": 9, "axes.grid": True, "grid.alpha": 0.3, "axes.spines.top": False, "axes.spines.right": False,
}  # fmt: skip
_LEVELS: tuple[Any, ...] = ((0, (1, 1)), "--", "-.", (0, (6, 1)))
_WIDTH, _HEIGHT = 4.6, 3.2  # of a panel, inches
_NAMES_IN_LINE = 5  # of a legend below all panels


def svg(panels: Sequence[Panel]) -> bytes:
    """Draw the panels side by side, at most three in a row; four make two rows."""
    import matplotlib
    from matplotlib.figure import Figure  # without pyplot, which would look for a screen

    columns = 3 if len(panels) == 3 else min(2, len(panels))
    rows = math.ceil(len(panels) / columns)
    with matplotlib.rc_context(_SETTINGS):
        figure = Figure(figsize=(_WIDTH * columns, _HEIGHT * rows), layout="constrained")
        grid = figure.subplots(rows, columns, squeeze=False).ravel()
        for axes, panel in zip(grid, panels, strict=False):
            _draw(axes, panel)
        for axes in grid[len(panels) :]:
            axes.set_visible(False)
        _legends(figure, list(grid[: len(panels)]))
        content = io.BytesIO()
        figure.savefig(content, format="svg", metadata={"Date": None})
    return content.getvalue()


def _draw(axes: "Axes", panel: Panel) -> None:
    for at, series in enumerate(panel.series):
        colour, mean = COLOURS[series.style], series.mean
        if panel.kind == "bars":
            step = series.x[1] - series.x[0] if len(series.x) > 1 else 1.0
            width = step / len(panel.series)
            places = [x + (at - (len(panel.series) - 1) / 2) * width for x in series.x]
            axes.bar(places, mean, width, color=colour, label=series.name)
            continue
        style: dict[str, Any] = {
            "color": colour,
            "linestyle": _DASHES[series.style % len(_DASHES)],
            "marker": _MARKERS[series.style],
            "markersize": 3.5,
        }
        axes.plot(series.x, mean, label=series.name, **style)
        if series.sd is not None and len(mean) == 1:
            axes.errorbar(series.x, mean, series.sd, color=colour, capsize=3)
        elif series.sd is not None:
            low, high = ([m + sign * sd for m, sd in zip(mean, series.sd, strict=True)] for sign in (-1, 1))
            axes.fill_between(series.x, low, high, color=colour, alpha=0.15, linewidth=0)
    for at, (height, name) in enumerate(panel.levels):
        axes.axhline(height, color="#6B6B6B", linewidth=1, linestyle=_LEVELS[at % len(_LEVELS)], label=name)
    _label(axes, panel)


def _label(axes: "Axes", panel: Panel) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.set(title=panel.title, xlabel=panel.x_title, ylabel=panel.y_title)
    if panel.log_x:
        ticks = panel.x_ticks or panel.series[0].x
        axes.set_xscale("log", base=2)
        axes.set_xticks(ticks, [f"{x:g}" for x in ticks])
        axes.minorticks_off()
    elif isinstance(panel.series[0].x[0], str):
        axes.tick_params(axis="x", labelrotation=60)
    elif isinstance(panel.series[0].x[0], int):
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _legends(figure: "Drawing", grid: "Sequence[Axes]") -> None:
    """One legend below all panels where one of them has the names of all; else each panel has its own."""
    of_panels = [dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True)) for axes in grid]  # name -> handle
    together = {name: handle for named in of_panels for name, handle in named.items()}
    if len(grid) > 1 and max(map(len, of_panels)) == len(together) > 1:
        figure.legend(together.values(), together, loc="outside lower center", ncols=_NAMES_IN_LINE, fontsize=8, frameon=False)
        return
    for axes, named in zip(grid, of_panels, strict=True):
        if len(named) > 1:
            axes.legend(fontsize=7, frameon=False)


Progress = Callable[[float], None]  # takes the share that is done; what it raises ends the computation


@dataclass(frozen=True)
class FigureOptions:
    """What figures are computed with.

    results: of the study; they have λ and the number of epochs of each model. repetitions: splits that are used, at most.
    load: a name -> its dataset. dataset: of those figures that show one; firing_datasets: of the average firing levels.
    """

    results: Mapping[Key, Result] = field(default_factory=dict)
    repetitions: int = 10
    load: "Callable[[str], Dataset]" = load_dataset
    dataset: str = "satellite"
    firing_datasets: tuple[str, ...] = ("satellite", "vehicle", "biodeg")
    batch_sizes: tuple[int, ...] = (16, 32, 64, 128, 256, 512, 1024, 2048)
    epochs: int = 20

    def splits_of(self, dataset: str, algorithms: Sequence[str]) -> list[int]:
        """The first splits that all of these algorithms have results of. Raises DataError where there is none."""
        splits = [{key[2] for key in self.results if key[:2] == (dataset, one)} for one in algorithms]
        shared = sorted(set.intersection(*splits))[: self.repetitions]
        if not shared:
            name, wanted = printed(dataset), ", ".join(algorithms)
            raise DataError(f"There are no results of {wanted} on the same split of {name}: let the study compute them first.")
        return shared

    def results_of(self, dataset: str, algorithms: Sequence[str]) -> list[Result]:
        """The results of these algorithms on the first splits that all of them have; raises as ``splits_of``."""
        splits = self.splits_of(dataset, algorithms)
        return [self.results[dataset, one, split] for one in algorithms for split in splits]


def repetitions(frame: "pd.DataFrame") -> str:
    """Over what a figure's means are, as "Means over 10 splits of Satellite"; frame: of ``Figure.compute``."""
    counts = frame.groupby(["dataset", *(["algorithm"] if "algorithm" in frame else [])])["split"].nunique()
    low, high = int(counts.min()), int(counts.max())
    names = frame["dataset"].unique()
    of = printed(str(names[0])) if len(names) == 1 else "each dataset"
    return f"Means over {counted(high, 'split') if low == high else f'{low} to {high} splits'} of {of}"


def part_of(progress: Progress, part: int, n_parts: int) -> Progress:
    """The progress of one of equal parts, from 0, told as that of the whole."""
    return lambda share: progress((part + share) / n_parts)


@dataclass(frozen=True)
class Figure:
    """One of the paper's figures, or of ours beyond them.

    title: what it shows. of_paper: its number there, "" for one of ours. splits: by dataset, those that a frame has. compute: the
    frame, one row a repetition; both raise DataError where results are missing. panels: what is drawn of a frame.
    claims: what the paper's text says of it, and whether a frame of ours shows it. paper: the same frame from the numbers that
    the paper prints, or None. from_results: whether it is made of results alone, and quick to compute. note: what has to be
    known to read it.
    """

    name: str
    title: str
    of_paper: str
    splits: Callable[[FigureOptions], Mapping[str, Sequence[int]]]
    compute: Callable[[FigureOptions, Progress], "pd.DataFrame"]
    panels: Callable[["pd.DataFrame"], list[Panel]]
    claims: Callable[["pd.DataFrame"], list[Claim]]
    paper: Callable[[], "pd.DataFrame"] | None = None
    from_results: bool = False
    note: str = ""

    @property
    def heading(self) -> str:
        """Its title after its number."""
        return f"{self.of_paper}: {self.title}" if self.of_paper else self.title

    def draw(self, frame: "pd.DataFrame") -> bytes:
        """The figure as SVG; where the paper's data are printed, those stand above ours."""
        ours = self.panels(frame)
        if self.paper is None:
            return svg(ours)
        paper = self.panels(self.paper())
        named = [
            panel._replace(title=f"{panel.title}, {who}") for who, all in (("paper", paper), ("ours", ours)) for panel in all
        ]
        return svg(named)


def printed(dataset: str) -> str:
    """A dataset as the paper prints it."""
    return DATASETS.get(dataset, dataset)


def short(algorithm: str) -> str:
    """An algorithm's name for a legend."""
    return algorithm.removeprefix("TSK-")

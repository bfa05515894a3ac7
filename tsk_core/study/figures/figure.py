"""A figure: how its data are computed, what is drawn of them, and what they show in a sentence."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tsk_core.data import load_dataset
from tsk_core.errors import DataError
from tsk_core.numbers import counted
from tsk_core.study.figures.claims import Claim
from tsk_core.study.figures.drawing import svg
from tsk_core.study.figures.panels import Panel
from tsk_core.study.names import DATASETS
from tsk_core.study.results import Key, Result

if TYPE_CHECKING:
    import pandas as pd

    from tsk_core.data import Dataset

__all__ = ["Figure", "FigureOptions", "Progress", "part_of", "printed", "repetitions", "short"]

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

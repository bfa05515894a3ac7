"""All figures: what is missing is computed; the data are written as CSV, the drawings as SVG."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from tsk_core.errors import DataError, SettingError
from tsk_core.runtime import replace_file
from tsk_study.figures.batch_size import BATCH_SIZE
from tsk_study.figures.effort import EFFORT
from tsk_study.figures.figure import Figure, FigureOptions, repetitions
from tsk_study.figures.firing import ENTROPY, FIRING
from tsk_study.figures.first_epochs import FIRST_EPOCHS
from tsk_study.figures.improvement import IMPROVEMENT

FIGURES: dict[str, Figure] = {figure.name: figure for figure in (IMPROVEMENT, FIRING, ENTROPY, FIRST_EPOCHS, BATCH_SIZE, EFFORT)}
TEXT = "figures.md"
_DIGITS = "%.6g"


class MadeFigures(NamedTuple):
    """files: what was written. missing: names of figures that could not be computed -> why, in a sentence."""

    files: list[Path]
    missing: dict[str, str]


def make_figures(
    options: FigureOptions,
    folder: Path,
    names: Sequence[str] = tuple(FIGURES),
    progress: Callable[[str, float], None] = lambda name, share: None,
) -> MadeFigures:
    """Write ``<name>.csv`` and ``<name>.svg`` of each figure into the folder, which is made if need be, and ``figures.md``, which
    has all figures of the folder.

    A figure is only drawn again where its CSV is there with the splits that it would have now; those that are made of results
    alone are computed each time. To compute one again, delete its CSV. progress: takes the name of the figure at work and the
    share that is done.
    Raises SettingError for an unknown name.
    """
    for name in names:
        if name not in FIGURES:
            raise SettingError(f"The study has no figure {name[:60]!r}; it has {', '.join(FIGURES)}.")
    folder.mkdir(parents=True, exist_ok=True)
    files, missing = [], {}
    for name in names:
        figure, path = FIGURES[name], folder / f"{name}.csv"
        try:
            if figure.from_results or not _is_whole(figure, options, path):
                _write(figure, options, path, progress)
        except DataError as error:
            missing[name] = str(error)
            continue
        drawing = path.with_suffix(".svg")
        drawing.write_bytes(figure.draw(read_figure(folder, name)))
        files += [path, drawing]
    text = folder / TEXT
    text.write_text("\n".join(_sections(folder)), encoding="utf-8")
    return MadeFigures([*files, text], missing)


def _is_whole(figure: Figure, options: FigureOptions, path: Path) -> bool:
    """Whether the file has all splits that the results allow for, or more cannot be computed."""
    if not path.exists():
        return False
    there = read_figure(path.parent, figure.name).groupby("dataset")["split"].unique()
    try:
        wanted = figure.splits(options)
    except DataError:
        return True
    return {name: set(splits) for name, splits in wanted.items()} == {name: set(splits) for name, splits in there.items()}


def _sections(folder: Path) -> Iterator[str]:
    """Of each figure that the folder has the data of."""
    for name, figure in FIGURES.items():
        with contextlib.suppress(DataError):
            yield _section(figure, read_figure(folder, name))


def _section(figure: Figure, frame: pd.DataFrame) -> str:
    """The figure in Markdown, with what the paper says and what ours shows."""
    rows = [f"| {' | '.join(claim)} |" for claim in figure.claims(frame)]
    heading = f"## {figure.heading}\n\n![{figure.title}]({figure.name}.svg)\n"
    table = ["| The paper | Ours | In numbers |", "|---|---|---|", *rows, ""] if rows else []
    text = " ".join(filter(None, (figure.note, f"{repetitions(frame)}.")))
    return "\n".join([heading, text, "", *table])


def _write(figure: Figure, options: FigureOptions, path: Path, progress: Callable[[str, float], None]) -> None:
    """Compute a figure; its file is there once it is whole."""
    frame = figure.compute(options, lambda share: progress(figure.name, share))
    replace_file(path, lambda aside: frame.to_csv(aside, index=False, float_format=_DIGITS, lineterminator="\n"))


def read_figure(folder: Path, name: str) -> pd.DataFrame:
    """The data of a figure as ``make_figures`` left them. Raises DataError where there are none, or they are no such data."""
    path = folder / f"{name}.csv"
    try:
        frame = pd.read_csv(path)
        FIGURES[name].panels(frame)
    except FileNotFoundError:
        raise DataError(f"The figure {FIGURES[name].title!r} has not been computed: '{path.name}' is missing.") from None
    except (ValueError, KeyError):
        raise DataError(f"'{path.name}' does not have the data of the figure {FIGURES[name].title!r}; delete the file.") from None
    return frame

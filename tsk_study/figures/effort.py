"""Beyond the paper: BCA against reading effort, of the models that are read whole; models that are not, as lines."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from tsk_core.errors import DataError
from tsk_core.numbers import counted
from tsk_study.figures.figure import Figure, FigureOptions, Panel, Progress, Series, printed
from tsk_study.names import DATASETS, READ, READABLE
from tsk_study.statistics import complete

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tsk_study.results import Key, Result

WHOLE = ("TSK-recommended", "TSK-tuned", "RF", "HistGB")  # nobody reads them
_GROUPS = {"Readable": READABLE, **{name: (name,) for name in READ if name not in READABLE}}  # a line or a point each
_TICKS = (3, 10, 30, 100, 300, 1000, 3000)
_EFFORT, _BCA = "effort", "bca"
_NOTE = (
    "Reading effort is how many things a reader of the whole model has to read: a condition of a rule, a coefficient of a"
    " feature (LR, LR-weighted), or a shape, the curve or surface of a term (EBM), counts as one; a rule's conditions on"
    " one feature are one condition, and what follows THEN counts for nothing. Readable is one line: the best rule bases of at"
    " most 10, 20 and 30 conditions; where a table needs more for its classes, the shortest found. The average is over the"
    " datasets and splits that all algorithms in it share."
)


def _used(options: FigureOptions) -> "Mapping[Key, Result]":
    """The results that the figure shows. Raises DataError where none of them has a reading effort."""
    read = {key: one for key, one in options.results.items() if key[1] in READ and one.effort is not None}
    if not read:
        names = ",".join(name for name in READ if name != "EBM")
        raise DataError(
            "No result has a reading effort yet: let the study compute it (python -m tsk_core study --algorithms"
            f" {names}, with --out and the folder of its results)."
        )
    datasets = {key[0] for key in read}
    return read | {key: one for key, one in options.results.items() if key[1] in WHOLE and key[0] in datasets}


def _splits(options: FigureOptions) -> "dict[str, Sequence[int]]":
    used = _used(options)
    return {name: sorted({key[2] for key in used if key[0] == name}) for name in DATASETS if any(key[0] == name for key in used)}


def _compute(options: FigureOptions, progress: Progress) -> pd.DataFrame:
    """Columns: dataset, algorithm, split, bca, effort; the effort of models that nobody reads is empty."""
    used = _used(options)
    rows = [(*key, one.bca, one.effort if key[1] in READ else None) for key, one in sorted(used.items())]
    progress(1.0)
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "split", _BCA, _EFFORT])
    return frame.astype({_EFFORT: float}).sort_values("dataset", key=lambda names: names.map(list(DATASETS).index), kind="stable")


def _panels(frame: pd.DataFrame) -> list[Panel]:
    by_dataset = {str(name): part for name, part in frame.groupby("dataset", sort=False)}
    panels = [_panel(printed(name), part) for name, part in by_dataset.items()]
    together, datasets = _average(frame)
    if datasets < 2 or together.empty:
        return panels
    shared = counted(together["split"].nunique(), "split")
    return [_panel(f"Average over {datasets} datasets, {shared}", together), *panels]


def _average(frame: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """The means over datasets by algorithm and split, and over how many; of the splits that all have."""
    kept = complete(frame.pivot_table(index=["dataset", "split"], columns="algorithm", values=_BCA))
    datasets = kept.index.unique("dataset")
    sizes = kept.groupby(level="split").size()
    used = frame[frame["algorithm"].isin(kept.columns) & frame["dataset"].isin(datasets)]
    used = used[used["split"].isin(sizes.index[sizes == len(datasets)])]
    return used.groupby(["algorithm", "split"], sort=False)[[_BCA, _EFFORT]].mean().reset_index(), len(datasets)


def _panel(title: str, part: pd.DataFrame) -> Panel:
    """Means over splits. part: of one dataset, or of the average."""
    of = part.groupby("algorithm")[[_BCA, _EFFORT]].agg(["mean", "std"])
    series = []
    for style, (group, names) in enumerate(_GROUPS.items()):
        if present := [name for name in names if name in of.index]:
            points = of.loc[present].sort_values((_EFFORT, "mean"))
            sd = points[_BCA, "std"]
            x = np.maximum(points[_EFFORT, "mean"], 1).tolist()  # a tree of one leaf has no condition; the axis is logarithmic
            series.append(Series(group, x, points[_BCA, "mean"].tolist(), None if sd.isna().any() else sd.tolist(), style))
    means = of[_BCA, "mean"].to_dict()
    levels = [(float(means[name]), name) for name in WHOLE if name in means]
    return Panel(title, "Reading effort", "BCA", series, log_x=True, levels=levels, x_ticks=_TICKS)


EFFORT = Figure(
    "effort",
    "BCA and reading effort",
    "",
    _splits,
    _compute,
    _panels,
    lambda frame: [],  # noqa: ARG005 - the paper says nothing of it
    from_results=True,
    note=_NOTE,
)

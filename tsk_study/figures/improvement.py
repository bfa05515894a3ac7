"""Fig. 4: RCA and BCA of the four MBGD models over the datasets."""

import numpy as np
import pandas as pd

from tsk_core.errors import DataError
from tsk_core.numbers import signed
from tsk_study.figures.figure import (
    NO,
    YES,
    Claim,
    Compared,
    Figure,
    FigureOptions,
    Panel,
    Progress,
    Series,
    often_above,
    printed,
    short,
    together,
)
from tsk_study.names import DATASETS, FOUR

_METRICS = ("rca", "bca")
_FIRST, _LAST = FOUR[0], FOUR[-1]
Pairs = dict[str, tuple[str, str]]  # what is beside -> the models without and with
_PAIRS: dict[str, Pairs] = {
    "UR": {"without BN": FOUR[::2], "with BN": FOUR[1::2]},
    "BN": {"without UR": FOUR[:2], "with UR": FOUR[2:]},
}


def _splits(options: FigureOptions) -> dict[str, list[int]]:
    """All that the four models share, however many."""
    of = {name: [{key[2] for key in options.results if key[:2] == (name, one)} for one in FOUR] for name in DATASETS}
    shared = {name: sorted(set.intersection(*splits)) for name, splits in of.items()}
    if not any(shared.values()):
        raise DataError(f"No dataset has results of {', '.join(FOUR)} on the same split: let the study compute them first.")
    return {name: splits for name, splits in shared.items() if splits}


def _compute(options: FigureOptions, progress: Progress) -> pd.DataFrame:
    """Columns: dataset, algorithm, split, rca, bca; datasets that all four models have, with the splits that they share."""
    cells = [(dataset, algorithm, split) for dataset, of in _splits(options).items() for algorithm in FOUR for split in of]
    lines = [(*cell, options.results[cell].rca, options.results[cell].bca) for cell in cells]
    progress(1.0)
    return pd.DataFrame(lines, columns=["dataset", "algorithm", "split", *_METRICS])


def _paper() -> pd.DataFrame:
    """The printed averages in the same columns; split is empty."""
    from tsk_study.published import printed_scores

    tables = [printed_scores(metric)[list(FOUR)].rename_axis(index="dataset", columns="algorithm").stack() for metric in _METRICS]
    return pd.concat(tables, axis=1, keys=_METRICS).reset_index().assign(split=None)


def _means(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """By metric, the means over splits, (datasets, FOUR); the datasets in the order of the first model's RCA."""
    means = frame.pivot_table(index="dataset", columns="algorithm", values=list(_METRICS))
    order = means["rca"][_FIRST].sort_values().index
    return {metric: means[[(metric, one) for one in FOUR]].loc[order].droplevel(0, axis=1) for metric in _METRICS}


def _panels(frame: pd.DataFrame) -> list[Panel]:
    panels = []
    for metric, means in _means(frame).items():
        names = [printed(name) for name in means.index]
        series = [Series(short(one), names, means[one].tolist(), None, k) for k, one in enumerate(FOUR)]
        panels.append(Panel(f"Test {metric.upper()}", f"Datasets by RCA of {short(_FIRST)}", metric.upper(), series))
    return panels


def _claims(frame: pd.DataFrame) -> list[Claim]:
    paper, ours = _means(_paper()), _means(frame)
    says = f"{_LAST} “almost always performed the best on both RCA and BCA”. As printed, of the four:"
    as_often = [Compared(YES if _best(ours[name]).mean() >= _best(paper[name]).mean() else NO, "") for name in _METRICS]
    return [
        Claim(f"{says} {_best_text(paper)}.", together(*as_often), f"{_best_text(ours)}; “yes” would be as often as printed."),
        *(_improved(paper, ours, name, pairs) for name, pairs in _PAIRS.items()),
    ]


def _best(means: pd.DataFrame) -> pd.Series:
    """On which datasets the last model is the best of the four."""
    return means.idxmax(axis=1) == _LAST


def _best_text(means: dict[str, pd.DataFrame]) -> str:
    return ", ".join(f"{name.upper()} on {_best(one).sum()} of {len(one)} datasets" for name, one in means.items())


def _improved(paper: dict[str, pd.DataFrame], ours: dict[str, pd.DataFrame], name: str, pairs: Pairs) -> Claim:
    (_, printed_gains), (found, gains) = _gains(paper, pairs), _gains(ours, pairs)
    return Claim(f"“Generally, {name} improved both RCA and BCA.” As printed: {printed_gains}.", together(*found), f"{gains}.")


def _gains(means: dict[str, pd.DataFrame], pairs: Pairs) -> tuple[list[Compared], str]:
    """What is gained by both metrics and in both pairs of models."""
    found, texts = [], []
    for metric, one in means.items():
        for beside, (without, with_it) in pairs.items():
            gain = one[with_it] - one[without]
            found.append(often_above(gain.to_numpy(), np.zeros(len(gain))))
            texts.append(f"{metric.upper()} {beside} {signed(gain.mean(), 3)}, higher on {found[-1].text} datasets")
    return found, "; ".join(texts)


IMPROVEMENT = Figure(
    "improvement",
    "RCA and BCA of the four MBGD models",
    "Fig. 4",
    _splits,
    _compute,
    _panels,
    _claims,
    paper=_paper,
    from_results=True,
)

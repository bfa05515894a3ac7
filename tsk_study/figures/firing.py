"""Fig. 5 and 6: average firing levels of the rules, and the entropy of the firing levels, of the four MBGD models."""

import math

import numpy as np
import pandas as pd

from tsk_core.config import TrainConfig
from tsk_core.epoch import ENTROPY_BINS
from tsk_core.errors import DataError
from tsk_study.figures.figure import (
    Claim,
    Figure,
    FigureOptions,
    Panel,
    Progress,
    interval_above,
    often_above,
    over_splits,
    part_of,
    printed,
    short,
    together,
)
from tsk_study.figures.trained import Trained, train_models
from tsk_study.names import FOUR
from tsk_study.protocol import final_config
from tsk_study.results import Result


def _trained(options: FigureOptions, dataset: str, progress: Progress) -> list[tuple[Result, Trained]]:
    """The final models of the study, trained once more with their λ and epochs."""
    results = options.results_of(dataset, FOUR)
    models = train_models(options.load(dataset), [_config(one) for one in results], progress)
    return list(zip(results, models, strict=True))


def _config(result: Result) -> TrainConfig:
    config = final_config(result)
    if config is None:
        raise DataError(
            f"The result of {result.algorithm} on {result.dataset}, split {result.split}, has no number of epochs, so it cannot"
            " be trained again; compute it again with the study."
        )
    return config


def _firing_splits(options: FigureOptions) -> dict[str, list[int]]:
    return {dataset: options.splits_of(dataset, FOUR) for dataset in options.firing_datasets}


def _compute_firing(options: FigureOptions, progress: Progress) -> pd.DataFrame:
    """Columns: dataset, algorithm, split, rule, firing: the average level of the rule-th strongest rule over all rows."""
    lines, n = [], len(options.firing_datasets)
    for k, dataset in enumerate(options.firing_datasets):
        for result, model in _trained(options, dataset, part_of(progress, k, n)):
            levels = np.sort(model.firing_on_all_rows()[0])[::-1].tolist()
            lines += [(dataset, result.algorithm, result.split, rule, level) for rule, level in enumerate(levels, 1)]
    return pd.DataFrame(lines, columns=["dataset", "algorithm", "split", "rule", "firing"])


def _firing_panels(frame: pd.DataFrame) -> list[Panel]:
    panels = []
    for dataset, of_dataset in frame.groupby("dataset", sort=False):
        R = int(of_dataset["rule"].max())
        models = [(k, one, of_dataset[of_dataset["algorithm"] == one]) for k, one in enumerate(FOUR)]
        series = [over_splits(rows, "rule", "firing", short(one), k) for k, one, rows in models]
        levels = [(1 / R, "1/R: equal shares")]
        panels.append(Panel(printed(str(dataset)), "Rules by strength", "Average firing level", series, levels=levels))
    return panels


def _firing_claims(frame: pd.DataFrame) -> list[Claim]:
    strongest = frame[frame["rule"] == 1].groupby(["dataset", "algorithm"], sort=False)["firing"].mean().unstack()
    shares = 1 / frame.groupby(["dataset", "algorithm", "split"])["rule"].transform("max")
    levels = [
        f"{one[FOUR[0]]:.3f} on {printed(str(name))} ({one[FOUR[-1]]:.3f} with UR and BN)" for name, one in strongest.iterrows()
    ]
    moved = frame.assign(moved=(frame["firing"] - shares).abs() / 2)
    uneven = moved.groupby(["dataset", "split", "algorithm"])["moved"].sum().unstack()
    without_ur, with_ur, without_bn, with_bn = (
        uneven[list(names)].to_numpy() for names in (FOUR[:2], FOUR[2:], FOUR[::2], FOUR[1::2])
    )
    richest = often_above(strongest[FOUR[0]].to_numpy(), np.full(len(strongest), 2 * shares.iloc[0]))
    bn, ur = often_above(without_bn, with_bn), often_above(without_ur, with_ur)
    text = "The levels are more even in {} pairs of trainings: less of the firing would have to move for equal shares."
    return [
        Claim(
            "With TSK-MBGD, a few “richest” rules have “much larger average firing levels than others”.", richest.holds,
            f"The strongest rule's average firing level is {', '.join(levels)}; equal shares are"
            f" {shares.iloc[0]:.3f}, and “much larger” is taken as more than twice as much.",
        ),
        Claim("BN helps “a little bit”.", bn.holds, text.format(bn.text)),
        Claim("UR has “the most direct effect”: the levels are “much more uniform”.", ur.holds, text.format(ur.text)),
    ]  # fmt: skip


FIRING = Figure(
    "firing", "Average firing levels of the rules", "Fig. 5", _firing_splits, _compute_firing, _firing_panels, _firing_claims
)


def _entropy_splits(options: FigureOptions) -> dict[str, list[int]]:
    return {options.dataset: options.splits_of(options.dataset, FOUR)}


def _compute_entropy(options: FigureOptions, progress: Progress) -> pd.DataFrame:
    """Columns: dataset, algorithm, split, low, high, rows: how many rows of the dataset have an entropy from low to high."""
    lines = []
    for result, model in _trained(options, options.dataset, progress):
        counts = model.firing_on_all_rows()[1].tolist()
        edges = np.linspace(0, math.log(model.rules.biases.shape[1]), ENTROPY_BINS + 1).tolist()
        lines += [
            (options.dataset, result.algorithm, result.split, edges[k], edges[k + 1], count) for k, count in enumerate(counts)
        ]
    return pd.DataFrame(lines, columns=["dataset", "algorithm", "split", "low", "high", "rows"])


def _shares(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with the share of all rows, and the middle of each bin."""
    share = frame["rows"] / frame.groupby(["algorithm", "split"])["rows"].transform("sum")
    return frame.assign(share=share, middle=(frame["low"] + frame["high"]) / 2)


def _entropy_panels(frame: pd.DataFrame) -> list[Panel]:
    frame, panels = _shares(frame), []
    for pair in (FOUR[0::2], FOUR[1::2]):
        models = [(FOUR.index(one), one, frame[frame["algorithm"] == one]) for one in pair]
        series = [over_splits(rows, "middle", "share", short(one), k)._replace(sd=None) for k, one, rows in models]
        names = " and ".join(map(short, pair))
        panels.append(Panel(names, "Entropy E of the firing levels", "Share of rows", series, kind="bars"))
    return panels


def _entropy_claims(frame: pd.DataFrame) -> list[Claim]:
    frame = _shares(frame)
    first = frame[frame["low"] == 0].pivot(index="split", columns="algorithm", values="share")
    means, fewer = first.mean(), [interval_above(first[a], first[b]) for a, b in zip(FOUR[:2], FOUR[2:], strict=True)]
    below = f"below {frame['high'].min():.2f}"
    pairs = [
        f"{means[a]:.0%} of the rows with {short(a)} and {means[b]:.0%} with {short(b)}"
        for a, b in zip(FOUR[:2], FOUR[2:], strict=True)
    ]
    return [
        Claim(
            "Without UR, many rows have an entropy E close to zero; with UR, their number “decreased significantly”.",
            together(*fewer),
            f"E is {below} for {pairs[0]}, for {pairs[1]};"
            f" without UR the share of rows is higher by {fewer[0].text} and {fewer[1].text}.",
        )
    ]  # fmt: skip


ENTROPY = Figure(
    "entropy", "Entropy of the firing levels", "Fig. 6", _entropy_splits, _compute_entropy, _entropy_panels, _entropy_claims
)

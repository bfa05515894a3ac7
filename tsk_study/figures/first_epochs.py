"""Fig. 7: training loss, test BCA and gradient norms of the four MBGD models in the first epochs."""

from collections.abc import Callable
from dataclasses import replace

import pandas as pd

from tsk_core.epoch import Epoch
from tsk_study.figures.figure import (
    Claim,
    Compared,
    Figure,
    FigureOptions,
    Panel,
    Progress,
    interval_above,
    often_above,
    over_splits,
    ratio_above,
    short,
    together,
)
from tsk_study.figures.trained import train_models
from tsk_study.names import ALGORITHMS, FOUR
from tsk_study.protocol import protocol_config

UR_WEIGHT = 1.0  # of the models with UR, as in the paper
_PAIRS = FOUR[:2], FOUR[2:]  # without and with BN
FROM_EPOCH = 3  # is drawn, as in the paper; the frame has all
_PARAMETERS = ("antecedents", "consequents")
_VALUES: dict[str, Callable[[Epoch], float | None]] = {  # column -> of an epoch
    "loss": lambda epoch: epoch.loss - epoch.ur_floor,
    "cross_entropy": lambda epoch: epoch.loss_ce,
    "bca": lambda epoch: epoch.bca_test,
    "gradient_antecedents": lambda epoch: epoch.grad_antecedents,
    "gradient_consequents": lambda epoch: epoch.grad_consequents,
}
_DRAWN = {  # column -> titles of its panel and of the vertical axis
    "loss": ("Training loss", "Loss less UR's floor"),
    "bca": ("Test BCA", "BCA"),
    "gradient_antecedents": ("Gradients of the antecedents", "L1 norm"),
    "gradient_consequents": ("Gradients of the consequents", "L1 norm"),
}


def _splits(options: FigureOptions) -> dict[str, range]:
    return {options.dataset: range(options.repetitions)}


def _compute(options: FigureOptions, progress: Progress) -> pd.DataFrame:
    """Columns: dataset, algorithm, split, epoch, loss (less UR's floor), cross_entropy, bca (test), L1 norms of gradients."""
    cells = [(algorithm, split) for algorithm in FOUR for split in _splits(options)[options.dataset]]
    configs = [
        replace(
            protocol_config(algorithm, split, UR_WEIGHT if ALGORITHMS[algorithm].selects_ur else 0.0),
            early_stopping=False, max_epochs=options.epochs,
        )
        for algorithm, split in cells
    ]  # fmt: skip
    lines = [
        (options.dataset, *cell, epoch.epoch, *(of(epoch) for of in _VALUES.values()))
        for cell, model in zip(
            cells, train_models(options.load(options.dataset), configs, progress, every_epoch=True), strict=True
        )
        for epoch in model.epochs
    ]
    return pd.DataFrame(lines, columns=["dataset", "algorithm", "split", "epoch", *_VALUES])


def _panels(frame: pd.DataFrame) -> list[Panel]:
    drawn = frame[frame["epoch"] >= FROM_EPOCH]
    panels = []
    for column, (title, y_title) in _DRAWN.items():
        models = [(k, one, drawn[drawn["algorithm"] == one]) for k, one in enumerate(FOUR)]
        series = [over_splits(rows, "epoch", column, short(one), k) for k, one, rows in models]
        panels.append(Panel(title, "Epoch", y_title, series))
    return panels


def _claims(frame: pd.DataFrame) -> list[Claim]:
    last = frame["epoch"].max()
    end = frame[frame["epoch"] == last].pivot(index="split", columns="algorithm", values=["loss", "bca"])
    gradients = frame[frame["epoch"] >= FROM_EPOCH].pivot_table(index="split", columns="algorithm", values=list(_VALUES))
    norms_of = {name: gradients[[(f"gradient_{name}", one) for one in FOUR]].droplevel(0, axis=1) for name in _PARAMETERS}
    loss = [often_above(end["loss"][plain].to_numpy(), end["loss"][bn].to_numpy()) for plain, bn in _PAIRS]
    bca = [interval_above(end["bca"][bn], end["bca"][plain]) for plain, bn in _PAIRS]
    means = end["loss"].mean()
    losses = _each(loss, lambda plain, bn, one: f"{means[bn]:.3f} against {means[plain]:.3f}, smaller in {one.text} repetitions")
    return [
        Claim("“BN resulted in smaller training losses”", together(*loss), f"After {last} epochs, {losses}."),
        Claim(
            "“and better generalization performances in testing.”", together(*bca),
            f"The test BCA after {last} epochs differs: {_each(bca, lambda plain, bn, one: one.text)}.",
        ),
        *(_larger(norms, name) for name, norms in norms_of.items()),
    ]  # fmt: skip


def _larger(norms: pd.DataFrame, name: str) -> Claim:
    """The claim that BN makes these gradients larger. norms: means over the epochs that are drawn, (splits, FOUR)."""
    found = [ratio_above(norms[bn], norms[plain]) for plain, bn in _PAIRS]
    ratios = _each(found, lambda plain, bn, one: one.text)
    numbers = f"Over the epochs from {FROM_EPOCH}: {ratios}. Corrected resampled t-test of the logarithms."
    return Claim(f"BN “significantly increased the gradients” of the {name}.", together(*found), numbers)


def _each(found: list[Compared], text: Callable[[str, str, Compared], str]) -> str:
    """The numbers of both pairs of models, without UR and with it."""
    parts = [f"{short(pair[1])} beside {short(pair[0])} {text(*pair, one)}" for pair, one in zip(_PAIRS, found, strict=True)]
    return "; ".join(parts)


FIRST_EPOCHS = Figure("first_epochs", "The first epochs with and without BN", "Fig. 7", _splits, _compute, _panels, _claims)

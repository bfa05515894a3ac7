"""Fig. 8: RCA and BCA of TSK-MBGD-UR-BN over the batch size."""

from dataclasses import replace

import pandas as pd

from tsk_study.figures.figure import (
    Claim,
    Figure,
    FigureOptions,
    Panel,
    Progress,
    interval_above,
    over_splits,
    part_of,
    together,
)
from tsk_study.figures.trained import train_models
from tsk_study.names import FOUR
from tsk_study.protocol import protocol_config

_MODEL = FOUR[-1]
_METRICS = ("rca", "bca")
_GOOD = (64, 256)  # “a batch size within [64, 256] is a good choice”


def _splits(options: FigureOptions) -> dict[str, list[int]]:
    return {options.dataset: options.splits_of(options.dataset, [_MODEL])}


def _compute(options: FigureOptions, progress: Progress) -> pd.DataFrame:
    """Columns: dataset, batch_size, split, ur_weight, epochs, rca, bca.

    Each training follows the protocol, hold-outs included, with the λ that the study chose for its split at the batch size 64.
    """
    results, lines, n = options.results_of(options.dataset, [_MODEL]), [], len(options.batch_sizes)
    dataset = options.load(options.dataset)
    for k, batch_size in enumerate(options.batch_sizes):
        configs = [replace(protocol_config(_MODEL, one.seed, one.ur_weight or 0.0), batch_size=batch_size) for one in results]
        models = train_models(dataset, configs, part_of(progress, k, n))
        for result, model in zip(results, models, strict=True):
            scores = model.on_test_rows()
            lines.append((result.split, result.ur_weight, len(model.epochs), scores.rca, scores.bca, batch_size))
    frame = pd.DataFrame(lines, columns=["split", "ur_weight", "epochs", *_METRICS, "batch_size"])
    frame.insert(0, "dataset", options.dataset)
    return frame[["dataset", "batch_size", "split", "ur_weight", "epochs", *_METRICS]]


def _panels(frame: pd.DataFrame) -> list[Panel]:
    series = [over_splits(frame, "batch_size", name, f"Test {name.upper()}", k) for k, name in enumerate(_METRICS)]
    trained = [over_splits(frame, "batch_size", "epochs", "Epochs", 2)]
    return [
        Panel("Test RCA and BCA", "Batch size", "RCA, BCA", series, log_x=True),
        Panel("Epochs of the final training", "Batch size", "Epochs", trained, log_x=True),
    ]


def _claims(frame: pd.DataFrame) -> list[Claim]:
    sizes = sorted(frame["batch_size"].unique())
    good = [size for size in sizes if _GOOD[0] <= size <= _GOOD[1]]
    if not good:
        return []
    small, large = sizes[0], sizes[-1]
    return [
        _decreased(frame, good, size, f"“The test performance decreased with too {kind}” batch sizes.")
        for kind, size in (("small", small), ("large", large))
        if size not in good
    ]


def _decreased(frame: pd.DataFrame, good: list[int], size: int, says: str) -> Claim:
    """The claim that the scores are lower at this size than at those that the paper calls good."""
    found = []
    for metric in _METRICS:
        table = frame.pivot(index="split", columns="batch_size", values=metric)
        found.append(interval_above(table[good].mean(axis=1), table[size]))
    numbers = ", ".join(f"{metric.upper()} {one.text}" for metric, one in zip(_METRICS, found, strict=True))
    sizes = f"{good[0]} to {good[-1]}" if len(good) > 1 else f"{good[0]}"
    return Claim(says, together(*found), f"The mean over batch sizes {sizes} less that of {size}: {numbers}.")


BATCH_SIZE = Figure(
    "batch_size", "RCA and BCA over the batch size", "Fig. 8", _splits, _compute, _panels, _claims,
    note="Each training follows the protocol, with the λ that validation chose for its split at the batch size 64.",
)  # fmt: skip

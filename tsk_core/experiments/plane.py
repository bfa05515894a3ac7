"""The plane of a model with two features: the class it predicts at each place, and where its rules are."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from tsk_core.data import Encoder
    from tsk_core.model import Rules

__all__ = ["MOST_CLASSES", "SIZE", "plane"]

SIZE = 48  # cells of each axis
MARGIN = 0.05  # of the range of the training rows, on each side
MOST_CLASSES = 26  # a letter each


def plane(encoder: "Encoder", rules: "Sequence[Rules]") -> dict[str, object] | None:
    """The plane after some epochs, JSON-ready; None for categories, or for more classes than letters.

    encoder: of two columns. rules: one model for each epoch, over normalised inputs. ``classes`` has a string an epoch, a letter
    a cell ("a" is the first class), row by row from the lowest y; ``centers`` and ``sigmas`` (R, 2) an epoch, in original units.
    """
    import torch

    from tsk_core.model import class_scores

    if any(column.kind != "number" or column.levels for column in encoder.columns) or rules[0].biases.shape[-1] > MOST_CLASSES:
        return None
    spread = MARGIN * (encoder.high_ - encoder.low_)
    low, high = encoder.low_ - spread, encoder.high_ + spread
    steps = (np.arange(SIZE) + 0.5) / SIZE
    x, y = np.meshgrid(low[0] + steps * (high[0] - low[0]), low[1] + steps * (high[1] - low[1]))
    z = torch.from_numpy(encoder.normalise(np.stack([x.ravel(), y.ravel()], 1)))
    units = torch.from_numpy(encoder.mean_), torch.from_numpy(encoder.scale_)
    by_epoch: dict[str, list[Any]] = {"classes": [], "centers": [], "sigmas": []}
    for model in rules:
        letters = class_scores(model, z).argmax(1).cpu().numpy().astype(np.uint8) + ord("a")
        by_epoch["classes"].append(letters.tobytes().decode("ascii"))
        raw = model.in_units(*units)
        for name, values in (("centers", raw.centers), ("sigmas", raw.sigmas)):
            by_epoch[name].append([[float(f"{value:.6g}") for value in rule] for rule in values[0].clamp(max=1e300).tolist()])
    sides = ([float(f"{bound:.6g}") for bound in (low[k], high[k])] for k in (0, 1))
    return {"x": next(sides), "y": next(sides), "names": [str(c.feature) for c in encoder.columns], "size": SIZE, **by_epoch}

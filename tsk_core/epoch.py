"""Epoch: what one pass over the training rows left behind. The one stream that everything reads."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

ENTROPY_BINS = 30  # equal bins from 0 to log R
LITTLE = 0.2  # of an equal share


def never_fires(firing: NDArray[np.float64], n_rows: int) -> NDArray[np.bool_]:
    """Which rules are dead, bool (R,): all rows together have less of the firing than an equal share of one row.

    firing: (R,) average firing levels over ``n_rows`` rows. A rule that is the strongest for a single row has at least 1/R there,
    so a dead rule is the strongest for none, and no group of rows is so small that its rule counts as dead.
    """
    return firing * len(firing) * n_rows < 1


def hardly_fires(firing: NDArray[np.float64], n_rows: int) -> NDArray[np.bool_]:
    """Which rules are not dead, but have less than a fifth of an equal share of the firing: bool (R,)."""
    return (firing * len(firing) < LITTLE) & ~never_fires(firing, n_rows)


@dataclass(frozen=True)
class Epoch:
    """One epoch of one model.

    epoch: 1, 2, …; in stage "hold-out" (early stopping's search) counted apart from stage "training".
    loss_ce, loss_l2, loss_ur, loss_shrinkage, loss_sharpness, loss_covering, loss_l1: the parts of the loss, already weighted by
    α, λ, κ, ρ, ζ and γ, each the mean over mini-batches.
    conditions: how many conditions the rules have, one on a category counted once; None where firing levels were not measured.
    ur_floor: λR(τ − 1/R)², the constant that UR cannot go below; draw ``loss_ur - ur_floor``. R: the rules of one training.
    rca_*, bca_*: accuracy and mean per-class recall in [0, 1]; None where there are no such rows.
    ce_validation: mean cross-entropy of the validation rows, class-weighted where the loss is; None where there are none.
    firing: mean normalised firing level of each rule on the training rows, shape [R].
    initial_firing: the same before training, in the record of epoch 1 alone.
    entropy: counts of training rows by firing entropy, shape [ENTROPY_BINS], equal bins from 0 to log R.
    rca_train, bca_train, firing and entropy are measured on all training rows, or on 20,000 of them, the same at each epoch. They
    are None at epochs where they were not asked for (``train.Records``), and so are the scores of validation and test rows; the
    last epoch of a training has everything. The records of a run have everything at every epoch.
    grad_antecedents, grad_consequents: mean over steps of Σ|g| for (m, σ) and for (b, b_0).
    seconds: since training began.
    """

    epoch: int
    loss_ce: float
    loss_l2: float
    loss_ur: float
    ur_floor: float
    rca_train: float | None
    bca_train: float | None
    rca_validation: float | None
    bca_validation: float | None
    rca_test: float | None
    bca_test: float | None
    firing: NDArray[np.float64] | None
    entropy: NDArray[np.int64] | None
    grad_antecedents: float
    grad_consequents: float
    seconds: float
    stage: str = "training"
    loss_shrinkage: float = 0.0
    loss_sharpness: float = 0.0
    loss_covering: float = 0.0
    loss_l1: float = 0.0
    conditions: int | None = None
    ce_validation: float | None = None
    initial_firing: NDArray[np.float64] | None = None

    @property
    def loss(self) -> float:
        """The whole loss L, the sum of its weighted parts."""
        firing = self.loss_ur + self.loss_sharpness + self.loss_covering
        return self.loss_ce + self.loss_l2 + self.loss_shrinkage + firing + self.loss_l1

    @property
    def dead(self) -> NDArray[np.bool_] | None:
        """Which rules never fire, bool [R]; None where firing levels were not measured."""
        return None if self.firing is None or self.entropy is None else never_fires(self.firing, int(self.entropy.sum()))

    @property
    def idle(self) -> NDArray[np.bool_] | None:
        """Which rules hardly fire, bool [R]; none of them is dead. None where firing levels were not measured."""
        return None if self.firing is None or self.entropy is None else hardly_fires(self.firing, int(self.entropy.sum()))

    @property
    def dead_rules(self) -> int | None:
        """How many rules never fire; None where firing levels were not measured."""
        dead = self.dead
        return None if dead is None else int(dead.sum())

    @property
    def entropy_share(self) -> float | None:
        """Mean firing entropy of the training rows over log R, in [0, 1], where rows count with the middle of their bin.

        None for a single rule, whose log R is 0, and where firing levels were not measured.
        """
        if self.firing is None or self.entropy is None or len(self.firing) < 2 or not self.entropy.sum():
            return None
        middles = (np.arange(ENTROPY_BINS) + 0.5) / ENTROPY_BINS
        return float(self.entropy @ middles / self.entropy.sum())

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values, one per field."""
        values = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        return values | {name: array.tolist() for name, array in _arrays(values).items() if array is not None}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Epoch":
        """The inverse of ``to_dict``."""
        return cls(**values | _arrays(values))


def _arrays(values: dict[str, Any]) -> dict[str, np.ndarray | None]:
    """The fields that are arrays, of the right kind; None stays None."""
    kinds = {"firing": float, "initial_firing": float, "entropy": int}
    return {name: None if values[name] is None else np.asarray(values[name], kind) for name, kind in kinds.items()}

"""Which conditions rules keep: those that restrict most, chosen during training; from then on only those that exclude some row.

A condition that holds for every training row is not printed. It goes from the model too, so that the text is the model.
"""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from tsk_core.config import TrainConfig
from tsk_core.model import Parameters
from tsk_core.train.spec import StackMember
from tsk_core.train.table import Table

WARM_UP = 0.25  # share of the epochs before the choice in which every condition is trained


def conditions_left(epoch: int, last: int, features: int, most: int) -> int:
    """How many conditions a rule may have after ``epoch``: all, then ever fewer, ``most`` from epoch ``last`` on.

    They become fewer in proportion to the cube of the time that is left (Zhu and Gupta 2017: To prune, or not to prune).
    """
    first = math.floor(WARM_UP * last)
    if epoch <= first and epoch < last:
        return features
    left = max(0.0, (last - epoch) / max(1, last - first))
    return min(features, most + math.ceil((features - most) * left**3))


class Selection:
    """The conditions of the rules of a stack. mask: (M, D, R), 1 where the rule has a condition on the column.

    A condition restricts by the root of Σ (sd(x_d)/σ_rd)² over the columns of its feature; a rule keeps those that restrict most.
    """

    def __init__(self, members: Sequence[StackMember], table: Table, parameters: Parameters) -> None:
        shape, device = parameters.shape, table.x.device
        self.members = list(members)
        self.mask = torch.ones(shape.M, shape.D, shape.R, dtype=table.x.dtype, device=device)
        self.features = torch.from_numpy(table.feature_numbers()).to(device)  # (D,)
        self.n_features = int(self.features.max()) + 1
        self.categorical = torch.bincount(self.features)[self.features] > 1  # (D,)
        found = {id(member.rows): member.rows for member in members}  # once for those that share them
        ranges = {key: _ranges(table.x[torch.from_numpy(rows).to(device)]) for key, rows in found.items()}
        self.variances, self.low, self.high = (
            torch.stack(values).unsqueeze(2)  # (M, D, 1)
            for values in zip(*(ranges[id(member.rows)] for member in members), strict=True)
        )
        self.chosen = [False] * shape.M

    @property
    def _configs(self) -> list[TrainConfig]:
        return [member.config for member in self.members]

    def take(self, models: list[int]) -> None:
        """Keep the given models only."""
        self.members = [self.members[model] for model in models]
        self.mask, self.variances = self.mask[models], self.variances[models]
        self.low, self.high = self.low[models], self.high[models]
        self.chosen = [self.chosen[model] for model in models]

    def share(self, epoch: int) -> Tensor:
        """How much of their weights sharpness and covering have in this epoch, (M,): they grow until conditions are chosen.

        Before, a rule covers its rows by conditions that it does not keep, and the weakest rule of a rare class is lost.
        """
        shares = [min(1.0, epoch / config.choice_epoch) if config.max_conditions else 1.0 for config in self._configs]
        return torch.tensor(shares, dtype=self.mask.dtype, device=self.mask.device)

    def choose(self, epoch: int, parameters: Parameters) -> None:
        """Let the conditions go that are too many after this epoch."""
        for model, config in enumerate(self._configs):
            if not config.max_conditions:
                continue
            if not self.chosen[model]:
                self.chosen[model] = epoch >= config.choice_epoch
                left = conditions_left(epoch, config.choice_epoch, self.n_features, config.max_conditions)
                if left < self.n_features:
                    self._keep(model, left, parameters.stored["widths"][model])
            if self.chosen[model]:
                self._drop_empty(model, parameters.stored["centers"][model], parameters.stored["widths"][model])
        self.apply(parameters)

    def apply(self, parameters: Parameters) -> None:
        """Set 1/σ to 0 where a rule has no condition."""
        parameters.stored["widths"].mul_(self.mask)

    def _drop_empty(self, model: int, centers: Tensor, widths: Tensor) -> None:
        """Conditions that hold for every training row go: membership of at least .5, a category's relative to its largest.

        centers, widths: (D, R).
        """
        far = [(end - centers).square() * widths.square() / 2 for end in (self.low[model], self.high[model])]  # −log μ
        # One of a category's columns is at its upper end, the others at their lower: only the differences count.
        numbers, categories = torch.maximum(*far), far[1] - far[0]
        largest, least = (self._by_feature(categories, reduce) for reduce in ("amax", "amin"))
        empty = torch.where(self.categorical.unsqueeze(1), (largest - least)[self.features], numbers) <= math.log(2)
        self.mask[model] *= ~empty

    def _keep(self, model: int, most: int, widths: Tensor) -> None:
        """The ``most`` conditions of each rule that restrict most stay. widths: 1/σ, (D, R)."""
        by_column = widths.square() * self.variances[model]
        restricts = self._by_feature(by_column, "sum")
        kept = torch.zeros_like(restricts).scatter_(0, restricts.topk(most, 0).indices, 1.0)
        self.mask[model] *= kept[self.features]

    def _by_feature(self, by_column: Tensor, reduce: str) -> Tensor:
        """The sum, the largest or the least over the columns of each feature: (D, R) -> (features, R)."""
        index = self.features.unsqueeze(1).expand_as(by_column)
        empty = by_column.new_zeros(self.n_features, by_column.shape[1])
        return empty.scatter_reduce_(0, index, by_column, reduce, include_self=False)


def _ranges(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Variance, minimum and maximum of each column, (D,)."""
    return x.var(0, correction=0), x.amin(0), x.amax(0)

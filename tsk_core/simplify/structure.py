"""Structure: which conditions and which score terms a small rule base has."""

from dataclasses import dataclass, replace

import numpy as np
import torch

from tsk_core.explain.antecedents import Unit
from tsk_core.model import Rules
from tsk_core.train import FIXED, Start

__all__ = ["Size", "Structure"]


@dataclass(frozen=True, order=True)
class Size:
    """How large a rule base may be: R rules, conditions in a rule, score terms in all; None: no bound on the score terms."""

    rules: int
    conditions: int
    terms: int | None


@dataclass(frozen=True, eq=False)
class Structure:
    """The parts of a rule base over R rules and D columns; everything else is left out.

    conditions: (R, D) bool. merged: (R, D) int, equal where memberships of one column are one term. own: (R, D) bool, columns
    with a slope of the rule's own in its scores. shared: (D,) bool, columns with one slope for all rules that have no own.
    signs: (D, C) of −1, 0 and 1, as in ``Start``; None where no sign is known.
    """

    conditions: np.ndarray
    merged: np.ndarray
    own: np.ndarray
    shared: np.ndarray
    signs: np.ndarray | None = None

    @classmethod
    def of(cls, conditions: np.ndarray, merged: np.ndarray | None = None) -> "Structure":
        """These conditions, with every slope free."""
        alone = np.arange(conditions.size).reshape(conditions.shape)
        every = np.ones(conditions.shape, bool)
        return cls(conditions, alone if merged is None else merged, every, np.zeros(conditions.shape[1], bool))

    def with_terms(self, own: np.ndarray, shared: np.ndarray) -> "Structure":
        """The same conditions with these score terms."""
        return replace(self, own=own, shared=shared)

    def start(self, rules: Rules) -> Start:
        """Where training goes on from: the rules (one model) without what the structure leaves out."""
        R, D = self.conditions.shape
        conditions, own, shared = (torch.from_numpy(mask) for mask in (self.conditions, self.own, self.shared))
        weights = rules.weights[0]  # (R, C, D)
        weights = torch.where(own.unsqueeze(1), weights, torch.where(shared, weights.mean(0), 0.0))
        alone = D + np.arange(R * D).reshape(R, D)
        slopes = np.where(self.own, alone, np.where(self.shared, np.arange(D), FIXED))
        return Start(
            Rules(
                torch.zeros_like(rules.log_weights),
                rules.centers.clone(),
                torch.where(conditions, rules.sigmas, torch.inf),
                weights.unsqueeze(0),
                rules.biases.clone(),
            ),
            np.where(self.conditions, self.merged, FIXED),
            slopes,
            self.signs,
        )

    def counts(self, units: list[Unit]) -> tuple[int, int]:
        """How many conditions there are in all, and how many score terms; a category counts once, whatever its columns."""
        firsts = [unit.columns[0] for unit in units]
        terms = self.own[:, firsts].sum() + (self.shared & ~self.own.all(0))[firsts].sum()
        return int(self.conditions[:, firsts].sum()), int(terms)

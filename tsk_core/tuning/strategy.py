"""What a tuning tries, and which results it prefers: the part of it that depends on its aim."""

from typing import Protocol

from tsk_core.config import TrainConfig
from tsk_core.tuning.trial import Trial

__all__ = ["Strategy"]


class Strategy(Protocol):
    """The candidates of a tuning, and their order.

    base: the settings that its portfolio does not name. first_rung: share of the budget that the first rung takes. least_folds,
    least_candidates: what is left of its portfolio where that time is short. finalists: candidates whose cross-validation is
    repeated. repeats: of cross-validation, at most. rounds: of refinement.
    """

    base: TrainConfig
    first_rung: float
    least_folds: int
    least_candidates: int
    finalists: int
    repeats: int
    rounds: int

    def most_rows(self, columns: int, budget: float) -> int:
        """How many rows of so many columns are used at most: with more, each candidate would get too little of the budget."""
        ...

    def rungs(self, cells: int, budget: float) -> tuple[int, ...]:
        """The epochs after which the better half trains on, for so many rows × columns."""
        ...

    def admits(self, config: TrainConfig) -> bool:
        """Whether settings that a person has may take part."""
        ...

    def portfolio(self) -> list[TrainConfig]:
        """The first candidates, the likeliest first."""
        ...

    def refinements(self, trials: list[Trial], number: int) -> list[TrainConfig]:
        """Candidates made of the better ones of these, which were validated on equally many sets. number: the round, from 0."""
        ...

    def ordered(self, trials: list[Trial]) -> list[Trial]:
        """The best first: of these, which were validated on equally many sets, the last leave at a rung."""
        ...

    def choose(self, trials: list[Trial]) -> Trial:
        """What the tuning finds, of candidates that were validated on equally many sets."""
        ...

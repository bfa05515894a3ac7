"""What the paper's text says of a figure, and whether our numbers show it.

``YES`` takes that the 95% interval of the mean difference over the splits lies above 0 (corrected for splits that share rows), or
that it is so in three quarters of the pairs of trainings at least; it is said which. Both are of this one dataset, or of these.
Where the paper says "significantly", the interval decides.
"""

from typing import TYPE_CHECKING, NamedTuple

from tsk_core.evaluate.across_seeds import paired_over_seeds
from tsk_core.numbers import signed
from tsk_core.study.parts import TEST_SIZE

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

__all__ = ["NO", "PARTLY", "UNCERTAIN", "YES", "Claim", "Compared", "interval_above", "often_above", "ratio_above", "together"]

YES, NO, PARTLY, UNCERTAIN = "yes", "no", "partly", "not certain"


class Claim(NamedTuple):
    """says: what the paper's text says of its figure. holds: whether ours shows it (``YES``, …). numbers: of ours, in words."""

    says: str
    holds: str
    numbers: str


class Compared(NamedTuple):
    """A claim that one thing is larger than another, on our numbers. text: the numbers."""

    holds: str
    text: str


def interval_above(a: "pd.Series", b: "pd.Series") -> Compared:
    """Whether the mean of a − b over the splits is above 0: ``YES`` or ``NO`` where its 95% interval leaves 0 out."""
    paired = paired_over_seeds(a.to_numpy(), b.to_numpy(), TEST_SIZE / (1 - TEST_SIZE))
    if paired.low is None or paired.high is None:
        return Compared(UNCERTAIN, signed(paired.difference, 3))
    holds = YES if paired.low > 0 else NO if paired.high < 0 else UNCERTAIN
    return Compared(holds, f"{signed(paired.difference, 3)} (95% interval {signed(paired.low, 3)} to {signed(paired.high, 3)})")


def ratio_above(a: "pd.Series", b: "pd.Series") -> Compared:
    """Whether a/b is above 1: as ``interval_above`` of their logarithms. a, b: positive, by split."""
    import numpy as np

    paired = paired_over_seeds(np.log(a.to_numpy(float)), np.log(b.to_numpy(float)), TEST_SIZE / (1 - TEST_SIZE))
    ratio, count = f"{np.exp(paired.difference):.2f} times as large", f"larger in {paired.wins} of {paired.of} repetitions"
    if paired.low is None or paired.high is None or paired.p_value is None:
        return Compared(UNCERTAIN, f"{ratio}, {count}")
    holds = YES if paired.low > 0 else NO if paired.high < 0 else UNCERTAIN
    p = "p below .001" if paired.p_value < 0.001 else f"p {paired.p_value:.3f}".replace("0.", ".")  # noqa: PLR2004
    return Compared(holds, f"{ratio} (95% interval {np.exp(paired.low):.2f} to {np.exp(paired.high):.2f}, {p}), {count}")


def often_above(a: "np.ndarray", b: "np.ndarray") -> Compared:
    """Whether the numbers of a are above those of b in the same places: ``YES`` in three quarters of them, ``NO`` in one."""
    count, of = int((a > b).sum()), a.size
    return Compared(YES if 4 * count >= 3 * of else NO if 4 * count <= of else PARTLY, f"{count} of {of}")


def together(*parts: Compared) -> str:
    """Whether a claim with several parts holds: what all of them say, else ``PARTLY``."""
    verdicts = {part.holds for part in parts}
    return verdicts.pop() if len(verdicts) == 1 else PARTLY

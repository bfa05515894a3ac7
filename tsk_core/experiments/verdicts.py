"""Verdicts of a comparison: for each pair of variants, how far apart they are over the seeds, in a sentence."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tsk_core.evaluate.across_seeds import SeedDifference, holm, paired_over_seeds
from tsk_core.experiments.metrics import ACCURACIES, SCORES, score_of
from tsk_core.experiments.plan import Plan

__all__ = ["Pair", "assumption", "differences", "pairs", "test_per_train"]

SIGNIFICANT = 0.05  # adjusted p-value below which a difference is called clear
Points = Sequence[Mapping[str, Any]]
SeedAndSplit = tuple[int, int]


class Pair(NamedTuple):
    """The later variant ``a`` compared with the earlier one ``b``, both by index.

    difference: of a − b over the seeds and splits that both have. p_adjusted: for the number of pairs (Holm); None for fewer
    than two seeds. clear: whether that is below 0.05. sentence: the verdict.
    """

    a: int
    b: int
    difference: SeedDifference
    p_adjusted: float | None
    clear: bool
    sentence: str


def pairs(plan: Plan, points: Points, score: str = "mean", metric: str = "bca") -> list[Pair]:
    """All pairs of variants that have seeds in common, the first variant's first. points: those that are there so far."""
    known: list[dict[SeedAndSplit, float]] = [{} for _ in plan.variants]
    for point in points:
        if (value := score_of(point, score, metric)) is not None:
            known[point["variant"]][point["seed"], point["split"]] = value
    found = differences(known, test_per_train(plan, points))
    adjusted = holm([difference.p_value for _, _, difference in found])
    made = []
    for (a, b, difference), p in zip(found, adjusted, strict=True):
        clear = p is not None and p < SIGNIFICANT
        names, unit = (plan.variants[a].name, plan.variants[b].name), "seeds" if plan.splits == 1 else "seeds and splits"
        sentence = _sentence(*names, difference, metric, clear, unit)
        made.append(Pair(a, b, difference, p, clear, sentence))
    return made


def differences(scores: Sequence[Mapping[SeedAndSplit, float]], ratio: float) -> list[tuple[int, int, SeedDifference]]:
    """Each later variant a compared with each earlier one b: (a, b, difference) over the seeds and splits that both have.

    scores: of each variant. ratio: n_test/n_train, by which intervals are corrected.
    """
    found = []
    for b, a in itertools.combinations(range(len(scores)), 2):
        both = sorted(scores[a].keys() & scores[b].keys())
        if both:
            of_a, of_b = (np.array([scores[variant][key] for key in both]) for variant in (a, b))
            found.append((a, b, paired_over_seeds(of_a, of_b, ratio)))
    return found


def assumption(plan: Plan, score: str = "mean", points: Points = ()) -> str:
    """What the verdicts rest on, in one line. points: those that are there so far."""
    splits = f"{plan.seeds} seeds" if plan.splits == 1 else f"{plan.seeds} seeds × {plan.splits} splits"
    n_pairs = len(plan.variants) * (len(plan.variants) - 1) // 2
    holm_text = f"; p-values adjusted for {n_pairs} pairs (Holm)" if n_pairs > 1 else ""
    start = f"Test scores ({SCORES[score]}), paired over {splits}:"
    if test_per_train(plan, points) == 0:
        return (
            f"{start} these data have one split, so each seed has its own start and batch order alone, the same for all variants."
            f" Paired t-test, which assumes nearly normal differences and says nothing of other rows{holm_text}."
        )
    return (
        f"{start} each seed has its own split, start and batch order, the same for all variants. Corrected resampled t-test for"
        f" overlapping training sets (Nadeau and Bengio), which assumes nearly normal differences{holm_text}."
    )


def test_per_train(plan: Plan, points: Points) -> float:
    """n_test/n_train, by which intervals over seeds are corrected; 0 where several seeds all have the same test rows.

    Where a column or the order of time decides the split, seeds differ in their start alone.
    """
    tested = {(point["seed"], point["split"]): point.get("test_rows") for point in points}
    if len(tested) > 1 and len(set(tested.values())) == 1 and None not in tested.values():
        return 0.0
    return plan.test_size / (1 - plan.test_size)


def _sentence(a: str, b: str, found: SeedDifference, metric: str, clear: bool, unit: str) -> str:
    """The verdict, from the point of view of the variant with the higher mean. unit: what the pairs are."""
    if found.low is None or found.high is None or found.p_above is None or found.p_below is None:
        difference = f"{ACCURACIES[metric]} {_points(found.difference)}"
        return f"{a} and {b}: {difference} in the only seed; more seeds are needed for a verdict."
    if found.difference < 0:
        return _sentence(b, a, found.turned(), metric, clear, unit)
    bounds = f"{100 * found.low:.1f} to {100 * found.high:.1f}".replace("-", "−")
    interval = f"{ACCURACIES[metric]} {_points(found.difference)} (95% interval {bounds})"
    if not clear:
        return f"No clear difference between {a} and {b}: {interval}; {a} is higher in {found.wins} of {found.of} {unit}."
    above = f"probability that the difference is above 1 point: {_probability(found.p_above)}"
    return f"{a} is better than {b} in {found.wins} of {found.of} {unit}; {interval}; {above}."


def _points(difference: float) -> str:
    """As "+1.9 points"."""
    return f"{100 * difference:+.1f} points".replace("-", "−")


def _probability(p: float) -> str:
    if p > 0.99:
        return "above .99"
    return "below .01" if p < 0.01 else f"{p:.2f}".lstrip("0")

"""Verdicts of a comparison: for each pair of variants, how far apart they are over the seeds, in a sentence."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tsk_core.data.naming import joined
from tsk_core.evaluate.comparing import SeedDifference, adjusted, independent_seeds, paired_over_seeds
from tsk_core.experiments.plan import ACCURACIES, SCORES, Plan, score_of
from tsk_core.numbers import minus, signed

# A difference of two scores over seeds in words: always the one less the other, never turned round. Plain text.
#
# As "UR − MBGD: −0.1 points (95% interval −1.2 to 1.0); lower in 1, equal in 3, higher in 1 of 5 seeds".


_DIGITS = 1
_MOST_DIGITS = 4


def difference_text(what: str, of: SeedDifference, unit: str = "seeds") -> str:
    """The difference, its interval, and in how many seeds it has which sign. what: as "UR − MBGD". unit: what the pairs are."""
    start = f"{what}: {points_text(of.difference)} points"
    if of.of == 1:
        return f"{start} in the only seed"
    if of.low is None or of.high is None:
        return f"{start} in each of {of.of} {unit}, so there is no spread and no interval"
    return f"{start} ({interval_text(of)}); {signs_text(of)} {unit}"


def points_text(difference: float) -> str:
    """With its sign, as "+1.9" or "−0.1"; "0.0" has none."""
    return signed(100 * difference, _DIGITS)


def interval_text(of: SeedDifference) -> str:
    """As "98.3% interval 0.7 to 9.1"; bounds get as many digits as it takes to tell on which side of 0 they are. "" for none."""
    bounds = [100 * bound for bound in (of.low, of.high) if bound is not None]
    if not bounds:
        return ""
    nearest = min(map(abs, bounds))
    digits = next((n for n in range(_DIGITS, _MOST_DIGITS) if float(f"{nearest:.{n}f}")), _MOST_DIGITS) if nearest else _DIGITS
    low, high = (minus(f"{bound:.{digits}f}") for bound in bounds)
    return f"{_level(of.level)} interval {low} to {high}"


def signs_text(of: SeedDifference) -> str:
    """In how many seeds the difference is above, at and below 0, its own sign first: "lower in 1, higher in 4 of 5"."""
    signs = [("higher", of.wins), ("equal", of.ties), ("lower", of.losses)]
    own, *others = signs[::-1] if of.difference < 0 else signs
    found = [own, *(sign for sign in others if sign[1])]
    return f"{', '.join(f'{name} in {times}' for name, times in found)} of {of.of}"


def detectable_text(differences: Iterable[SeedDifference]) -> str:
    """The smallest difference that would have been clear, as "±2.0 points" or "±1.6 to ±2.4 points"; "" where none is known."""
    halves = [100 * one.detectable for one in differences if one.detectable is not None]
    if not halves:
        return ""
    low, high = (f"±{half:.{_DIGITS}f}" for half in (min(halves), max(halves)))
    return f"{low} points" if low == high else f"{low} to {high} points"


def _level(level: float) -> str:
    """As "95%", "98.3%" or, from 99.9% on, "99.95%"."""
    text = f"{100 * level:.{1 if level < 0.999 else 2 if level < 0.9999 else 3}f}"
    return f"{text.rstrip('0').rstrip('.')}%"


Points = Sequence[Mapping[str, Any]]
SeedAndSplit = tuple[int, int]


class Pair(NamedTuple):
    """The later variant ``a`` compared with the earlier one ``b``, both by index.

    difference: of a − b over the seeds and splits that both have, its interval and p-value adjusted for the number of pairs.
    verdict, measured: sentences, what to think of it and what it is, in the same direction. ratio: n_test/n_train.
    """

    a: int
    b: int
    difference: SeedDifference
    verdict: str
    measured: str
    ratio: float

    @property
    def sentence(self) -> str:
        """Both."""
        return f"{self.verdict} {self.measured}"

    @property
    def clear(self) -> bool:
        """Whether the two differ by more than chance."""
        return self.difference.clear


def pairs(plan: Plan, points: Points, score: str = "mean", metric: str = "bca") -> list[Pair]:
    """All pairs of variants that have seeds in common, the first variant's first. points: those that are there so far."""
    known: list[dict[SeedAndSplit, float]] = [{} for _ in plan.variants]
    for point in points:
        if (value := score_of(point, score, metric)) is not None:
            known[point["variant"]][point["seed"], point["split"]] = value
    names = [variant.name for variant in plan.variants]
    ratio, unit, compared = test_per_train(plan, points), unit_of(plan), []
    for a, b, found in differences(known, ratio):
        sentences = _verdict(names[a], names[b], found, metric), _measured(names[a], names[b], found, unit)
        compared.append(Pair(a, b, found, *sentences, ratio))
    return compared


def differences(scores: Sequence[Mapping[SeedAndSplit, float]], ratio: float) -> list[tuple[int, int, SeedDifference]]:
    """Each later variant a compared with each earlier one b: (a, b, difference) over the seeds and splits that both have.

    scores: of each variant. ratio: n_test/n_train, by which intervals are corrected; they are adjusted for the number of pairs.
    """
    compared, found = [], []
    for b, a in itertools.combinations(range(len(scores)), 2):
        both = sorted(scores[a].keys() & scores[b].keys())
        if both:
            of_a, of_b = (np.array([scores[variant][key] for key in both]) for variant in (a, b))
            compared.append((a, b))
            found.append(paired_over_seeds(of_a, of_b, ratio))
    return [(a, b, one) for (a, b), one in zip(compared, adjusted(found), strict=True)]


def assumption(plan: Plan, compared: Sequence[Pair], score: str = "mean", points: Points = ()) -> str:
    """What the verdicts rest on, in one line. compared: all pairs. points: those that are there so far."""
    splits = f"{plan.seeds} seeds" if plan.splits == 1 else f"{plan.seeds} seeds × {plan.splits} splits"
    if plan.seeds * plan.splits == 1:
        return f"Test scores ({SCORES[score]}) of one seed. A test needs several."
    n_pairs = sum(pair.difference.p_value is not None for pair in compared)
    holm_text = f"; p-values and intervals adjusted for {n_pairs} pairs (Holm)" if n_pairs > 1 else ""
    start = f"Test scores ({SCORES[score]}), paired over {splits}:"
    if test_per_train(plan, points) == 0:
        return (
            f"{start} these data have one split, so seeds differ only in {_of_a_seed(plan)}, which all variants share. Paired"
            " t-test, which assumes nearly normal differences and says nothing about other rows"
            f"{holm_text}."
        )
    return (
        f"{start} each seed has its own split, initial state and batch order, which all variants share. Corrected resampled"
        f" t-test for splits that share rows (Nadeau and Bengio), which assumes nearly normal differences{holm_text}."
    )


def seed_notes(plan: Plan, compared: Sequence[Pair]) -> list[str]:
    """What these seeds cannot tell: the smallest difference they could detect, and why all seeds together need not be enough."""
    found = [pair.difference for pair in compared]
    most, unit = max((one.of for one in found), default=0), unit_of(plan)
    sentences = []
    if detectable := detectable_text(found):
        sentences.append(f"These {most} {unit} could detect a difference of about {detectable}.")
    agreed = [pair for pair in compared if _agrees(pair.difference)]
    if agreed:
        pair = max(agreed, key=lambda pair: pair.difference.of)
        sentences.append(_not_enough(plan, pair.difference.of, pair.ratio))
    return sentences


def _agrees(one: SeedDifference) -> bool:
    """Whether all seeds have the same sign, and are not enough."""
    return one.low is not None and not one.clear and one.of in (one.wins, one.losses)


def unit_of(plan: Plan) -> str:
    """What the pairs of a difference are."""
    return "seeds" if plan.splits == 1 else "seeds and splits"


def test_per_train(plan: Plan, points: Points) -> float:
    """n_test/n_train, by which intervals over seeds are corrected; 0 where a column or the order of time decides the split.

    Splits of whole groups differ in it: it is the mean of the points.
    """
    known = [ratio for point in points if (ratio := point.get("test_per_train")) is not None]
    return float(np.mean(known)) if known else plan.test_size / (1 - plan.test_size)


def _of_a_seed(plan: Plan) -> str:
    """In what trainings on the same split differ."""
    parts = ["initial state", "batch order"]
    if any(variant.row_share < 1 for variant in plan.variants):
        parts.append("the rows drawn for training")
    if plan.validated:
        parts.append("any rows held out for validation")
    return joined(parts)


def _not_enough(plan: Plan, n: int, ratio: float) -> str:
    unit = unit_of(plan)
    start = f"The same sign in {n} of {n} {unit} need not be enough:"
    if ratio == 0:
        return f"{start} they all have the same test rows and differ only in {_of_a_seed(plan)}, and {n} are few for a t-test."
    return (
        f"{start} they share one dataset's rows, so their training and test sets overlap; the corrected resampled t-test allows"
        f" for that, and {n} of them count as {independent_seeds(n, ratio):.1f} independent ones."
    )


def _verdict(a: str, b: str, over_seeds: SeedDifference, metric: str) -> str:
    name = ACCURACIES[metric]
    if over_seeds.of == 1:
        return f"No verdict on {name} from one seed."
    if over_seeds.low is None and over_seeds.difference:
        return f"No verdict on {name}."
    if not over_seeds.clear:
        return f"No clear difference in {name}."
    return f"{a} is {'better' if over_seeds.difference > 0 else 'worse'} than {b} in {name}."


def _measured(a: str, b: str, over_seeds: SeedDifference, unit: str) -> str:
    """A − b, whichever is higher."""
    return f"{difference_text(f'{a} − {b}', over_seeds, unit)}."

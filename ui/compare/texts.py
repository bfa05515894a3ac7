"""What a comparison says: the verdicts in sentences, and a table of the variants. Plain text."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from tsk_core.evaluate import corrected_t_interval
from tsk_core.experiments import (
    ACCURACIES,
    Pair,
    Plan,
    assumption,
    detectable_text,
    interval_text,
    pairs,
    points_text,
    score_of,
    seed_notes,
    test_per_train,
)

Points = Mapping[int, Mapping[str, Any]]  # number of a training -> its record
NONE = "–"


class Verdict(NamedTuple):
    """pairs: the clear ones first. rests_on: what they rest on, and what these seeds cannot tell. so_far: of how many seeds,
    before the end; else "".
    """

    pairs: list[Pair]
    rests_on: str
    so_far: str

    @property
    def standing(self) -> str:
        """The line over the pairs before the end; "" at the end."""
        return self.so_far and f"{self.so_far}, {'partial results:' if self.pairs else 'no verdict yet.'}"


def verdict(plan: Plan, points: Points, score: str, metric: str = "bca") -> Verdict:
    """What is known of all pairs of variants."""
    known = list(points.values())
    compared = pairs(plan, known, score, metric)
    rests_on = " ".join([*seed_notes(plan, compared), assumption(plan, compared, score, known)])
    return Verdict(sorted(compared, key=lambda pair: not pair.clear), rests_on, so_far(plan, points))


def in_common(found: Verdict) -> str:
    """What all pairs say, where there are several and none is clear; "" where they differ."""
    said = {pair.verdict for pair in found.pairs}
    if len(found.pairs) < 2 or len(said) > 1 or found.pairs[0].clear:
        return ""
    return f"{said.pop().removesuffix('.')} in any of the {len(found.pairs)} pairs."


def so_far(plan: Plan, points: Points) -> str:
    """As "After 4 of 10 seeds", or "After 3 to 6 of 10 seeds"; "" once all are there."""
    counts = _counts(plan, points)
    low, high = min(counts), max(counts)
    each = plan.seeds * plan.splits
    if low == each:
        return ""
    return f"After {low if low == high else f'{low} to {high}'} of {each} {'seeds' if plan.splits == 1 else 'trainings'} each"


def variant_table(plan: Plan, points: Points, score: str) -> pd.DataFrame:
    """A row for each variant: BCA and RCA as mean ± SD with the interval of the mean, dead rules, seconds; "–" where unknown.

    Seconds: of each training, its share of the time of its stack.
    """
    rows, ratio = [], test_per_train(plan, list(points.values()))
    for at, variant in enumerate(plan.variants):
        own = [point for point in points.values() if point["variant"] == at]
        row = {"Variant": variant.name, "Seeds": str(len(own))}
        for metric in ("bca", "rca"):
            row |= _summary(ACCURACIES[metric], [score_of(point, score, metric) for point in own], ratio)
        row |= {"Dead rules": _mean((point["dead"] for point in own), ".1f")}
        row |= {"Seconds (share)": _mean((point["seconds_share"] for point in own), ".1f")}
        rows.append(row | {"Diverged": str(sum(bool(point.get("message")) for point in own))})
    table = pd.DataFrame(rows)
    return table if (table["Diverged"] != "0").any() else table.drop(columns="Diverged")


def pair_rows(plan: Plan, points: Sequence[Mapping[str, Any]], score: str) -> list[dict[str, str]]:
    """A row for each pair and accuracy, as text; the difference and its interval in points."""
    return [
        {
            "Difference": f"{plan.variants[pair.a].name} − {plan.variants[pair.b].name}", "Accuracy": ACCURACIES[metric],
            "Points": points_text(pair.difference.difference), "Interval": interval_text(pair.difference) or NONE,
            "p": _p_text(pair.difference.p_value), "p, adjusted": _p_text(pair.difference.p_adjusted),
            "Higher": str(pair.difference.wins), "Equal": str(pair.difference.ties), "Lower": str(pair.difference.losses),
            "Of": str(pair.difference.of), "Could detect": detectable_text([pair.difference]) or NONE,
        }
        for metric in ACCURACIES
        for pair in pairs(plan, points, score, metric)
    ]  # fmt: skip


def factors(plan: Plan, points: Points) -> list[float | None]:
    """By the number of seeds: half of the 95% interval of their mean over their standard deviation; None for less than 2."""
    from scipy import stats  # imported here: the import is slow

    most, ratio = plan.seeds * plan.splits, test_per_train(plan, list(points.values()))
    by_seeds: list[float | None] = [None, None]
    for n in range(2, most + 1):
        by_seeds.append(float(stats.t.ppf(0.975, n - 1) * np.sqrt(1 / n + ratio)))
    return by_seeds


def band_text(plan: Plan, points: Points, band: str) -> str:
    """What the bands of the charts are."""
    if band == "sd":
        return "Band: ± 1 SD of the seeds."
    one_split = test_per_train(plan, list(points.values())) == 0
    return f"Band: 95% interval of the mean{'' if one_split else ', corrected for overlapping training sets'}."


def _counts(plan: Plan, points: Points) -> list[int]:
    variants = [point["variant"] for point in points.values()]
    return [variants.count(at) for at in range(len(plan.variants))]


def _summary(name: str, values: Sequence[float | None], ratio: float) -> dict[str, str]:
    """As {"BCA": "0.756 ± 0.021", "BCA, 95% interval": "0.741 to 0.771"}."""
    known = np.array([value for value in values if value is not None], float)
    interval_name = f"{name}, 95% interval of the mean"
    if not len(known):
        return {f"{name}, mean ± SD": NONE, interval_name: NONE}
    if len(known) < 2:
        return {f"{name}, mean ± SD": f"{known[0]:.3f}", interval_name: NONE}
    interval = corrected_t_interval(known, ratio)
    text = f"{known.mean():.3f} ± {known.std(ddof=1):.3f}"
    return {
        f"{name}, mean ± SD": text,
        interval_name: " to ".join(f"{bound:.3f}" for bound in interval.of_score) if interval else NONE,
    }


def _p_text(p: float | None) -> str:
    return NONE if p is None else "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def _mean(values: Iterable[float | None], form: str) -> str:
    known = [value for value in values if value is not None]
    return format(sum(known) / len(known), form) if known else NONE

"""What a comparison says: the verdicts in sentences, a table of the variants, and what paper and study found."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from tsk_core.data import Dataset
from tsk_core.evaluate import corrected_t_interval
from tsk_core.experiments import (
    ACCURACIES,
    NAMED_VARIANTS,
    VALIDATED_VARIANTS,
    Pair,
    Plan,
    Variant,
    assumption,
    detectable_text,
    interval_text,
    pairs,
    points_text,
    score_of,
    seed_notes,
    study_choices,
    test_train_ratio,
    ur_weight_notes,
)
from tsk_core.numbers import signed
from tsk_core.setting_values import in_words
from tsk_study import ALGORITHMS, COMPARABLE, DATASETS, Result, beside_protocol, printed_scores
from ui.platform.caches import shipped_results

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
    rows, ratio = [], test_train_ratio(plan, list(points.values()))
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

    most, ratio = plan.seeds * plan.splits, test_train_ratio(plan, list(points.values()))
    by_seeds: list[float | None] = [None, None]
    for n in range(2, most + 1):
        by_seeds.append(float(stats.t.ppf(0.975, n - 1) * np.sqrt(1 / n + ratio)))
    return by_seeds


def band_text(plan: Plan, points: Points, band: str) -> str:
    """What the bands of the charts are."""
    if band == "sd":
        return "Band: ± 1 SD of the seeds."
    one_split = test_train_ratio(plan, list(points.values())) == 0
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


# Lines below a verdict: how λ was chosen; what paper and study found for the same two variants, and why the three differ.


METRIC = "bca"
_PLAIN = "none"


class _Levels(NamedTuple):
    """Mean BCA of MBGD and of the other algorithm. of: how many trainings each is the mean of, in words."""

    plain: float
    other: float
    of: str = ""

    @property
    def gain(self) -> float:
        return self.other - self.plain

    @property
    def text(self) -> str:
        """As "+3.8 points (0.750 → 0.787, 25 splits)"."""
        return f"{_points(self.gain)} ({self.plain:.3f} → {self.other:.3f}{self.of and f', {self.of}'})"


def lines_below(plan: Plan, dataset: Dataset, points: Mapping[int, Mapping[str, Any]], score: str) -> list[str]:
    """Both, where there is something to say. points: of the comparison so far, by number."""
    beside = beside_paper(plan, dataset, points, score, shipped_results())
    return [line for line in (" ".join(ur_weight_notes(plan, points.values())), beside) if line]


def beside_paper(
    plan: Plan, dataset: Dataset, points: Mapping[int, Mapping[str, Any]], score: str, results: Mapping[Any, Result]
) -> str:
    """Of MBGD and the last variant that the paper has, too; "" where there is no such pair, or nothing is known of one.

    points: of the comparison so far, by number. results: of the study.
    """
    keys = [variant.key for variant in plan.variants]
    others = [at for at, variant in enumerate(plan.variants) if variant.key != _PLAIN and _algorithm(variant)]
    if _PLAIN not in keys or not others:
        return ""
    pair = keys.index(_PLAIN), others[-1]
    names = [_algorithm(plan.variants[at]) for at in pair]
    tables = [dataset.name] if study_choices(dataset) else list(COMPARABLE)
    here, paper, study = _here(plan, points, score, pair), _paper(tables, names), _study(tables, names, results)
    if here is None or study is None:
        return ""
    own = len(tables) == 1
    shown = [plan.variants[at].name for at in pair]
    what = f"{METRIC.upper()} in points, {shown[1]} − {shown[0]}"
    where = f"on {DATASETS[tables[0]]}" if own else f"on {len(tables)} of the paper's datasets"
    this = f"here {here.text}" if own else f"here, on {dataset.name}, {here.text}"
    otherwise = [*_ur_weight(plan.variants[pair[1]], dataset), *beside_protocol(plan.variants[pair[0]].config)]
    why = f"{_levels_apart(plan.variants[pair[1]], paper, study)}; here {', '.join(otherwise)}"
    return f"{what} {where}: paper {paper.text}, our study {study.text}; {this}. Possible reasons: {why}."


def _algorithm(variant: Variant) -> str:
    """The study's name of it; "" where the paper has none such."""
    key = VALIDATED_VARIANTS.get(variant.key, variant.key)
    if key not in NAMED_VARIANTS:
        return ""
    _, batch_norm, uniform = NAMED_VARIANTS[key]
    fitting = (one.name for one in ALGORITHMS.values() if one.paper and (one.batch_norm, one.selects_ur) == (batch_norm, uniform))
    return next(fitting, "")


def _here(plan: Plan, points: Mapping[int, Mapping[str, Any]], score: str, pair: tuple[int, int]) -> _Levels | None:
    """Over the trainings that both variants have."""
    found: list[dict[tuple[int, int], float]] = [{}, {}]
    for point in points.values():
        value = score_of(point, score, METRIC)
        if point["variant"] in pair and value is not None:
            found[pair.index(point["variant"])][point["seed"], point["split"]] = value
    both = sorted(found[0].keys() & found[1].keys())
    if not both:
        return None
    plain, other = (float(np.mean([of[key] for key in both])) for of in found)
    return _Levels(plain, other, f"{len(both)} {'seeds' if plan.splits == 1 else 'trainings'}")


def _paper(tables: list[str], names: list[str]) -> _Levels:
    means = printed_scores(METRIC).loc[tables, names].mean()
    return _Levels(float(means.iloc[0]), float(means.iloc[1]))


def _study(tables: list[str], names: list[str], results: Mapping[Any, Result]) -> _Levels | None:
    """Over the splits that both algorithms have, each dataset with the same weight."""
    means, counts = [], []
    for table in tables:
        splits = [key[2] for key in results if key[:2] == (table, names[0]) and (table, names[1], key[2]) in results]
        if not splits:
            return None
        means.append([np.mean([getattr(results[table, name, split], METRIC) for split in splits]) for name in names])
        counts.append(len(splits))
    low, high = min(counts), max(counts)
    plain, other = np.mean(means, axis=0).tolist()
    return _Levels(plain, other, f"{low if low == high else f'{low} to {high}'} splits{'' if len(tables) == 1 else ' each'}")


def _levels_apart(variant: Variant, paper: _Levels, study: _Levels) -> str:
    """How far the paper's two levels are from the study's, which follows the paper's protocol."""
    name = NAMED_VARIANTS[VALIDATED_VARIANTS.get(variant.key, variant.key)][0]
    apart = paper.plain - study.plain, paper.other - study.other
    plain, other = (f"{abs(100 * one):.1f} points {'below' if one < 0 else 'above'}" for one in apart)
    return f"the paper's MBGD is {plain} the study's, its MBGD with {name} {other}"


def _ur_weight(variant: Variant, dataset: Dataset) -> list[str]:
    """That λ is not the one that validation chooses, where the algorithm has one; of the paper's tables, the study's."""
    if not variant.config.ur_weight or variant.key in VALIDATED_VARIANTS:
        return []
    chosen, used = study_choices(dataset).get(variant.config.batch_norm), in_words(variant.config.ur_weight)
    if chosen is None:
        return [f"λ {used} instead of the one that validation chooses"]
    if chosen.ur_weight == variant.config.ur_weight:
        return []
    return [f"λ {used} instead of {in_words(chosen.ur_weight)}, which validation chose in {chosen.splits} of {chosen.of} splits"]


def _points(difference: float) -> str:
    return signed(100 * difference, 1)

"""Lines below a verdict: how λ was chosen; what paper and study found for the same two variants, and why the three differ."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from tsk_core.data import Dataset
from tsk_core.experiments import NAMED_VARIANTS, VALIDATED_VARIANTS, Plan, Variant, score_of, study_choices, ur_weight_notes
from tsk_core.numbers import signed
from tsk_core.setting_values import in_words
from tsk_core.study import ALGORITHMS, COMPARABLE, DATASETS, Result, beside_protocol, printed_scores
from ui.platform.study_files import shipped_results

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
    means = [float(np.mean([of[key] for key in both])) for of in found]
    return _Levels(*means, f"{len(both)} {'seeds' if plan.splits == 1 else 'trainings'}")


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

"""The numbers that the server writes, test scores of a run and the verdict of a comparison, in their formulas."""

import math
from collections.abc import Iterable, Sequence

from tsk_core.evaluate import SeedDifference, t_quantile
from tsk_core.numbers import counted, signed
from ui.charts.explanations import BCA, COUNTS, RCA, Explanation

_TERMS = 6  # of a sum that are written

TEST_RCA = Explanation(
    "testRca", "Accuracy",
    "Raw classification accuracy (RCA): share of test rows classified correctly.",
    (RCA,), COUNTS,
    "Compare it with the baselines beside it: a class with many rows makes it high by itself.",
)  # fmt: skip
TEST_BCA = Explanation(
    "testBca", "Balanced accuracy",
    "Balanced classification accuracy (BCA): mean of the accuracies of the classes, so that a small class counts as much as a"
    " large one.",
    (BCA,), COUNTS,
    "Set “Class weights” to balanced, train again, and compare the recalls of the classes in the tab “Mistakes”.",
)  # fmt: skip
VERDICT = Explanation(
    "verdict", "The verdict",
    "Two variants are compared seed by seed, on the same split and from the same start. The verdict says “no clear difference”"
    " where the interval of the mean difference holds 0.",
    (
        r"\bar{d} = \frac{1}{J} \sum_{j=1}^{J} (a_j - b_j)",
        r"\bar{d} \pm t_{J-1}\, s\, \sqrt{\frac{1}{J} + \rho}",
    ),
    "a_j, b_j: scores of both variants in pair j; J: pairs; s: standard deviation of the differences; t: quantile of Student's"
    " distribution at the level of the interval, which is higher where several pairs are compared (Holm); ρ: test rows per"
    " training row where splits overlap, else 0.",
    "Raise “Seeds” and continue: the interval narrows, but never below what ρ alone gives.",
)  # fmt: skip


def rca_line(confusion: Sequence[Sequence[int]]) -> str:
    """As "(12 + 11) / 25 = 0.920"."""
    right, rows = [row[c] for c, row in enumerate(confusion)], sum(map(sum, confusion))
    return f"({_sum(map(str, right))}) / {rows} = {sum(right) / rows:.3f}" if rows else ""


def bca_line(confusion: Sequence[Sequence[int]]) -> str:
    """As "(12/12 + 11/13) / 2 = 0.923"; of the classes with test rows."""
    known = [(row[c], sum(row)) for c, row in enumerate(confusion) if sum(row)]
    if not known:
        return ""
    return f"({_sum(f'{n}/{of}' for n, of in known)}) / {len(known)} = {sum(n / of for n, of in known) / len(known):.3f}"


def verdict_line(name: str, difference: SeedDifference, ratio: float) -> str:
    """The numbers of one pair, in points. name: of the pair, "a − b". ratio: ρ."""
    mean = f"d̄ = {_points(difference.difference)} points over {counted(difference.of, 'pair')}"
    if difference.low is None or difference.high is None or difference.detectable is None:
        return f"{name}: {mean}; no interval."
    t, root = t_quantile(difference.of - 1, difference.level), math.sqrt(1 / difference.of + ratio)
    spread = difference.detectable / (t * root)
    width = f"{t:.3f} · {100 * spread:.3f} · √(1/{difference.of} + {ratio:.3g}) = {100 * difference.detectable:.2f}"
    return f"{name}: {mean}; {width}, so {_points(difference.low)} to {_points(difference.high)}."


def _points(value: float) -> str:
    return signed(100 * value, 2)


def _sum(terms: Iterable[str]) -> str:
    texts = list(terms)
    return " + ".join(texts if len(texts) <= _TERMS else [*texts[: _TERMS - 1], "…", texts[-1]])

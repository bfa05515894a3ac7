"""What Compare and Sweep print, recounted from the CSV of every training; and a training of it from the raw rows."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from tests.recount.arithmetic import corrected_t, holm
from tests.recount.lines import Line, as_printed

__all__ = ["comparison_lines", "sweep_lines"]

NUMBER = r"([-+−]?\d[\d,]*(?:\.\d+)?)"
PAIR = re.compile(
    rf"(No clear difference|No verdict|.+? is (?:better|worse) than .+?) (?:in|on) \w+\. (.+?) − (.+?): {NUMBER} points"
    rf"(?: \({NUMBER}% interval {NUMBER} to {NUMBER}\); (higher|lower) in (\d+)(?:, ([\w ]+?) in (\d+))? of (\d+) seeds)?"
)
ALPHA = 0.05


def comparison_lines(
    where: str, csv: pd.DataFrame, column: str, sentences: Sequence[str], table: pd.DataFrame, ratio: float
) -> Iterator[Line]:
    """csv: a row for each training. column: the score that is compared. sentences: the verdicts. table: of the variants.
    ratio: test rows for each training row.
    """
    scores = {name: part.sort_values("seed")[column].to_numpy() for name, part in csv.groupby("variant", sort=False)}
    for _, line in table.iterrows():
        name, cell = (
            line["Variant"],
            next(line[head] for head in table.columns if head.startswith(column.partition("_")[0].upper())),
        )
        printed = re.match(rf"{NUMBER} ± {NUMBER}", cell)
        for kind, text, value in zip(
            ("mean", "SD"), printed.groups(), (scores[name].mean(), scores[name].std(ddof=1)), strict=True
        ):
            yield Line(f"Compare: {kind}", f"{where}, {name}", text, as_printed(text, value))
        bounds = line[f"{column.partition('_')[0].upper()}, 95% interval of the mean"].split(" to ")
        for text, bound in zip(bounds, corrected_t(scores[name], ratio)[1:3], strict=True):
            yield Line("Compare: interval of the mean", f"{where}, {name}", text, as_printed(text, min(1.0, max(0.0, bound))))
    pairs = {(a, b): scores[a] - scores[b] for b, a in combinations(scores, 2)}
    tested = {pair: corrected_t(d, ratio)[3] for pair, d in pairs.items() if np.ptp(d) > 1e-12}
    adjusted = dict(zip(tested, holm(list(tested.values())), strict=True))
    for sentence in sentences:
        yield from _verdict(where, sentence, pairs, tested, adjusted, ratio)


def _verdict(where: str, sentence: str, pairs: dict, tested: dict, adjusted: dict, ratio: float) -> Iterator[Line]:
    said, a, b, difference, level, low, high, sign, same, rest, others, of = PAIR.match(sentence).groups()
    where, d = f"{where}, {a} − {b}", pairs[a, b]
    yield Line("Compare: difference", where, difference, _points(difference, d.mean()))
    if level is None:
        yield Line("Compare: no interval", where, said, "No verdict" if np.ptp(d) < 1e-12 and d.mean() else said)
        return
    ranks = sorted(tested, key=lambda pair: tested[pair])
    first = next((k for k, pair in enumerate(ranks) if adjusted[pair] >= ALPHA), len(ranks))
    exact = 1 - ALPHA / (len(ranks) - min(ranks.index((a, b)), first))
    yield Line("Compare: level", where, level, f"{100 * exact:.1f}".removesuffix(".0"))
    bounds = corrected_t(d, ratio, exact)[1:3]
    for text, bound in zip((low, high), bounds, strict=True):
        yield Line("Compare: interval", where, text, _points(text, bound))
    clear = "No clear difference" if bounds[0] <= 0 <= bounds[1] else f"{a} is {'better' if d.mean() > 0 else 'worse'} than {b}"
    yield Line("Compare: verdict", where, said, clear)
    yield Line("Compare: verdict and p", where, str(said != "No clear difference"), str(adjusted[a, b] < ALPHA))
    down = sign == "lower"
    yield Line("Compare: seeds", where, f"{same} of {of}", f"{((d < 0) if down else (d > 0)).sum()} of {len(d)}")
    if rest:
        equal, other = (d == 0).sum() * ("equal" in rest), ((d > 0) if down else (d < 0)).sum() * ("er" in rest)
        yield Line("Compare: other seeds", where, others, str(equal + other))


def sweep_lines(
    where: str, csv: pd.DataFrame, cells: pd.DataFrame, column: str, axis: str, sentence: str, ratio: float
) -> Iterator[Line]:
    """csv: a row for each training. cells: the CSV of the cells. axis: its only one. sentence: above the chart."""
    name, scores = (
        column.partition("_")[0],
        {value: part.sort_values("seed")[column].to_numpy() for value, part in csv.groupby(axis)},
    )
    means = {value: of.mean() for value, of in scores.items()}
    top = max(means, key=lambda value: means[value])
    tested = {value: corrected_t(of - scores[top], ratio)[3] for value, of in scores.items() if np.ptp(of - scores[top]) > 1e-12}
    adjusted = dict(zip(tested, holm(list(tested.values()), len(scores) * (len(scores) - 1) // 2), strict=True))
    separated = {value for value, p in adjusted.items() if p < ALPHA}
    for _, cell in cells.iterrows():
        value, of = cell[axis], scores[cell[axis]]
        low, high = corrected_t(of, ratio)[1:3] if np.ptp(of) > 1e-12 else (np.nan, np.nan)
        low, high = max(low, 0.0), min(high, 1.0)
        recounted = {"mean": of.mean(), "sd": of.std(ddof=1), "low": low, "high": high}
        for kind, found in recounted.items():
            printed = cell[f"{name}_{kind}"]
            yield Line(f"Sweep: {kind}", f"{where}, {axis} {value:g}", f"{printed:.9f}", f"{found:.9f}")
        yield Line("Sweep: highest", f"{where}, {axis} {value:g}", str(bool(cell["highest"])), str(means[value] == means[top]))
        yield Line("Sweep: separated", f"{where}, {axis} {value:g}", str(bool(cell["separated"])), str(value in separated))
    said = re.search(rf"(?:reaches|BCA) (?:BCA )?{NUMBER}", sentence)[1]
    yield Line("Sweep: sentence", where, said, as_printed(said, means[top]))
    cannot = "cannot separate it from the others" in sentence
    yield Line("Sweep: what is separated", where, str(cannot), str(not separated))


def _points(printed: str, value: float) -> str:
    """In points, as printed; the sign of 0.0 is left out."""
    text = as_printed(printed, 100 * value)
    return text.lstrip("+-−") if not float(text.replace("−", "-")) else text if "−" in printed else text.replace("-", "−")

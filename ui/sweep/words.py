"""Metrics, bands and cells of a sweep in words. Plain text."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tsk_core.experiments import (
    SCORES,
    Cell,
    Mean,
    Plan,
    detectable_text,
    difference_text,
    lengths,
    unit_of,
)
from tsk_core.numbers import counted

AXIS_NAMES = {
    "batch": "Batch size B", "ur": "UR weight λ", "rules": "Rules R", "l2": "L2 penalty α", "shrink": "Shrinkage κ",
    "lr": "Learning rate η", "sharp": "Sharpness ρ", "cover": "Covering ζ", "conditions": "Conditions of a rule k",
    "l1": "L1 penalty γ", "sigma": "σ at start", "rows": "Share of rows",
}  # fmt: skip


class Metric(NamedTuple):
    """What is drawn of each training. short: before a number. digits: decimals. share: whether it lies between 0 and 1."""

    title: str
    short: str
    digits: int
    share: bool


METRICS = {
    "bca": Metric("BCA on the test rows", "BCA", 3, share=True),
    "rca": Metric("RCA on the test rows", "RCA", 3, share=True),
    "entropy": Metric("Entropy of the firing levels", "entropy", 3, share=True),
    "dead": Metric("Dead rules (never fire)", "dead rules", 1, share=False),
    "fidelity": Metric("Fidelity of rules with 3 conditions", "fidelity", 3, share=True),
    "conditions": Metric("Conditions of all rules", "conditions", 1, share=False),
    "seconds_share": Metric("Seconds of a training: its share of its stack", "seconds", 2, share=False),
}
MEANINGS = {  # of metrics that are no scores
    "entropy": "Entropy: 0 where one rule fires for a row, 1 where all fire equally.",
    "dead": "A dead rule's average firing level over the N training rows is below 1/(R · N).",
    "fidelity": "Fidelity: the share of test rows for which rules shortened to three conditions predict as the full model does.",
    "conditions": "Conditions: the total over all rules; a condition on a categorical column counts once.",
    "seconds_share": "Seconds: a training's share of the time of its stack (trainings that run together); alone it takes longer.",
}
COLUMNS = (
    "Cell",
    "BCA",
    "SD",
    "95% interval",
    "RCA",
    "Entropy",
    "Dead rules",
    "Fidelity",
    "Conditions",
    "Seconds (share)",
    "Runs",
    "Diverged",
    "",
)
NONE = "–"


def accuracy_of(show: str) -> str:
    """The accuracy that decides which cell is the highest, where this metric is drawn."""
    return "rca" if show == "rca" else "bca"


def band_text(band: str, plan: Plan) -> str:
    """What the band of a line is."""
    over = counted(plan.seeds, "seed")
    return f"SD over {over}" if band == "sd" else f"95% interval of the mean over {over}"


def verdict(cell: Cell) -> str:
    """What a cell is beside the highest one."""
    if cell.highest:
        return "highest"
    if cell.difference is None or cell.difference.low is None:
        return ""
    if cell.ahead:
        return "higher so far"
    return "lower" if cell.separated else "not separated"


def length_text(plan: Plan, variant: int) -> str:
    """How long a cell trains, as "27 epochs, 999 gradient steps"."""
    epochs, steps = plan.variants[variant].config.max_epochs, plan.gradient_steps(variant)
    return counted(epochs, "epoch") if steps is None else f"{counted(epochs, 'epoch')}, {steps:,} gradient steps"


def cell_lines(plan: Plan, cell: Cell, show: str) -> list[str]:
    """What a cell says where somebody points at it."""
    of = plan.seeds * plan.splits
    metric, mean = METRICS[show], cell.metrics.get(show)
    name = cell.name[0].upper() + cell.name[1:]
    if mean is None:
        return [name, "not measured" if cell.n else "not trained yet"]
    lines = [name, f"{metric.short} {mean.mean:.{metric.digits}f}{_spread(mean, metric.digits)}"]
    if mean.low is not None:
        lines.append(f"95% interval of the mean: {_interval(mean, metric)}")
    lines.append(f"{cell.n} of {of} runs" if cell.n < of else counted(of, "run"))
    if plan.rows is not None:
        lines.append(length_text(plan, cell.variant))
    if cell.diverged:
        lines.append(f"{cell.diverged} of {cell.n} diverged")
    return [*lines, *_compared(plan, cell, accuracy_of(show))]


def cell_row(cell: Cell, of: int, show: str) -> list[str]:
    """Its texts in the table, after its name."""
    bca = cell.metrics.get("bca")
    interval = NONE if bca is None else _interval(bca, METRICS["bca"])
    spread = NONE if bca is None or bca.sd is None else f"{bca.sd:.3f}"
    others = [_number(cell.metrics, name) for name in ("rca", "entropy", "dead", "fidelity", "conditions", "seconds_share")]
    runs = f"{cell.n} of {of}" if cell.n < of else str(of)
    mark = verdict(cell) + (f" by {accuracy_of(show).upper()}" if cell.highest else "")
    return [_number(cell.metrics, "bca"), spread, interval, *others, runs, str(cell.diverged), mark]


def caption(plan: Plan, cells: Sequence[Cell], show: str, score: str, draw: str, *, corrected: bool = True) -> str:
    """What the figure shows and what its marks mean, below it. corrected: whether the intervals are, for overlap."""
    which = f"{'Scores' if show in ('rca', 'bca') else 'Scores that decide which is the highest'}: {SCORES[score]}."
    which = " ".join(filter(None, [MEANINGS.get(show), which, lengths(plan)]))
    lines = len(plan.axes) == 1 or draw == "lines"
    if draw == "parallel" and len(plan.axes) > 1:
        return f"A line for each cell, coloured by the metric on the right. Drag along a vertical line to select. {which}"
    highest = f"{'Star' if lines else 'Solid outline'}: highest by {accuracy_of(show).upper()}"
    diverged = " †: trainings that diverged." if len(plan.axes) > 1 and any(cell.diverged for cell in cells) else ""
    if sum(cell.n > 0 for cell in cells) < 2:  # nothing has a mark
        few = "One seed has no interval; choose more seeds. " if plan.seeds * plan.splits < 2 else ""
        return f"{few}{which}"
    if plan.seeds * plan.splits < 2:
        return f"{highest}. One seed cannot separate settings; choose more seeds.{diverged} {which}"
    if any(cell.separated for cell in cells):
        marks = f"{highest}; {'ring' if lines else 'dashed outline'}: not separated from it."
    else:
        marks = f"{highest}; no other setting is separated from it."
    click = f"A click on a {'point' if lines else 'cell'} lists its runs."
    return f"{marks}{diverged} {_meaning(plan, cells, corrected=corrected)} {which} {click}"


def _meaning(plan: Plan, cells: Sequence[Cell], *, corrected: bool) -> str:
    """What separated means, and what these seeds could detect."""
    compared = [cell.difference for cell in cells if cell.difference is not None]
    overlap = "corrected for splits that share rows" if corrected else "all on the same test rows"
    pairs = math.comb(sum(cell.n > 0 for cell in cells), 2)
    adjusted = f", adjusted for all {pairs} pairs, since the highest is picked after looking (Holm)" if pairs > 1 else ""
    meaning = f"Separated: the interval of the difference excludes 0, paired over {unit_of(plan)}, {overlap}{adjusted}."
    if not (detectable := detectable_text(compared)):
        return meaning
    return f"{meaning} These {max(one.of for one in compared)} {unit_of(plan)} could detect a difference of about {detectable}."


def _compared(plan: Plan, cell: Cell, metric: str) -> list[str]:
    if cell.highest:
        return [f"highest by {metric.upper()}"]
    if cell.difference is None:
        return []
    said = difference_text(f"{metric.upper()}, this − highest", cell.difference, unit_of(plan)).split("; ")
    beside = {
        "lower": "lower than the highest", "not separated": "not separated from the highest",
        "higher so far": "higher so far, with fewer trainings",
    }.get(verdict(cell))  # fmt: skip
    return [*said, *([beside] if beside else [])]


def bounds(mean: Mean, metric: Metric) -> tuple[float, float] | None:
    """The 95% interval, cut to the range that the metric has; None without one."""
    if mean.low is None or mean.high is None:
        return None
    return max(mean.low, 0.0), min(mean.high, 1.0) if metric.share else mean.high


def _interval(mean: Mean, metric: Metric) -> str:
    if (interval := bounds(mean, metric)) is None:
        return NONE
    low, high = interval
    return f"{low:.{metric.digits}f} to {high:.{metric.digits}f}"


def _spread(mean: Mean, digits: int) -> str:
    return "" if mean.sd is None else f" (SD {mean.sd:.{digits}f} over {mean.n} seeds)"


def _number(metrics: Mapping[str, Mean], name: str) -> str:
    mean = metrics.get(name)
    return NONE if mean is None else f"{mean.mean:.{METRICS[name].digits}f}"

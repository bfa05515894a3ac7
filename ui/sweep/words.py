"""Metrics, bands and cells of a sweep in words. Plain text."""

from collections.abc import Mapping
from typing import NamedTuple

from tsk_core.experiments import SCORES, Cell, Mean, Plan

__all__ = [
    "AXIS_NAMES",
    "BANDS",
    "COLUMNS",
    "METRICS",
    "Metric",
    "accuracy_of",
    "band_text",
    "caption",
    "cell_lines",
    "cell_row",
    "verdict",
]

AXIS_NAMES = {
    "batch": "Batch size B", "ur": "UR weight λ", "rules": "Rules R", "l2": "L2 penalty α", "shrink": "Shrinkage κ",
    "lr": "Learning rate η", "sigma": "σ at start", "rows": "Share of rows",
}  # fmt: skip
BANDS = {"sd": "SD", "ci": "95% interval"}


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
    "seconds_share": Metric("Seconds of a training: its share of its stack", "seconds", 2, share=False),
}
MEANINGS = {  # of metrics that are no scores
    "entropy": "Entropy: 0 where one rule fires for a row, 1 where all fire alike.",
    "dead": "A dead rule fires for no training row.",
    "fidelity": "Fidelity: on how many test rows the rules shortened to three conditions predict as the full model does.",
    "seconds_share": "Seconds: a training's share of the time of its stack, all that train side by side; alone it takes longer.",
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
    "Seconds (share)",
    "Runs",
    "Diverged",
    "",
)
NONE = "–"


def accuracy_of(show: str) -> str:
    """The accuracy that decides which cell is best, where this metric is drawn."""
    return "rca" if show == "rca" else "bca"


def band_text(band: str, plan: Plan) -> str:
    """What the band of a line is."""
    over = f"{plan.seeds} {'seed' if plan.seeds == 1 else 'seeds'}"
    return f"SD over {over}" if band == "sd" else f"95% interval of the mean over {over}"


def verdict(cell: Cell) -> str:
    """What a cell is beside the best one."""
    if cell.best:
        return "best"
    if cell.difference is None or cell.difference.low is None:
        return ""
    return "not clearly worse" if cell.not_worse else "worse"


def cell_lines(cell: Cell, show: str, of: int) -> list[str]:
    """What a cell says where somebody points at it. of: its trainings when all are done."""
    metric, mean = METRICS[show], cell.metrics.get(show)
    name = cell.name[0].upper() + cell.name[1:]
    if mean is None:
        return [name, "not measured" if cell.n else "not trained yet"]
    lines = [name, f"{metric.short} {mean.mean:.{metric.digits}f}{_spread(mean, metric.digits)}"]
    if mean.low is not None:
        lines.append(f"95% interval of the mean: {_interval(mean, metric)}")
    lines.append(f"{cell.n} of {of} runs" if cell.n < of else f"{of} {'run' if of == 1 else 'runs'}")
    if cell.diverged:
        lines.append(f"{cell.diverged} of {cell.n} diverged")
    return [*lines, *([text] if (text := _compared(cell, accuracy_of(show))) else [])]


def cell_row(cell: Cell, of: int, show: str) -> list[str]:
    """Its texts in the table, after its name."""
    bca = cell.metrics.get("bca")
    interval = NONE if bca is None else _interval(bca, METRICS["bca"])
    spread = NONE if bca is None or bca.sd is None else f"{bca.sd:.3f}"
    others = [_number(cell.metrics, name) for name in ("rca", "entropy", "dead", "fidelity", "seconds_share")]
    runs = f"{cell.n} of {of}" if cell.n < of else str(of)
    mark = verdict(cell) + (f" by {accuracy_of(show).upper()}" if cell.best else "")
    return [_number(cell.metrics, "bca"), spread, interval, *others, runs, str(cell.diverged), mark]


def caption(plan: Plan, show: str, score: str, draw: str, *, corrected: bool = True) -> str:
    """What the figure shows and what its marks mean, below it. corrected: whether the intervals are, for overlap."""
    metric = accuracy_of(show).upper()
    which = (
        f"Scores are of {SCORES[score]}."
        if show in ("rca", "bca")
        else f"Scores that decide what is best are of {SCORES[score]}."
    )
    which = f"{MEANINGS[show]} {which}" if show in MEANINGS else which
    if len(plan.axes) == 1 or draw == "lines":
        marks = "Star: best; ring: not clearly worse than the best."
        marks += " †: trainings that diverged." if len(plan.axes) > 1 else ""
    elif draw == "parallel":
        return f"A line for each cell, coloured by the figure at the right. Drag along an upright line to select. {which}"
    else:
        marks = "Solid outline: best; dashed outline: not clearly worse than the best; †: trainings that diverged."
    if plan.seeds * plan.splits < 2:
        return f"Star or solid outline: best by {metric}. One seed has no interval; choose more seeds. {which}"
    meaning = (
        f"By {metric}: the 95% interval of the difference, paired over seeds"
        f"{' and corrected for overlapping training sets' if corrected else ', which all have the same test rows'}, includes 0."
    )
    return f"{marks} {meaning} {which} A click on a cell lists its runs."


def _compared(cell: Cell, metric: str) -> str:
    if cell.best:
        return f"best by {metric.upper()}"
    if cell.difference is None or cell.difference.low is None:
        return ""
    found = cell.difference
    bounds = f"{100 * found.low:+.1f} to {100 * found.high:+.1f}".replace("-", "−")
    return f"{verdict(cell)}: {metric.upper()} {100 * found.difference:+.1f} points ({bounds}) beside the best".replace("-", "−")


def _interval(mean: Mean, metric: Metric) -> str:
    """Cut to the range that the metric has."""
    if mean.low is None:
        return NONE
    low, high = max(mean.low, 0), min(mean.high, 1) if metric.share else mean.high
    return f"{low:.{metric.digits}f} to {high:.{metric.digits}f}"


def _spread(mean: Mean, digits: int) -> str:
    return "" if mean.sd is None else f" (SD {mean.sd:.{digits}f} over {mean.n} seeds)"


def _number(metrics: Mapping[str, Mean], name: str) -> str:
    mean = metrics.get(name)
    return NONE if mean is None else f"{mean.mean:.{METRICS[name].digits}f}"

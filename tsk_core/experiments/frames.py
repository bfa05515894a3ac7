"""What trainings of an experiment left, as pandas frames and as values for JSON."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tsk_core.evaluate.across_seeds import SeedDifference
from tsk_core.experiments.metrics import ACCURACIES, METRICS, score_of
from tsk_core.experiments.plan import COMPARISON, Plan
from tsk_core.experiments.sweep_summary import axis_values
from tsk_core.experiments.verdicts import pairs

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "MAY_LACK", "PAIR", "comparison_values", "every_pair", "every_training", "frame_of", "pair_row", "sweep_frame",
    "sweep_values", "training_rows",
]  # fmt: skip

Points = Sequence[Mapping[str, Any]]
PAIR = (
    "a", "b", "wins", "losses", "of", "difference", "low", "high", "level", "p_value", "p_adjusted", "detectable",
    "p_above_1_point",
)  # fmt: skip
MAY_LACK = ("low", "high", "p_value", "p_adjusted", "detectable", "p_above_1_point")  # in a pair


def comparison_values(plan: Plan, points: Points, score: str) -> dict[str, object]:
    """JSON-ready: variants, runs and pairs. points: in the order of their numbers."""
    names = [variant.key for variant in plan.variants]
    compared = [pair_row(names[pair.a], names[pair.b], pair.difference) for pair in pairs(plan, points, score)]
    return {"variants": names, "runs": training_rows(plan, points, score), "pairs": compared}


def sweep_values(plan: Plan, points: Points, score: str) -> dict[str, object]:
    """JSON-ready: axes and runs."""
    axes = {axis.key: list(axis.values) for axis in plan.axes}
    return {"axes": axes, "runs": training_rows(plan, points, score)}


def sweep_frame(plan: Plan, points: Points, score: str) -> "pd.DataFrame":
    """One row per training."""
    return frame_of(training_rows(plan, points, score))


def training_rows(plan: Plan, points: Points, score: str) -> list[dict[str, object]]:
    """What is known of each training, JSON-ready: variant or values of the axes, seed, split, accuracies, and metrics.

    Those of a comparison are its seconds alone: entropy and dead rules are in its charts, fidelity is not measured.
    """
    compared, rows = plan.kind == COMPARISON, []
    for point in points:
        row: dict[str, object] = {"variant": plan.variants[point["variant"]].key} if compared else {**_axes_of(plan, point)}
        row |= {"seed": point["seed"], "split": point["split"]}
        row |= {accuracy: score_of(point, score, accuracy) for accuracy in ACCURACIES}
        row |= {name: point[name] for name in (("ur_weight", "seconds_share") if compared else METRICS[len(ACCURACIES) :])}
        rows.append(row if compared else row | {"diverged": bool(point["message"])})
    return rows


def every_training(plan: Plan, points: Iterable[Mapping[str, Any]]) -> "pd.DataFrame":
    """One row per training that ended, in the order of the plan: all its scores and metrics, for a file."""
    compared, rows = plan.kind == COMPARISON, []
    measured = (
        *(("ur_weight",) if compared else ()),
        "window",
        "best_epoch",
        "epochs",
        "entropy",
        "dead",
        "conditions",
        *(() if compared else ("fidelity",)),
        "seconds_share",
        "test_per_train",
    )
    for point in sorted(points, key=lambda point: point["point"]):
        variant = plan.variants[point["variant"]]
        row = {"variant": variant.name, "key": variant.key} if compared else _axes_of(plan, point)
        row |= {"seed": point["seed"], "split": point["split"]}
        for score in point["scores"]:
            row |= {f"{accuracy}_{score}": score_of(point, score, accuracy) for accuracy in ACCURACIES}
        rows.append(row | {name: point.get(name) for name in (*measured, "message")})
    return frame_of(rows)


def every_pair(plan: Plan, points: Points, score: str) -> "pd.DataFrame":
    """One row per pair of variants and accuracy, for a file: their names, and the columns of ``compare_pairs``."""
    names = [variant.name for variant in plan.variants]
    rows = [
        {
            "accuracy": metric,
            "score": score,
            **pair_row(names[pair.a], names[pair.b], pair.difference),
            "clear": pair.clear,
            "test_per_train": pair.ratio,
        }  # fmt: skip
        for metric in ACCURACIES
        for pair in pairs(plan, points, score, metric)
    ]
    return frame_of(rows)


def pair_row(a: str, b: str, of: SeedDifference) -> dict[str, object]:
    """The columns ``PAIR`` of two variants, JSON-ready."""
    values = (
        a, b, of.wins, of.losses, of.of, of.difference, of.low, of.high, of.level, of.p_value, of.p_adjusted, of.detectable,
        of.p_above,
    )  # fmt: skip
    return dict(zip(PAIR, values, strict=True))


def _axes_of(plan: Plan, point: Mapping[str, Any]) -> dict[str, float]:
    """The value of each axis, by its key."""
    return dict(zip((axis.key for axis in plan.axes), axis_values(plan, point["variant"]), strict=True))


def frame_of(rows: list[dict[str, object]], columns: tuple[str, ...] | None = None) -> "pd.DataFrame":
    """A frame of these rows. columns: their names where there may be no row."""
    import pandas as pd

    return pd.DataFrame(rows, columns=None if columns is None else list(columns))

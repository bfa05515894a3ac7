"""``compare``, ``compare_pairs`` and ``sweep``: experiments in this process, which return pandas frames."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tsk_core.config import TrainConfig
from tsk_core.errors import SettingError
from tsk_core.evaluate.comparing import SeedDifference
from tsk_core.experiments.plan import (
    ACCURACIES,
    COMPARISON,
    METRICS,
    Plan,
    PlannedTraining,
    comparison_plan,
    score_of,
    sweep_plan,
)
from tsk_core.experiments.stacks import check_splits, most_training_rows, stacks
from tsk_core.experiments.sweep_summary import axis_values
from tsk_core.experiments.variants import DEFAULT_VARIANTS, make_axis, parse_axis, study_choices
from tsk_core.experiments.verdicts import differences, pairs, test_per_train

if TYPE_CHECKING:
    import pandas as pd

    from tsk_core.data import Dataset

# What trainings of an experiment left, as pandas frames and as values for JSON.


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


def compare(
    dataset: "Dataset | str | Path",
    variants: str | Sequence[str] = DEFAULT_VARIANTS,
    *,
    config: TrainConfig | None = None,
    epochs: int | None = None,
    seeds: int = 10,
    splits: int = 1,
    test_size: float = 0.3,
    score: str = "last",
    on_point: Callable[[Mapping[str, Any]], None] = lambda point: None,
) -> "pd.DataFrame":
    """Train variants of ``config`` over the same seeds and splits: one row per training.

    Parameters
    ----------
    dataset : Dataset, str or Path
        A table, the name of one of the gallery, or a file that ``read_csv`` takes.
    variants : list of str, or str
        Such as ["ur-bn", "rules=30"], or the same as text with commas; at most eight. "base" is the config as it is. "none",
        "bn", "gbn" and "rbn" have λ = 0 and this batch normalisation. "ur", "ur-bn", "ur-gbn" and "ur-rbn" have the config's λ,
        or 1 where it is 0; with "-val" behind them, the λ that validation chose in the study on the paper's twelve tables, else
        the one that it chooses for each training. "rules=30" changes one setting, by its key in links; "sigma=2" multiplies
        the initial widths of the conditions, and "rows=0.2" trains on this share of the training rows.
    config : TrainConfig, optional
        None for the recommended settings; its seed is the first one, 0 if it has none.
    epochs : int, optional
        Replaces those of the config.
    seeds, splits : int, default 10 and 1
        How many of each; all variants have the same.
    test_size : float, default 0.3
        Share of test rows.
    score : "last", "mean" or "best", default "last"
        At the last epoch, the mean of the last epochs (a fifth of them, 5 to 30), or at the epoch that is best on a fifth of the
        training rows, held out.
    on_point : callable, optional
        Called at each training's end.

    Returns
    -------
    DataFrame
        The columns are variant, seed, split, rca, bca, ur_weight (λ), seconds_share (a training's share of the time of its stack,
        all that train side by side) and test_per_train: n_test/n_train of the splits, 0 where the data have a single one.

    Raises
    ------
    SettingError, DataError

    See Also
    --------
    compare_pairs : How far each two variants are apart.

    Examples
    --------
    >>> from tsk_core import compare
    >>> runs = compare("iris", ["none", "bn"], seeds=2, epochs=5)
    >>> runs.groupby("variant").size().to_dict()
    {'bn': 2, 'none': 2}
    """
    names = variants.split(",") if isinstance(variants, str) else variants
    options = {"seeds": seeds, "splits": splits, "test_size": test_size, "score": score}
    dataset = _loaded(dataset)
    plan = comparison_plan(names, _base(config, epochs), chosen=study_choices(dataset), **options)
    points = _trained(dataset, plan, on_point)
    return frame_of(training_rows(plan, points, score)).assign(test_per_train=test_per_train(plan, points))


def compare_pairs(frame: "pd.DataFrame", metric: str = "bca") -> "pd.DataFrame":
    """How far each two variants are apart over the seeds and splits that both have: one row per pair.

    Parameters
    ----------
    frame : DataFrame
        Of ``compare``, or rows of it.
    metric : "bca" or "rca", default "bca"
        What is compared.

    Returns
    -------
    DataFrame
        The columns are a, b (variants; a is the later one), wins and losses (in how many pairs of trainings a is higher, and b
        is), of (how many pairs there are), difference (mean of a − b), low, high (its interval, by the corrected resampled
        t-test), level (of the interval: 0.95 for two variants, higher where Holm's procedure adjusts for several), p_value,
        p_adjusted (below 0.05 where the interval leaves 0 out), detectable (half the interval) and p_above_1_point (the
        probability that it is above 0.01); those of the interval are NaN for a single pair, and where all pairs have the same
        difference.

    Raises
    ------
    SettingError

    Examples
    --------
    >>> from tsk_core import compare, compare_pairs
    >>> runs = compare("iris", ["none", "bn"], seeds=2, epochs=5)
    >>> compare_pairs(runs)[["a", "b", "of"]].values.tolist()
    [['bn', 'none', 2]]
    """
    if metric not in ACCURACIES:
        raise SettingError(f"metric is {metric!r}; it must be one of {', '.join(ACCURACIES)}.")
    if lacking := [name for name in ("variant", "seed", "split", metric, "test_per_train") if name not in frame]:
        raise SettingError(f"The frame lacks the column {lacking[0]!r}; it must be one of compare, or rows of it.")
    names = list(dict.fromkeys(frame["variant"]))
    rows = frame.dropna(subset=[metric])
    scores = [
        {(int(run["seed"]), int(run["split"])): float(run[metric]) for _, run in rows[rows["variant"] == name].iterrows()}
        for name in names
    ]
    ratio = float(frame["test_per_train"].mean()) if len(frame) else 0.0
    lines = [pair_row(names[a], names[b], difference) for a, b, difference in differences(scores, ratio)]
    return frame_of(lines, PAIR).astype({name: float for name in MAY_LACK})


def sweep(
    dataset: "Dataset | str | Path",
    axes: str | Sequence[str] | Mapping[str, Sequence[float]],
    *,
    config: TrainConfig | None = None,
    epochs: int | None = None,
    seeds: int = 5,
    splits: int = 1,
    test_size: float = 0.3,
    score: str = "last",
    equal: str = "epochs",
    on_point: Callable[[Mapping[str, Any]], None] = lambda point: None,
) -> "pd.DataFrame":
    """Train all combinations of the axes' values, each over the same seeds and splits: one row per training.

    Parameters
    ----------
    dataset, config, epochs, splits, test_size, score, on_point
        As for ``compare``.
    seeds : int, default 5
        Trainings of each combination and split.
    axes : dict, list of str, or str
        Values by their names, such as {"batch": [16, 64, 256]}, or texts such as "batch=16,64,256"; up to four. Names are the
        settings' keys in links: batch, ur (λ), rules, l2, shrink (κ), lr, sharp (ρ), cover (ζ), conditions and l1; besides these,
        sigma, a factor of the initial widths of the conditions, and rows, the share of the training rows that are used. Batch
        sizes that have all training rows are one value, the smallest of them.
    equal : "epochs" or "steps", default "epochs"
        "steps" for equally many gradient steps at all batch sizes, as the config takes.

    Returns
    -------
    DataFrame
        The columns are those of the axes, then seed, split, rca, bca, entropy, dead, fidelity, conditions, seconds_share and
        diverged.

    Raises
    ------
    SettingError, DataError

    Examples
    --------
    >>> from tsk_core import sweep
    >>> runs = sweep("iris", {"rules": [2, 4]}, seeds=1, epochs=5)
    >>> runs["rules"].astype(int).tolist()
    [2, 4]
    """
    if isinstance(axes, Mapping):
        made = [make_axis(key, values if isinstance(values, Iterable) else [values]) for key, values in axes.items()]
    else:
        made = list(map(parse_axis, [axes] if isinstance(axes, str) else axes))
    options = {"seeds": seeds, "splits": splits, "test_size": test_size, "score": score}
    dataset = _loaded(dataset)
    plan = sweep_plan(made, _base(config, epochs), partial(most_training_rows, dataset), equal=equal, **options)
    return sweep_frame(plan, _trained(dataset, plan, on_point), score)


def _base(config: TrainConfig | None, epochs: int | None) -> TrainConfig:
    config = config or TrainConfig()
    return config if epochs is None else replace(config, max_epochs=epochs)


def _loaded(dataset: "Dataset | str | Path") -> "Dataset":
    from tsk_core.data import Dataset, dataset_names, load_dataset, read_csv

    if isinstance(dataset, Dataset):
        return dataset
    if not isinstance(dataset, str | Path):
        raise SettingError(
            f"dataset is a {type(dataset).__name__}; it must be a Dataset, the name of one, or a file. Of a DataFrame,"
            " tsk_core.data.make_dataset(frame, target) makes one."
        )
    return load_dataset(str(dataset)) if str(dataset) in dataset_names() else read_csv(Path(dataset))


def _trained(dataset: "Dataset", plan: Plan, on_point: Callable[[Mapping[str, Any]], None]) -> list[dict[str, Any]]:
    from tsk_core.data.encoding import Encoder
    from tsk_core.experiments.trainings import train_together
    from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads

    check_splits(dataset, plan)
    columns = len(Encoder().fit(dataset.X).columns)
    points = {}
    with torch_threads(1), denormals_as_zero():
        for stack in stacks(dataset, plan, _with_ur_weights(dataset, plan, columns), columns):
            for record in train_together(dataset, plan, stack):
                if "point" in record:
                    points[record["point"]] = record
                    on_point(record)
    return [points[number] for number in sorted(points)]


def _with_ur_weights(dataset: "Dataset", plan: Plan, columns: int) -> list[PlannedTraining]:
    """All trainings; where validation chooses λ, with what it chose."""
    from tsk_core.experiments.stacks import choose_ur_weights, searches, with_ur_weight

    trainings = plan.trainings()
    for group in searches(dataset, plan, trainings, columns):
        for training, choice in zip(group, choose_ur_weights(dataset, plan, group), strict=True):
            trainings[training.number] = with_ur_weight(training, choice.ur_weight)
    return trainings

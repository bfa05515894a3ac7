"""What trainings show, in the shape in which it was predicted.

A measure takes the trainings of an outcome. One training and labels: the labels are epochs, 0 is before training. Several
trainings: a value for each, at its end. Neither: one number. docs/lessons.md lists the measures.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tsk_core.epoch import Epoch
from tsk_core.lessons.lesson import OutcomeMeasure, Prediction, Scene
from tsk_core.setting_values import later_seed

if TYPE_CHECKING:
    import pandas as pd

    from tsk_core.data import Dataset
    from tsk_core.estimators.classifier import TSKClassifier

Floats = NDArray[np.float64]
Value = float | list[float]


@dataclass(frozen=True)
class Trained:
    """What is known of a scene's training.

    history: its epochs, in their order; the first one has the firing levels before training. classifier: at the end.
    scores: of a scene with ``over``, value -> test RCA and BCA of each seed.
    """

    scene: Scene
    history: Sequence[Epoch] = ()
    classifier: "TSKClassifier | None" = None
    scores: Mapping[float, Sequence[tuple[float, float]]] | None = None

    @property
    def model(self) -> "TSKClassifier":
        """The classifier at the end."""
        if self.classifier is None:
            raise ValueError(f"the training of the scene '{self.scene.name}' left no model")
        return self.classifier


def scene_dataset(scene: Scene) -> "Dataset":
    """The scene's dataset, with its columns alone."""
    return _with_columns(scene.data, scene.columns)


@cache
def _with_columns(data: str, columns: tuple[str, ...] | None) -> "Dataset":
    from tsk_core.data import load_dataset

    dataset = load_dataset(data)
    if columns is None:
        return dataset
    left_out = dict.fromkeys((column for column in dataset.X.columns if column not in columns), "ignored")
    return dataset.with_choices(replace(dataset.choices, roles={**dataset.choices.roles, **left_out}))


def train_scene(scene: Scene, seed: int | None = None) -> Trained:
    """Train a scene in this process, for tests and claims. seed: in place of the scene's; measures split by it, too."""
    from tsk_core.estimators.classifier import TSKClassifier
    from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads

    dataset = scene_dataset(scene)
    if seed is not None:
        scene = replace(scene, config=replace(scene.config, random_state=seed))
    config = scene.config
    X, y, split = dataset.X, np.asarray(dataset.y), dataset.split(scene.test_size, config.seed)
    train, test = split.train, split.test

    def run(changes: Mapping[str, Any]) -> tuple[list[Epoch], TSKClassifier]:
        classifier = TSKClassifier(**{**config.to_dict(), **changes})
        with torch_threads(1), denormals_as_zero():
            epochs = list(classifier.fit_iter(X.iloc[train], y[train], X.iloc[test], y[test]))
        return epochs, classifier

    if scene.over is None:
        history, classifier = run({})
        return Trained(scene, history, classifier)
    name, values = scene.over
    scores: dict[float, list[tuple[float, float]]] = {value: [] for value in values}
    for value in values:
        for k in range(scene.seeds):
            seed = later_seed(config.seed, k)
            split = dataset.split(scene.test_size, seed)
            train, test = split.train, split.test
            number = int(value) if float(value).is_integer() else value
            last = run({name: number, "random_state": seed})[0][-1]
            scores[value].append((float(last.rca_test or 0.0), float(last.bca_test or 0.0)))
    return Trained(scene, scores=scores)


def outcome_of(outcome: OutcomeMeasure, trained: Mapping[str, Trained], prediction: Prediction | None = None) -> Value:
    """What came out, in the shape of the prediction; a single number without one.

    trained: by the names of scenes, at least those of the outcome. Raises KeyError for a measure that does not exist.
    """
    return OUTCOMES[outcome.measure](outcome, [trained[name] for name in outcome.scenes], prediction)


def distance(prediction: Prediction, value: Sequence[float], truth: Sequence[float]) -> float:
    """How far a prediction is from what came out, from 0 to 1.

    Bars and curves: the mean absolute difference, as a share of the range. A region: 1 less the cells that both have, as a share
    of those that either has. A choice: 0 where it is right, else 1.
    """
    a, b = np.asarray(value, float), np.asarray(truth, float)
    if prediction.kind == "choice":
        return float(a[0] != b[0])
    if prediction.kind == "region":
        either = (a > 0.5) | (b > 0.5)
        return 1.0 - float(((a > 0.5) & (b > 0.5)).sum() / either.sum()) if either.any() else 0.0
    return float(np.clip(np.abs(a - b).mean() / (prediction.high - prediction.low), 0, 1))


# Measures of one epoch.


def _firing(epoch: Epoch) -> Floats:
    assert epoch.firing is not None
    return epoch.firing


def _count(rules: NDArray[np.bool_] | None) -> int:
    return 0 if rules is None else int(rules.sum())


def _entropy(epoch: Epoch) -> float:
    """The mean entropy of the training rows' firing levels, in nats; 0 for a single rule."""
    n_rules, share = len(_firing(epoch)), epoch.entropy_share
    assert n_rules == 1 or share is not None
    return 0.0 if share is None else share * float(np.log(n_rules))


_OF_EPOCH: dict[str, Callable[[Epoch], float]] = {
    "largest_share": lambda epoch: float(_firing(epoch).max()),
    "smallest_share": lambda epoch: float(_firing(epoch).min()),
    "sum_of_shares": lambda epoch: float(_firing(epoch).sum()),
    "dead_rules": lambda epoch: float(_count(epoch.dead)),
    "weak_rules": lambda epoch: float(_count(epoch.dead) + _count(epoch.idle)),
    "entropy": _entropy,
    "effective_rules": lambda epoch: float(np.exp(_entropy(epoch))),
    "loss_ce": lambda epoch: epoch.loss_ce,
    "loss_ur": lambda epoch: epoch.loss_ur - epoch.ur_floor,
    "rca_train": lambda epoch: float(epoch.rca_train or 0.0),
    "bca_train": lambda epoch: float(epoch.bca_train or 0.0),
    "rca_test": lambda epoch: float(epoch.rca_test or 0.0),
    "bca_test": lambda epoch: float(epoch.bca_test or 0.0),
    "grad_antecedents": lambda epoch: epoch.grad_antecedents,
    "grad_consequents": lambda epoch: epoch.grad_consequents,
}
BEFORE: dict[str, Callable[[Floats], float]] = {  # of the firing levels before training
    "largest_share": lambda firing: float(firing.max()),
    "smallest_share": lambda firing: float(firing.min()),
    "sum_of_shares": lambda firing: float(firing.sum()),
}


def _at(measure: str, trained: Trained, number: int | None) -> float:
    """A measure after an epoch; of epoch 0, before training, those of ``BEFORE``."""
    history = trained.history
    if number == 0 and measure in BEFORE and history[0].initial_firing is not None:
        return BEFORE[measure](history[0].initial_firing)
    last = len(history)
    return _OF_EPOCH[measure](history[max(1, last if number is None else min(number, last)) - 1])


def _by_epoch(measure: str) -> Callable[..., Value]:
    def measured(outcome: OutcomeMeasure, trained: Sequence[Trained], prediction: Prediction | None) -> Value:
        if len(trained) > 1:
            return [_at(measure, one, outcome.epoch) for one in trained]
        if prediction is None or prediction.kind != "curve":
            return _at(measure, trained[0], outcome.epoch)
        return [_at(measure, trained[0], int(label)) for label in prediction.labels]

    return measured


def _sorted_firing(outcome: OutcomeMeasure, trained: Sequence[Trained], prediction: Prediction | None) -> Value:
    """The average firing level of each rule at the end, the highest first."""
    firing = np.sort(_firing(trained[0].history[(outcome.epoch or 0) - 1]))[::-1]
    return [float(level) for level in firing]


def _initial_firing(outcome: OutcomeMeasure, trained: Sequence[Trained], prediction: Prediction | None) -> Value:
    """The same before training."""
    initial = trained[0].history[0].initial_firing
    assert initial is not None
    return [float(level) for level in np.sort(initial)[::-1]]


# Measures over the values of a scene with ``over``.


def _over(score: int, summary: Callable[[Floats], Any]) -> Callable[..., Value]:
    def measured(outcome: OutcomeMeasure, trained: Sequence[Trained], prediction: Prediction | None) -> Value:
        scores = trained[0].scores or {}
        return [float(summary(np.array([seed[score] for seed in seeds]))) for seeds in scores.values()]

    return measured


# Regions: rasters over two features, between the least and the greatest value of the training rows.


def raster(trained: Trained, prediction: Prediction) -> "pd.DataFrame":
    """The middles of the cells as rows, row by row from the lowest second feature; other features have their median or mode."""
    import pandas as pd

    dataset = scene_dataset(trained.scene)
    X = dataset.X.iloc[dataset.split(trained.scene.test_size, trained.scene.config.seed).train]
    typical = {name: X[name].median() if pd.api.types.is_numeric_dtype(X[name]) else X[name].mode()[0] for name in X.columns}
    assert prediction.features is not None
    across, up = (_middles(X[name], prediction.grid) for name in prediction.features)
    rows = pd.DataFrame({name: [value] * prediction.grid**2 for name, value in typical.items()})
    rows[prediction.features[0]] = np.tile(across, prediction.grid)
    rows[prediction.features[1]] = np.repeat(up, prediction.grid)
    return rows[list(X.columns)]


def _middles(values: "pd.Series", cells: int) -> Floats:
    low, high = float(values.min()), float(values.max())
    return low + (np.arange(cells) + 0.5) / cells * (high - low)


def _strongest_rule(outcome: OutcomeMeasure, trained: Sequence[Trained], prediction: Prediction | None) -> Value:
    """Where this rule has the largest firing level."""
    assert prediction is not None
    levels = trained[0].model.firing_levels(raster(trained[0], prediction))  # (cells, R)
    return [float(strongest == outcome.rule - 1) for strongest in levels.argmax(1)]


def _predicted_class(outcome: OutcomeMeasure, trained: Sequence[Trained], prediction: Prediction | None) -> Value:
    """Where the model predicts this class."""
    assert prediction is not None
    predicted = trained[0].model.predict(raster(trained[0], prediction))
    return [float(str(label) == outcome.class_name) for label in predicted]


# Single numbers.


def _constant(number: Callable[[Trained], float]) -> Callable[..., Value]:
    return lambda outcome, trained, prediction: float(number(trained[0]))


def _strongest_agrees(outcome: OutcomeMeasure, trained: Sequence[Trained], prediction: Prediction | None) -> Value:
    """Share of the test rows for which the class of the strongest rule is the one that the model predicts; for each scene."""
    shares = [_agreement(one) for one in trained]
    return shares if len(shares) > 1 or prediction is not None else shares[0]


def _agreement(trained: Trained) -> float:
    scene = trained.scene
    dataset = scene_dataset(scene)
    test = dataset.split(scene.test_size, scene.config.seed).test
    book = trained.model.rules(X=dataset.X.iloc[test], y=np.asarray(dataset.y)[test])
    return next(float(reading.fidelity) for reading in book.readings if reading.name == "strongest")


def _one_of(measure: Callable[..., Value]) -> Callable[..., Value]:
    """The value of a list at a place, from 1, which the outcome gives as its epoch."""

    def measured(outcome: OutcomeMeasure, trained: Sequence[Trained], prediction: Prediction | None) -> Value:
        values = measure(outcome, trained, prediction)
        assert isinstance(values, list)
        return values[(outcome.epoch or len(values)) - 1]

    return measured


OUTCOMES: dict[str, Callable[[OutcomeMeasure, Sequence[Trained], Prediction | None], Value]] = {
    "firing": _sorted_firing,
    "initial_firing": _initial_firing,
    **{name: _by_epoch(name) for name in _OF_EPOCH},
    "rca_over": _over(0, np.mean),
    "bca_over": _over(1, np.mean),
    "rca_over_sd": _over(0, lambda scores: scores.std(ddof=1) if len(scores) > 1 else 0.0),
    "bca_over_sd": _over(1, lambda scores: scores.std(ddof=1) if len(scores) > 1 else 0.0),
    "rca_at": _one_of(_over(0, np.mean)),
    "rca_sd_at": _one_of(_over(0, lambda scores: scores.std(ddof=1) if len(scores) > 1 else 0.0)),
    "strongest_agrees": _strongest_agrees,
    "strongest_rule": _strongest_rule,
    "predicted_class": _predicted_class,
    "equal_share": _constant(lambda one: 1 / one.scene.config.n_rules),
    "rules": _constant(lambda one: one.scene.config.n_rules),
    "ur_weight": _constant(lambda one: one.scene.config.ur_weight),
    "classes": _constant(lambda one: len(set(scene_dataset(one.scene).y))),
    "features": _constant(lambda one: scene_dataset(one.scene).X.shape[1]),
}


# misfit: whether what is measured has the shape of what is predicted, before anything is trained.


_BY_RULE = ("firing", "initial_firing")
_REGIONS = ("strongest_rule", "predicted_class")
_OVER = ("rca_over", "bca_over", "rca_over_sd", "bca_over_sd")  # a number for each value of a scene with ``over``
_AT = ("rca_at", "rca_sd_at")  # one of these numbers
_CONSTANTS = ("equal_share", "rules", "ur_weight", "classes", "features")
_ONCE = ("strongest_agrees",)  # known at the end alone
_BEFORE_FIRST = "'{}' is not known before training; its epochs begin with 1, not 0."


def misfit(outcome: OutcomeMeasure, scenes: Sequence[Scene], kind: str = "", labels: Sequence[str] = ()) -> str:
    """What is wrong with an outcome, as the end of a sentence; "" where nothing is.

    scenes: those of the outcome. kind, labels: of the prediction that it is compared with; none for a number of a formula.
    """
    name, over = outcome.measure, scenes[0].over
    if any((scene.over is not None) != (name in (*_OVER, *_AT)) for scene in scenes if name not in _CONSTANTS):
        return f"'{name}' does not fit a scene {'without' if name in (*_OVER, *_AT) else 'with'} 'over'."
    if name in _AT and over and not 1 <= (outcome.epoch or len(over[1])) <= len(over[1]):
        return f"'{name}' has an 'epoch' from 1 to {len(over[1])} here, the position of a value of 'over'."
    if outcome.epoch == 0 and name not in (*BEFORE, *_AT):
        return _BEFORE_FIRST.format(name)
    return _drawn(name, scenes, kind, labels) if kind else _number(name, scenes)


def _number(name: str, scenes: Sequence[Scene]) -> str:
    if name in (*_BY_RULE, *_REGIONS, *_OVER):
        return f"'{name}' is a list of numbers; a formula needs one number."
    return "a number in a formula is taken from one scene." if len(scenes) > 1 else ""


def _drawn(name: str, scenes: Sequence[Scene], kind: str, labels: Sequence[str]) -> str:
    if (kind == "region") != (name in _REGIONS):
        return f"'{name}' does not fit a prediction of the kind '{kind}'."
    if name in (*_AT, *_CONSTANTS):
        return f"'{name}' is one number, for formulas; a prediction of the kind '{kind}' needs one for each label."
    if len(scenes) > 1 and name in (*_BY_RULE, *_REGIONS, *_OVER):
        return f"'{name}' takes one scene only."
    if kind == "region":
        return ""
    if len(scenes) == 1 and name not in (*_BY_RULE, *_OVER, *_ONCE):
        return _epochs(name, kind, labels)
    size = _size(name, scenes)
    return "" if size == len(labels) else f"'{name}' has {size} values here, for {len(labels)} labels."


def _size(name: str, scenes: Sequence[Scene]) -> int:
    """How many values a measure has that is none of one scene by epochs."""
    if name in _BY_RULE:
        return scenes[0].config.n_rules
    over = scenes[0].over
    return len(over[1]) if over else len(scenes)


def _epochs(name: str, kind: str, labels: Sequence[str]) -> str:
    if kind != "curve":
        return f"'{name}' of one scene is a curve over epochs; for '{kind}', name a scene for each label."
    wrong = next((label for label in labels if not label.isdecimal()), None)
    if wrong is not None:
        return f"labels of '{name}' of one scene are epochs; '{wrong}' is not one."
    return _BEFORE_FIRST.format(name) if name not in BEFORE and any(int(label) == 0 for label in labels) else ""

"""A learner's prediction: how the browser lets them draw it, its outline on charts, and how far it was from the outcome."""

from typing import Any

import numpy as np

from tsk_core.classroom import summary
from tsk_core.lessons import Lesson, Prediction, distance
from tsk_core.numbers import counted
from ui.learn import membership
from ui.learn.navigation import pressed
from ui.learn.scenes import training, truth_of

MOST_POINTS = 300  # of the training rows that a region is painted over
CLOSE, NEAR = 0.05, 0.15  # shares of the range


def predict_data(lesson: Lesson) -> dict[str, Any]:
    """What the view "predict" needs, JSON-ready."""
    said, value = lesson.predict, membership.answer_of(lesson.name, "predict")
    return {
        "id": lesson.name, "kind": said.kind, "options": [option.text for option in said.options], "labels": list(said.labels),
        "x": said.x, "y": said.y, "low": said.low, "high": said.high, "start": said.start and list(said.start),
        "line": said.line and {"at": said.line[0], "text": said.line[1]},
        "grid": said.grid, "features": list(said.features or ()), **(_plane(lesson) if said.kind == "region" else {}),
        "value": value, "locked": value is not None,
    }  # fmt: skip


def lock(lesson: Lesson, sent: Any) -> None:
    """Keep what the browser sent as the prediction; anything that is none is ignored. A callback."""
    value = _checked(lesson.predict, sent.get("value") if isinstance(sent, dict) else None)
    if value is not None:
        pressed()
        membership.lock_answer(lesson.name, "predict", value)


def outline(lesson: Lesson) -> dict[str, Any] | None:
    """The locked prediction as charts draw it, with that of the class; None without one, and where it was a choice."""
    said, value = lesson.predict, membership.answer_of(lesson.name, "predict")
    if said.outcome is None or (value is None and not membership.answers_of_class(lesson.name, "predict")):
        return None
    of_class = membership.answers_of_class(lesson.name, "predict")
    raster = (
        {"grid": said.grid, "features": list(said.features or ()), "ranges": _plane(lesson)["ranges"]}
        if said.kind == "region"
        else {}
    )
    return {
        "kind": said.kind, "measure": said.outcome.measure, "labels": list(said.labels), "values": value or [],
        "label": "your prediction", "class": _of_class(said, of_class),
        **raster,
    }  # fmt: skip


def verdict(lesson: Lesson) -> str:
    """How far the prediction was from the outcome, in plain text; "" without one, or while the scenes train."""
    said, value = lesson.predict, membership.answer_of(lesson.name, "predict")
    if value is None:
        return ""
    if said.kind == "choice":
        return _of_choice(said, round(value[0]))
    truth = truth_of(lesson)
    return "" if truth is None else _of_numbers(said, value, truth)


def _of_choice(said: Prediction, chosen: int) -> str:
    option, right = said.options[chosen], next(option for option in said.options if option.right)
    answer = "That is what happens." if option.right else f"What happens: “{right.text}”."
    return " ".join(filter(None, (f"You chose “{option.text}”.", answer, option.why)))


def _of_numbers(said: Prediction, value: list[float], truth: list[float]) -> str:
    off = distance(said, value, truth)
    if said.kind == "region":
        return f"Your region and the real one share {1 - off:.0%} of the area that either of them covers."
    word = "Close" if off <= CLOSE else "Not far" if off <= NEAR else "Far off"
    misses = [abs(mine - real) for mine, real in zip(value, truth, strict=True)]
    worst = misses.index(max(misses))
    mean = _number(said, off * (said.high - said.low))
    # On the axis there are the numbers of rules, whose order is that of the bars.
    where = f"bar {worst + 1} from the left" if said.kind == "bars" and said.labels[worst][0].isdigit() else said.labels[worst]
    largest = f"at {where} you drew {_number(said, value[worst])}, and it is {_number(said, truth[worst])}"
    return f"{word}: your prediction is off by {mean} on average. The largest miss: {largest}."


def _number(said: Prediction, value: float) -> str:
    """With digits that fit the range."""
    return f"{value:.2f}" if said.high - said.low <= 5 else f"{value:.3g}"


def _checked(said: Prediction, value: Any) -> list[float] | None:
    """The numbers of a prediction; None for anything else. Numbers beyond the range are moved to its ends."""
    numbers = isinstance(value, list) and all(isinstance(one, int | float) and np.isfinite(one) for one in value)
    if not numbers or len(value) != said.size:
        return None
    low, high = {"choice": (0, len(said.options) - 1), "region": (0, 1)}.get(said.kind, (said.low, said.high))
    return [float(min(max(one, low), high)) for one in value]


def _of_class(said: Prediction, values: list[list[float]]) -> dict[str, Any] | None:
    """The predictions of a class, place by place: median and band, or of a region the share of each cell."""
    found = summary(said.kind, values, said.size, said.low, said.high)
    if not found.n:
        return None
    label = f"class, {counted(found.n, 'prediction')}"
    return {
        "label": label, "median": list(found.median), "low": list(found.low), "high": list(found.high),
        "share": list(found.share),
    }  # fmt: skip


def _plane(lesson: Lesson) -> dict[str, Any]:
    """What lies below a region: the training rows on its two features, and their ranges."""
    one = training(lesson, lesson.predict.screen.scene)
    dataset, scene = one.dataset, one.scene
    train = dataset.split(scene.test_size, scene.config.seed).train
    values = dataset.X.iloc[train][list(lesson.predict.features or ())].to_numpy(float)
    classes = sorted({str(name) for name in dataset.y[train]})
    labels = [classes.index(str(name)) for name in dataset.y[train]]
    ranges = [[float(low), float(high)] for low, high in zip(values.min(0), values.max(0), strict=True)]
    points = [{"x": float(x), "y": float(y), "c": c} for (x, y), c in zip(values, labels, strict=True)]
    return {"ranges": ranges, "points": points[:MOST_POINTS], "classes": classes}

"""Lesson: seven screens over a few trainings, as values."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tsk_core.config import TrainConfig

SCREENS = ("question", "play", "predict", "run", "see", "formula", "break")  # of a lesson, in their order
CHARTS = (  # that a screen can show
    "loss", "accuracy", "gradients", "firing", "heat", "entropy", "confusion",  # of a training by epoch, as on Explore
    "plane",  # predicted classes and rules on two features
    "hill",  # the firing level of one rule on two features, with its memberships
    "shares",  # the largest firing level by epoch
    "grid",  # a readable rule base: rules × features
    "sweep",  # the scores of a scene with ``over``
    "across",  # one measure at the end of several scenes
)  # fmt: skip


@dataclass(frozen=True)
class Scene:
    """One training of a lesson; with ``over``, one for each of its values and each seed.

    title: what charts call it, such as "λ = 10". data: a dataset of the gallery that needs no internet. config: its settings, the
    seed included. test_size: share of test rows. columns: the features that are used, None for all.
    over: name of a setting of TrainConfig, and its values. seeds: how many, from 0 on; 1 without ``over``.
    """

    name: str
    title: str
    data: str
    config: TrainConfig
    test_size: float = 0.3
    columns: tuple[str, ...] | None = None
    over: tuple[str, tuple[float, ...]] | None = None
    seeds: int = 1


@dataclass(frozen=True)
class OutcomeMeasure:
    """What is measured of trainings, see ``outcomes.OUTCOMES``.

    scenes: one, or one for each value of a curve. rule: from 1, class_name: where the measure is about one.
    epoch: None for the last.
    """

    measure: str
    scenes: tuple[str, ...]
    rule: int = 1
    class_name: str = ""
    epoch: int | None = None


@dataclass(frozen=True)
class Option:
    """One answer to choose. why: what is said of it once it was chosen."""

    text: str
    right: bool = False
    why: str = ""


@dataclass(frozen=True)
class Screen:
    """A text over charts. scene: the training that the charts show. beside: the one to compare it with. epoch: None for the last.

    rule: that the chart "hill" shows, from 1.
    """

    text: str
    charts: tuple[str, ...] = ()
    scene: str = ""
    beside: str = ""
    epoch: int | None = None
    rule: int = 1


@dataclass(frozen=True)
class Play:
    """Free play with one control. setting: its field of TrainConfig, "rule" for the rule that a hill shows, or "epoch".

    scenes: name of the scene for each value; empty where no value needs a training of its own.
    """

    screen: Screen
    label: str
    setting: str
    values: tuple[float | str, ...]
    scenes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Prediction:
    """What the learner draws or chooses, and locks.

    kind: "choice" (one of ``options``); "bars" (a height for each of ``labels``, dragged); "curve" (the same as a line); "region"
    (cells of a ``grid`` × ``grid`` raster over the two ``features`` of the scene, painted).
    x, y: titles of the axes. low, high: the range of values. start: where the bars stand at first, None for the middle.
    line: a height with its name, drawn across, such as 1/R. outcome: what it is compared with; None for a choice.
    screen: the text, and the charts shown beside it.
    """

    screen: Screen
    kind: str
    options: tuple[Option, ...] = ()
    labels: tuple[str, ...] = ()
    x: str = ""
    y: str = ""
    low: float = 0.0
    high: float = 1.0
    start: tuple[float, ...] | None = None
    line: tuple[float, str] | None = None
    features: tuple[str, str] | None = None
    grid: int = 12
    outcome: OutcomeMeasure | None = None

    @property
    def size(self) -> int:
        """How many numbers a prediction has; of a choice, 1: the number of its option, from 0."""
        return {"choice": 1, "region": self.grid**2}.get(self.kind, len(self.labels))


@dataclass(frozen=True)
class See:
    """What did you see: one item. screen: the question, over the charts of the run."""

    screen: Screen
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Formula:
    """One formula. latex and its text have ``[[name]]`` or ``[[name:.3f]]`` for each of ``numbers``, measured of the scenes."""

    screen: Screen
    latex: str
    numbers: dict[str, OutcomeMeasure] = field(default_factory=dict)


@dataclass(frozen=True)
class Trial:
    """A setting to try in Explore. settings: what differs from the scene's, by the fields of TrainConfig. tab: to look at."""

    label: str
    scene: str
    settings: dict[str, Any] = field(default_factory=dict)
    tab: str = "Training"


@dataclass(frozen=True)
class Break:
    """Break it, or use your own table."""

    screen: Screen
    trials: tuple[Trial, ...] = ()


@dataclass(frozen=True)
class Lesson:
    """One lesson. name: in links. sentence: what it is about. minutes: that it takes. notes: for the teacher, a line each."""

    name: str
    title: str
    sentence: str
    minutes: int
    scenes: dict[str, Scene]
    question: Screen
    play: Play
    predict: Prediction
    run: Screen
    see: See
    formula: Formula
    break_: Break
    notes: tuple[str, ...] = ()


_PLACE = re.compile(r"\[\[(\w+)(?::(\.\d+[f%e]))?\]\]")


def placeholders(text: str) -> list[str]:
    """The names of the numbers that a text asks for."""
    return [match[1] for match in _PLACE.finditer(text)]


def filled(text: str, numbers: Mapping[str, float]) -> str:
    """A text with its numbers, each in its format, by default with three significant digits."""
    return _PLACE.sub(lambda match: format(numbers[match[1]], match[2] or ".3g"), text)

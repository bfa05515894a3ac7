"""A scene's training as ``tsk_core.lessons.outcomes`` measures it."""

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping

from tsk_core.lessons import Lesson, OutcomeMeasure, Prediction, Trained, outcome_of
from ui.learn.scenes import SceneTraining, training
from ui.platform.page_lock import YieldingLock, release_page_lock

OutcomeValue = float | list[float]
KEPT = 500  # measured values that the server remembers
_known: OrderedDict[Hashable, OutcomeValue] = OrderedDict()
_measuring = YieldingLock()


def all_ended(lesson: Lesson, scenes: Iterable[str]) -> bool:
    """Whether these scenes are trained to their end."""
    return all(training(lesson, name).ended for name in scenes)


def measured(lesson: Lesson, outcome: OutcomeMeasure, prediction: Prediction | None = None) -> OutcomeValue | None:
    """What the outcome turned out to be; None while one of its scenes trains. Measured once for all sessions."""
    trainings = {name: training(lesson, name) for name in outcome.scenes}
    if not all(one.ended for one in trainings.values()):
        return None
    key = tuple(one.status.run for one in trainings.values()), repr(outcome), repr(prediction)
    if (known := _known.get(key)) is not None:
        return known
    with _measuring:
        if (known := _known.get(key)) is not None:  # another session measured it meanwhile
            return known
        release_page_lock()  # a region is predicted cell by cell, rules are counted on all rows
        value = outcome_of(outcome, {name: _trained(one) for name, one in trainings.items()}, prediction)
        _known[key] = value
        while len(_known) > KEPT:
            _known.popitem(last=False)
    return value


def numbers_of(lesson: Lesson, outcomes: Mapping[str, OutcomeMeasure]) -> dict[str, float] | None:
    """The numbers of a formula; None while one of its scenes trains."""
    found = {name: measured(lesson, outcome) for name, outcome in outcomes.items()}
    if any(value is None for value in found.values()):
        return None
    return {name: float(value[0] if isinstance(value, list) else value) for name, value in found.items()}


def _trained(one: SceneTraining) -> Trained:
    if one.run is None:
        return Trained(one.scene, (), scores=scores_by_value(one))
    return Trained(one.scene, one.run.history, one.run.result.classifier)


def scores_by_value(one: SceneTraining) -> dict[float, list[tuple[float, float]]]:
    """Value of a sweep -> RCA and BCA of each seed, in the order of the seeds."""
    ((_, values), variants) = one.scene.over, one.plan.variants
    by_variant: dict[int, list[tuple[float, float]]] = {at: [] for at in range(len(variants))}
    for _, point in sorted(one.collected.points.items()):
        by_variant[point["variant"]].append(tuple(point["scores"]["last"]))
    return dict(zip(sorted(values), by_variant.values(), strict=True))

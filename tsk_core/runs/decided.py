"""What a decision with costs does to the test rows of a run, from the predictions that the run kept."""

from tsk_core.evaluate.decision import Decision, Effect, effect_of
from tsk_core.evaluate.units import kept_units
from tsk_core.runs.folder import RunFolder

__all__ = ["decision_effect"]


def decision_effect(run: RunFolder, decision: Decision, seed: int, predicted_from: float = 0.5) -> Effect | None:
    """None for a run without test rows, and for one that kept no probabilities of them. seed: of the resamples, the training's.
    predicted_from: as for ``effect_of``.

    RunError where a run did not keep its predictions (yet); SettingError where the decision is not between its classes.
    """
    kept = run.predictions()
    if not len(kept.true) or not kept.probabilities.shape[1]:
        return None
    true, predicted = kept.true.astype(int), kept.predicted.astype(int)
    classes, units = run.metrics()["classes"], kept_units(kept.units)
    return effect_of(decision, classes, true, predicted, kept.probabilities, units, seed, predicted_from)

"""misfit: whether what is measured has the shape of what is predicted, before anything is trained."""

from collections.abc import Sequence

from tsk_core.lessons.lesson import OutcomeMeasure, Scene
from tsk_core.lessons.outcomes import BEFORE

__all__ = ["misfit"]

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

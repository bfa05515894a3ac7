"""What the page says about tuning; plain text, which its reader escapes."""

from collections.abc import Mapping
from typing import Any

from tsk_core.config import default_of
from tsk_core.jobs import Status
from ui.runs.side_tasks import queued

__all__ = ["best_text", "ended_text", "honest_text", "in_the_end", "score_text", "settings_text", "split_text", "standing"]

_Trial = Mapping[str, Any]  # as of ``tsk_core.tuning.trial.Trial.to_dict``


def settings_text(settings: Mapping[str, Any]) -> str:
    """The settings that tuning varies, as "scaled, R 8, κ 0.01, α 0.001, balanced class weights, 80 epochs"."""
    numbers = {"R": "n_rules", "κ": "shrinkage", "α": "l2"}
    if settings["learning_rate"] != default_of("learning_rate"):
        numbers["η"] = "learning_rate"
    weights = {None: "equal class weights", "balanced": "balanced class weights"}
    weight = settings["class_weight"]
    weight = "given class weights" if isinstance(weight, Mapping) else weights[weight]
    parts = [f"{symbol} {settings[name]:.3g}" for symbol, name in numbers.items()]
    optimizer = [] if settings["optimizer"] == default_of("optimizer") else [settings["optimizer"].capitalize()]
    return ", ".join([settings["firing"], *parts, *optimizer, weight, f"{settings['max_epochs']} epochs"])


def score_text(trial: _Trial) -> str:
    """As "BCA 0.780 (SD 0.030 over 5 folds)"."""
    folds = trial["validations"]
    over = f"SD {trial['sd']:.3f} over {folds} folds" if trial["sd"] is not None else "one fold"
    return f"BCA {trial['score']:.3f} ({over})"


def best_text(trial: _Trial | None, own: _Trial | None) -> str:
    """The best candidate so far, and what the page's settings reach on the same folds."""
    if trial is None:
        return "No settings have a score yet."
    text = f"Best so far: {score_text(trial)}: {settings_text(trial['config'])}."
    if own is None or own["validations"] != trial["validations"] or own["number"] == trial["number"]:
        return text
    return f"{text} Your settings reach {own['score']:.3f}."


def standing(status: Status, seconds: float, tried: int, training: bool) -> str:
    """What tuning is doing. seconds: since it began. training: whether this browser has a run that trains."""
    if status.state == "queued":
        waits = " It begins when your training has ended." if training else ""
        return f"Tuning: {queued(status)}.{waits}"
    left = status.max_epochs - seconds
    if not tried:
        return "Tuning: starting…"
    if left < 1:
        return f"{_combinations(tried)} tried; training the best on all training rows and testing it…"
    return f"Tuning: about {left:.0f} of {status.max_epochs} s left, {_combinations(tried)} tried…"


def ended_text(trial: _Trial, metrics: Mapping[str, Any]) -> str:
    """What was found, and its test scores where it has them."""
    text = f"Found: {settings_text(trial['config'])}."
    if metrics.get("bca") is None:
        return f"{text} Tuning was stopped, so they were not tested on the test rows."
    return f"{text} On the test rows: BCA {metrics['bca']:.3f}, RCA {metrics['rca']:.3f}."


def honest_text(trial: _Trial, own: _Trial | None, tried: int) -> str:
    """What the score of the best candidate means."""
    text = (
        f"In tuning: {score_text(trial)}. This is the mean over the folds of the training rows; as the best of"
        f" {_combinations(tried)} it is a little too good. Tuning did not see the test rows."
    )
    if own is None:
        return text
    if own["number"] == trial["number"]:
        return f"{text} None did better than the settings on the page when it began, here with the best number of epochs."
    return f"{text} The settings on the page when it began: {score_text(own)}."


def split_text(seed: tuple[int, int], test_size: tuple[float, float]) -> str:
    """Where the split has changed since tuning: what that means. Each: of the tuning, of the page; else ""."""
    changes = [f"seed {seed[0]} → {seed[1]}"] if seed[0] != seed[1] else []
    changes += [f"test share {test_size[0]:g} → {test_size[1]:g}"] if test_size[0] != test_size[1] else []
    if not changes:
        return ""
    return f"The split has changed since tuning ({', '.join(changes)}): it saw some of the rows that are now test rows."


def in_the_end(state: str) -> str:
    """A candidate's state once tuning has ended."""
    return "finished" if state == "training" else state


def _combinations(number: int) -> str:
    return "1 combination of settings" if number == 1 else f"{number} combinations of settings"

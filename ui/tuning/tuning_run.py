"""A tuning as the page has it: started, found again by its table, and as a message to the browser."""

import time
from collections.abc import Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from tsk_core.config import TrainConfig, default_of
from tsk_core.data import Dataset
from tsk_core.errors import RunError
from tsk_core.evaluate import BASELINES, SCORINGS
from tsk_core.jobs import Status
from tsk_core.numbers import counted, minus
from tsk_core.runs import Search, same_dataset, score_columns
from tsk_core.tasks import TRIALS, Tuning
from tsk_core.tuning import SizePoint, Trial, curve, most_accurate, shortest
from ui.live.subjects import SLOW, Subject
from ui.platform.caches import table_key
from ui.platform.engine import get_engine
from ui.platform.session import Key
from ui.platform.visitor import owner
from ui.runs import side_tasks
from ui.runs.score_texts import baselines_effort
from ui.runs.side_tasks import queued

TUNING_CHOSEN = Key[dict[str, int]]("tuning_chosen", make=dict)  # run -> number of the rule base that was clicked
TUNING_OPEN = Key[bool]("tuning_open", default=False)
TUNINGS = Key[dict[Hashable, "str | None"]]("tunings", make=dict)  # dataset -> its run
TUNING_LINKED = Key["str | None"]("tuning_linked")  # the run that a link names, until its dataset is shown


# What the page says about tuning; plain text, which its reader escapes.


_WEIGHTS = {None: "equal class weights", "balanced": "balanced class weights"}


def settings_text(config: TrainConfig) -> str:
    """The settings that tuning varies, as "scaled, R 8, κ 0.01, α 0.001, balanced class weights, 80 epochs".

    Of a readable rule base as "R 8, k 3, λ 0.6, ρ 0.1, ζ 0.05, balanced class weights, 80 epochs".
    """
    if config.max_conditions:
        numbers, names = {"R": "n_rules", "k": "max_conditions", "λ": "ur_weight", "ρ": "sharpness", "ζ": "covering"}, []
    else:
        numbers, names = {"R": "n_rules", "κ": "shrinkage", "α": "l2"}, [config.firing]
    start = "readable" if config.max_conditions else "recommended"
    if config.learning_rate != default_of("learning_rate", start):
        numbers["η"] = "learning_rate"
    parts = [f"{symbol} {getattr(config, name):.3g}" for symbol, name in numbers.items()]
    if config.optimizer != default_of("optimizer", start):
        parts.append(config.optimizer.capitalize())
    if config.n_trainings > 1:
        parts[0] += f" in {config.n_trainings} trainings"
    weight = "given class weights" if isinstance(config.class_weight, Mapping) else _WEIGHTS[config.class_weight]
    return ", ".join([*names, *parts, weight, f"{config.max_epochs} epochs"])


def title_of(trial: Trial) -> str:
    """What its score is, as "BCA"."""
    return SCORINGS[trial.scoring].title


def score_text(trial: Trial) -> str:
    """As "BCA 0.780 (SD 0.030 over 5 folds)"."""
    over = f"SD {trial.sd:.3f} over {trial.validations} folds" if trial.sd is not None else "one fold"
    return f"{title_of(trial)} {_number(trial.score)} ({over})"


def best_text(trial: Trial | None, own: Trial | None) -> str:
    """The best candidate so far, and what the page's settings reach on the same folds."""
    if trial is None:
        return "No settings have a score yet."
    text = f"Best so far: {score_text(trial)}: {_size(trial)}{settings_text(trial.config)}."
    if own is None or own.validations != trial.validations or own.number == trial.number:
        return text
    return f"{text} Your settings reach {_number(own.score)}."


def standing(status: Status, seconds: float, tried: int, training: bool) -> str:
    """What tuning is doing. seconds: since it began. training: whether this browser has a run that trains."""
    if status.state == "queued":
        waits = " It begins when your training has ended." if training else ""
        return f"Tuning: {queued(status)}.{waits}"
    left = status.max_epochs - seconds
    if not tried:
        if left >= 0:
            return "Tuning: starting…"
        # The search waits for its first score, however late that is.
        why = "this machine is busy or the table is large"
        return f"Tuning: no settings have a score after {seconds:.0f} s, since {why}; waiting for the first score…"
    if left < 1:
        return f"{_combinations(tried)} tried; training and testing the best, then tuning the baselines for as long…"
    return f"Tuning: about {left:.0f} of {status.max_epochs} s left, {_combinations(tried)} tried…"


def ended_text(trial: Trial, metrics: Mapping[str, Any], status: Status) -> str:
    """What was found, and its test scores where it has them; else why it has none."""
    text = f"Found: {_size(trial)}{settings_text(trial.config)}."
    if metrics.get("bca") is None:
        why = {"failed": "Tuning failed", "interrupted": "Tuning was interrupted"}.get(status.state, "Tuning was stopped")
        reason = f" {status.message}" if status.message and status.state != "stopped" else ""
        return f"{text} {why}, so they were not tested on the test rows.{reason}"
    column = _measured_by(trial, metrics)
    names = dict.fromkeys((column, "bca", "rca"))  # what was maximised first
    titles = {key: title for title, key in score_columns(metrics).items()}
    listed = ", ".join(f"{titles[key]} {_number(metrics[key])}" for key in names if metrics.get(key) is not None)
    text = f"{text} On the test rows: {listed}."
    known = {key: scores.get(column) for key, scores in metrics["baselines"].items() if key in metrics["baselines_tuned"]}
    others = {key: score for key, score in known.items() if score is not None}
    if not others:
        return text
    listed = ", ".join(f"{BASELINES[key]} {_number(score)}" for key, score in others.items())
    title = titles[column][0].upper() + titles[column][1:]
    return f"{text} {title} of baselines, {baselines_effort(metrics)}: {listed}."


def chosen_text(trial: Trial) -> str:
    """The rule base of the curve that was clicked."""
    text = f"Chosen: {_size(trial)}{settings_text(trial.config)}. In tuning: {score_text(trial)}."
    return f"{text} It was not tested on the test rows: train it to see."


def honest_text(trial: Trial, own: Trial | None, tried: int, shortest: bool = False) -> str:
    """What the score of the best candidate means. shortest: whether it is the shortest of those that are nearly the best."""
    size = (
        " Of all sizes it is the shortest within one standard error of the best, by the score less what the text lacks to be the"
        " model."
        if shortest
        else ""
    )
    text = (
        f"In tuning: {score_text(trial)}. This is the mean over the folds of the training rows; as the best of"
        f" {_combinations(tried)} it is optimistic.{size} Tuning did not see the test rows."
    )
    several = trial.config.n_parts > 1 and not trial.config.max_conditions
    if several:
        text += " Several trainings are chosen unless their mean score is more than one standard error below the best one."
    if own is None:
        return text
    if own.number == trial.number and several:
        return f"{text} These are the settings on the page when tuning began, here with the best number of epochs."
    if own.number == trial.number:
        better = "None did better than the settings on the page when tuning began"
        return f"{text} {better}, here with the number of epochs that did best."
    return f"{text} The settings on the page when tuning began: {score_text(own)}."


def split_text(seed: tuple[int | None, int | None], test_size: tuple[float, float]) -> str:
    """Where the split has changed since tuning: what that means. Each: of the tuning, of the page; else ""."""
    changes = [f"seed {seed[0]} → {seed[1]}"] if seed[0] != seed[1] else []
    changes += [f"test share {test_size[0]:g} → {test_size[1]:g}"] if test_size[0] != test_size[1] else []
    if not changes:
        return ""
    return f"The split has changed since tuning ({', '.join(changes)}): tuning saw some of the rows that are now test rows."


def in_the_end(state: str) -> str:
    """A candidate's state once tuning has ended."""
    return "finished" if state == "training" else state


def _measured_by(trial: Trial, metrics: Mapping[str, Any]) -> str:
    """The key, in the numbers of a run, of the score that was maximised; BCA's where they lack it."""
    column = score_columns(metrics).get(title_of(trial), "bca")
    return column if metrics.get(column) is not None else "bca"


def _number(value: float) -> str:
    """Three digits, and a minus sign where a score may be negative."""
    return minus(f"{value:.3f}")


def _combinations(number: int) -> str:
    return f"{counted(number, 'combination')} of settings"


def _size(trial: Trial) -> str:
    """Of a readable rule base, as "4 rules with about 12 conditions: ", since it has others on each fold; else ""."""
    if trial.conditions is None:
        return ""
    rules, conditions = trial.config.n_rules, trial.conditions
    return f"{counted(rules, 'rule')} with about {counted(conditions, 'condition')}: "


KIND = Tuning.kind


@dataclass(frozen=True)
class TuningRun:
    """What is known of a tuning now.

    status: its epochs are seconds. trials: what is known of each candidate, those validated on the most folds first, of these
    that of the best score. metrics: its numbers at the end, see ``Tuning.run``; empty before, and where it left none.
    """

    status: Status
    trials: list[Trial]
    metrics: dict[str, Any]

    @classmethod
    def load(cls, status: Status) -> "TuningRun":
        """A tuning that stands so: its status is older than its records, so one that ended has them all."""
        engine, metrics = get_engine(), {}
        if status.ended:
            with suppress(RunError):  # it ended before any candidate had a score
                metrics = engine.store.open(status.run).metrics()
        lines = metrics.get("trials") or {line["number"]: line for line in engine.records(status.run, TRIALS)}.values()
        return cls(status, sorted(map(Trial.from_dict, lines), key=lambda trial: (-trial.validations, *trial.rank)), metrics)

    def split(self) -> tuple[int | None, float]:
        """Seed and share of the test rows, which it did not see."""
        folder = get_engine().store.open(self.status.run)
        return folder.config().random_state, folder.about()["test_size"]

    @property
    def owned(self) -> bool:
        """Whether this browser started the tuning, and so may stop it."""
        return get_engine().store.record(self.status.run).owner == owner()

    @property
    def readable(self) -> bool:
        """Whether it looks for a readable rule base: all its candidates are readable ones."""
        return bool(self.trials) and all(trial.conditions is not None for trial in self.trials)

    @property
    def compared(self) -> list[Trial]:
        """The candidates validated on the most folds."""
        return [trial for trial in self.trials if trial.validations == self.trials[0].validations]

    @property
    def best(self) -> Trial | None:
        """What ``Tuner`` takes of them, and has taken in the end."""
        if not self.trials:
            return None
        for trial in self.trials:
            if trial.config.to_dict() == self.metrics.get("best"):
                return trial
        return (shortest if self.readable else most_accurate)(self.compared)

    @property
    def chosen(self) -> Trial | None:
        """The candidate of the curve that was clicked, or else the best."""
        number = TUNING_CHOSEN.get().get(self.status.run)
        return next((trial for trial in self.trials if trial.number == number), self.best)

    @property
    def took_shortest(self) -> bool:
        """Whether the best is the shortest readable rule base within one standard error."""
        return self.readable and self.best == shortest(self.compared)

    @property
    def curve(self) -> list[SizePoint]:
        """The rule bases to choose from; none where it does not look for readable ones."""
        return curve(self.compared) if self.readable else []

    @property
    def own(self) -> Trial | None:
        """The candidate with the page's settings; None before it has a score, and where it takes no part."""
        return next((trial for trial in self.trials if trial.origin == "current"), None)

    def choose(self, number: int) -> None:
        """Take another rule base of the curve."""
        TUNING_CHOSEN.get()[self.status.run] = number

    @property
    def drawn(self) -> dict[str, Any]:
        """What the browser draws: the value "tuning".

        Whether the search ended, its trials, the best first, and the numbers of those on the curve of a readable rule base.
        """
        best = self.best
        trials = [best, *(trial for trial in self.trials if trial is not best)] if best else []
        return {
            "ended": self.status.ended, "trials": [self._line(trial) for trial in trials],
            "curve": [point.number for point in self.curve] if self.readable else None,
            "measure": title_of(best) if best else "",
        }  # fmt: skip

    def _line(self, trial: Trial) -> dict[str, Any]:
        names = "number", "score", "sd", "validations", "conditions", "agreement", "literal"
        return {name: getattr(trial, name) for name in names} | {
            "error": trial.standard_error, "rules": trial.config.n_rules, "most": trial.config.max_conditions,
            "state": in_the_end(trial.state) if self.status.ended else trial.state,
            "settings": settings_text(trial.config), "own": trial.origin == "current",
        }  # fmt: skip


class TuningSubject(Subject):
    """A tuning while it goes on and once it has ended. training: whether its page has a run that trains."""

    def __init__(self, run: str, training: bool) -> None:
        super().__init__()
        self._run, self._training = run, training
        self._clock = -1, 0.0  # seconds reported, when

    def look(self) -> float | None:
        """Say how far it is, the best so far, and what the chart shows."""
        engine = get_engine()
        engine.watch(self._run)
        tuning = TuningRun.load(engine.status(self._run))
        status, seconds = tuning.status, self._seconds(tuning.status)
        share = min(1.0, seconds / status.max_epochs) if status.max_epochs else 0.0
        text = standing(status, seconds, len(tuning.trials), self._training)
        best = {"text": best_text(tuning.best, tuning.own), "bold": False}
        self.stream.set("standing", {"share": share, "text": text, "lines": [best]}, self._run)
        self.stream.set("tuning", tuning.drawn)
        self.stream.set("state", {"ended": status.ended}, self._run)
        return None if status.ended else SLOW

    def _seconds(self, status: Status) -> float:
        """Seconds since tuning began: as last reported, and those since."""
        if status.state == "queued":
            return 0.0
        if self._clock[0] != status.epoch:
            self._clock = status.epoch, time.monotonic()
        return status.epoch + time.monotonic() - self._clock[1]


def start(
    config: TrainConfig, dataset: Dataset, budget: float, readable: bool, scoring: str, n_trainings: int, test_size: float
) -> None:
    """Queue a tuning of so many seconds on this table and show it. Raises TSKError if it is refused.

    readable: whether it looks for a readable rule base. scoring: what it maximises, a name of ``SCORINGS``. n_trainings: as for
    ``TSKClassifierCV``.
    """
    task = Tuning(config, dataset, budget, test_size, readable=readable, scoring=scoring, n_trainings=n_trainings)
    run = side_tasks.start(task, background=True)  # trainings, which somebody watches, go first
    TUNINGS.get()[table_key(dataset)] = run
    TUNING_OPEN.set(True)


def status_on(dataset: Dataset) -> Status | None:
    """Where the tuning stands that was last started here on this table, else the newest of this browser; None without one."""
    key, known, linked = table_key(dataset), TUNINGS.get(), TUNING_LINKED.get()
    if linked and _is_on(linked, dataset):
        known[key] = TUNING_LINKED.pop()
    if key not in known:
        known[key] = side_tasks.newest(KIND, dataset, lambda record: record.state in ("queued", "running", "finished", "stopped"))
        TUNING_OPEN.set((run := known[key]) is not None and not get_engine().status(run).ended)
    return side_tasks.status_of(known[key])


def search_behind(config: TrainConfig, dataset: Dataset, test_size: float) -> Search | None:
    """The tuning of this table that found these settings, whatever their seed; None where none did, or where it was stopped."""
    run = TUNINGS.get().get(table_key(dataset))
    status = side_tasks.status_of(run)
    if status is None or not status.ended:
        return None
    tuning = TuningRun.load(status)
    same = (trial for trial in tuning.trials if set(config.differing(trial.config)) <= {"random_state", "device"})
    if (found := tuning.metrics.get("search")) is None or (trial := next(same, None)) is None:
        return None
    measured = {name: getattr(trial, name) for name in ("validations", "score", "sd")}
    return replace(Search.from_dict(found), **measured, same_split=tuning.split() == (config.random_state, test_size))


def _is_on(run: str, dataset: Dataset) -> bool:
    with suppress(RunError):  # deleted meanwhile
        return same_dataset(dataset, get_engine().store.open(run).about()["dataset"])
    return False


def open_linked_tuning() -> None:
    """Show the tuning whose run the link names; it leaves the link, which is for runs with a model."""
    run = st.query_params.get("run")
    try:
        record = run and get_engine().store.record(run)
    except RunError:
        return  # the page says so where it opens the run
    if record and record.task == KIND:
        TUNING_LINKED.set(run)
        TUNING_OPEN.set(True)
        del st.query_params["run"]

"""What differs between two runs on the same data: settings and numbers, as lines of text."""

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.numbers import signed
from tsk_core.runs import PairedRuns
from tsk_core.setting_values import in_words
from tsk_core.settings import SETTINGS
from ui.runs.jitter import jitters, last_scores
from ui.runs.run_view import RunView

UNKNOWN = "–"


class Side(NamedTuple):
    """One of the two runs. history: its epochs so far. metrics: the numbers at its end, empty before."""

    config: TrainConfig
    test_size: float
    history: Sequence[Epoch]
    metrics: dict[str, Any]


def side_of(run: RunView) -> Side:
    """A run as one side of a table of differences."""
    return Side(run.config, run.test_size, run.history, run.metrics)


class Change(NamedTuple):
    """A setting that differs. short: its symbol, if it has one. old, new: as a person writes them.

    name: of its field in ``TrainConfig``; "" for the share of test rows.
    """

    label: str
    short: str
    old: str
    new: str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.short} {self.old} → {self.new}"


class Difference(NamedTuple):
    """A line of the table. verdict: such as "better, 95% interval +0.004 to +0.036"; "" for numbers without one."""

    what: str
    before: str
    now: str
    difference: str = ""
    verdict: str = ""


class _Measure(NamedTuple):
    """A number of a run. words: what a rise and a fall are called; empty where the sign says it all."""

    name: str
    form: str
    of: Callable[[Epoch, Side], float | None]
    words: tuple[str, str] = ("", "")


def changed_settings(before: Side, now: Side) -> list[Change]:
    """The settings in which two runs differ, the share of test rows first."""
    changes = []
    if before.test_size != now.test_size:
        changes.append(Change("Test share", "test share", in_words(before.test_size), in_words(now.test_size)))
    for name, setting in SETTINGS.items():
        old, new = before.config.shown(name), now.config.shown(name)
        if getattr(before.config, name) != getattr(now.config, name):
            changes.append(Change(setting.title, setting.symbol or setting.label, in_words(old), in_words(new), name))
    return changes


def differences(before: Side, now: Side, paired: PairedRuns | None = None) -> list[Difference]:
    """The table: settings that differ, then each number before, now, and by how much it rose or fell.

    paired: the test scores of both, compared row by row; without them, no score is called better.
    """
    lines = [Difference(change.label, change.old, change.new) for change in changed_settings(before, now)]
    known = numbers(before), numbers(now)
    same_rules = before.config.n_rules == now.config.n_rules
    for measure in _MEASURES:
        old, new = (side[measure.name] for side in known)
        if measure.name == "ECE" and (old is None or new is None):
            continue  # while it trains, and without test rows
        # An equal share is 1/R, so the shares of different numbers of rules cannot be compared.
        words = measure.words if same_rules or measure.name != LARGEST else ("", "")
        line = _line(measure._replace(words=words), old, new)
        if paired is not None and measure.name in _PAIRED:
            luck = jitters(before.history) or jitters(now.history)
            line = line._replace(verdict=_verdict(paired, _PAIRED[measure.name], luck))
        lines.append(line)
    return lines


def _verdict(paired: PairedRuns, score: str, luck: bool) -> str:
    """luck: whether the scores jitter, so that another last epoch could give another verdict."""
    if not paired.differing:
        return "on the same rows"
    _, low, high = paired.scores[score]
    interval = " to ".join(signed(bound, 3) for bound in (low, high))
    word = "of these two epochs" if luck else {1: "better", -1: "worse", 0: "no clear difference"}[paired.verdict(score)]
    return f"{word}, 95% interval {interval}"


def numbers(side: Side) -> dict[str, float | None]:
    """Each number of the table by its name; None if the run has none (yet). Shares and accuracies are in [0, 1]."""
    training = [epoch for epoch in side.history if epoch.stage == "training"]  # not those of early stopping's hold-outs
    if not training:
        return {measure.name: None for measure in _MEASURES}
    return {measure.name: measure.of(training[-1], side) for measure in _MEASURES}


def _best_epoch(_: Epoch, side: Side) -> float | None:
    """The first epoch with the highest test BCA, marked ★ in the chart."""
    tested = [epoch for epoch in side.history if epoch.stage == "training" and epoch.bca_test is not None]
    return max(tested, key=lambda epoch: epoch.bca_test).epoch if tested else None


def _mean_of_last(_: Epoch, side: Side) -> float | None:
    last = last_scores(side.history, "rca_test")
    return last and last.mean


LARGEST = "Largest average firing level"
_PAIRED = {"Test RCA": "rca", "Test BCA": "bca"}
_MEASURES = (
    _Measure("Test RCA", ".3f", lambda e, side: side.metrics.get("rca", e.rca_test)),
    _Measure("Test BCA", ".3f", lambda e, side: side.metrics.get("bca", e.bca_test)),
    _Measure("Test RCA, mean of the last epochs", ".3f", _mean_of_last),
    _Measure("Training RCA", ".3f", lambda e, side: e.rca_train),
    _Measure("ECE", ".3f", lambda e, side: side.metrics.get("ece")),
    _Measure("Rules that hardly or never fire", ".0f", lambda e, side: int((e.dead | e.idle).sum())),
    _Measure(LARGEST, ".1%", lambda e, side: float(max(e.firing)), ("less even", "more even")),
    _Measure("Mean entropy / log R", ".3f", lambda e, side: e.entropy_share),
    _Measure("Epochs", ".0f", lambda e, side: e.epoch),
    _Measure("Epoch of highest test BCA ★", ".0f", _best_epoch),
    _Measure("Seconds", ".1f", lambda e, side: side.metrics.get("seconds", e.seconds)),
)


def _line(measure: _Measure, old: float | None, new: float | None) -> Difference:
    """Subtract the digits that are displayed, so that each line adds up."""
    texts = [UNKNOWN if value is None or not math.isfinite(value) else format(value, measure.form) for value in (old, new)]
    if UNKNOWN in texts:
        return Difference(measure.name, *texts)
    before, now = (Decimal(text.removesuffix("%")) for text in texts)
    unit = " points" if texts[0].endswith("%") else ""
    if now == before:
        return Difference(measure.name, *texts, f"{now - before}{unit}")
    sign = "+" if now > before else "−"
    return Difference(measure.name, *texts, f"{sign}{abs(now - before)}{unit}", measure.words[0 if now > before else 1])

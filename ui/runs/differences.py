"""What differs between two runs on the same data: settings and numbers as lines of text, and their splits."""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any, NamedTuple

from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.errors import RunError
from tsk_core.evaluate import LastEpochs, last_epochs
from tsk_core.numbers import signed
from tsk_core.runs import PairedRuns, paired_runs
from tsk_core.setting_values import in_words
from tsk_core.settings import SETTINGS
from ui.platform.engine import get_engine
from ui.platform.session import Key
from ui.runs.run_view import RunView
from ui.text import shortened

PAIRED_SCORES = Key[dict[tuple[str, str], "PairedRuns | None"]]("paired_scores", make=dict)  # comparison, run, both ended


# Whether a run's test scores jitter from epoch to epoch, so that those of its last epoch are partly luck.


def last_scores(history: Sequence[Epoch], score: str) -> LastEpochs | None:
    """The last epochs of a training by this field of them, such as "rca_test"; None without test rows."""
    return last_epochs([getattr(e, score) for e in history if e.stage == "training" and getattr(e, score) is not None])


def jitters(history: Sequence[Epoch]) -> bool:
    """Whether one of the two test scores does."""
    both = (last_scores(history, score) for score in ("rca_test", "bca_test"))
    return any(last is not None and last.jitters for last in both)


def jitter_text(last: LastEpochs) -> str:
    """What the chart says below a test RCA that jitters."""
    return (
        f"Test RCA jitters from epoch to epoch: in the last {last.epochs} it was {last.low:.3f} to {last.high:.3f},"
        f" {last.mean:.3f} on average. Bold: the mean of {last.epochs} epochs around each."
    )


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
    tested = {epoch.epoch: epoch.bca_test for epoch in side.history if epoch.stage == "training" and epoch.bca_test is not None}
    return max(tested, key=tested.__getitem__, default=None)


def _hardly_firing(epoch: Epoch, _: Side) -> float | None:
    return None if epoch.dead is None or epoch.idle is None else int((epoch.dead | epoch.idle).sum())


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
    _Measure("Rules that hardly or never fire", ".0f", _hardly_firing),
    _Measure(LARGEST, ".1%", lambda e, side: None if e.firing is None else float(max(e.firing)), ("less even", "more even")),
    _Measure("Mean entropy / log R", ".3f", lambda e, side: e.entropy_share),
    _Measure("Epochs", ".0f", lambda e, side: e.epoch),
    _Measure("Epoch of highest test BCA ★", ".0f", _best_epoch),
    _Measure("Seconds", ".1f", lambda e, side: side.metrics.get("seconds", e.seconds)),
)


def _line(measure: _Measure, old: float | None, new: float | None) -> Difference:
    """Subtract the digits that are displayed, so that each line adds up."""
    texts = [UNKNOWN if value is None or not math.isfinite(value) else format(value, measure.form) for value in (old, new)]
    line = Difference(measure.name, texts[0], texts[1])
    if UNKNOWN in texts:
        return line
    before, now = (Decimal(text.removesuffix("%")) for text in texts)
    unit = " points" if texts[0].endswith("%") else ""
    if now == before:
        return line._replace(difference=f"{now - before}{unit}")
    sign, verdict = "+" if now > before else "−", measure.words[0 if now > before else 1]
    return line._replace(difference=f"{sign}{abs(now - before)}{unit}", verdict=verdict)


# How the rows of a dataset are split: at random, or by a column; and whether equal rows stay together.


class SplitWay(NamedTuple):
    """kind: "group", "time" or "split" by a column, or "" for random rows. together: whether equal rows are on one side."""

    kind: str
    column: str
    together: bool

    def __str__(self) -> str:
        name = f"“{shortened(self.column, 40)}”"
        words = {
            "group": f"split by {name}",
            "time": f"tested on the latest rows by {name}",
            "split": f"split as {name} says",
            "": "with equal rows together" if self.together else "with rows at random",
        }
        return words[self.kind]


def way_of(data: Mapping[str, Any]) -> SplitWay:
    """Of the dataset of a run, as its config.json has it."""
    for column, role in data.get("roles", {}).items():
        if role in ("group", "time", "split"):
            return SplitWay(role, column, False)
    return SplitWay("", "", data.get("choices", {}).get("repeated") == "together")


def split_of(data: Mapping[str, Any], seed: int | None, test_size: float) -> tuple[object, ...]:
    """What decides which rows of a dataset are test rows: the way, the values of a column, and the seed and the share where they
    have an effect.
    """
    way = way_of(data)
    fixed = way.kind == "split"
    return way, data.get("split_sha256", ""), None if fixed or way.kind == "time" else seed, None if fixed else test_size


# What the test score was when the rows of the same table were split in another way.


_SPLITS = ("group", "time", "split")


def other_split_sentence(run: RunView, before: RunView | None) -> str:
    """As "Split by “patient”: test BCA 0.456; with rows at random it was 0.934 (other test rows)."

    "" unless both ended, on one table, and nothing else differs between them.
    """
    if before is None or way_of(before.data) == way_of(run.data) or changed_settings(side_of(before), side_of(run)):
        return ""
    scores = [one.metrics.get("bca") for one in (before, run)]
    if None in scores or _apart_from_split(before.data) != _apart_from_split(run.data):
        return ""
    now, then = str(way_of(run.data)), str(way_of(before.data))
    return f"{now[0].upper()}{now[1:]}: test BCA {scores[1]:.3f}; {then} it was {scores[0]:.3f} (other test rows)."


def _apart_from_split(data: Mapping[str, Any]) -> tuple[object, ...]:
    """The table and what was decided about it, without what decides the split."""
    choices = data.get("choices", {})
    roles = {column: role for column, role in choices.get("roles", {}).items() if role not in _SPLITS}
    decided = {name: value for name, value in choices.items() if name not in ("roles", "repeated")}
    file = {name: data.get("file", {}).get(name) for name in ("rows", "columns")}
    return data["name"], data["target"], data.get("classes"), file, roles, decided, choices.get("repeated") == "drop"


# How a run's test scores compare with those of the comparison: row by row on the same test rows, once both have ended.


KEPT = 20  # pairs that a session remembers


def same_test_rows(comparison: RunView, run: RunView) -> bool:
    """Whether two runs on the same data are tested on the same rows."""
    one, other = (split_of(side.data, side.config.random_state, side.test_size) for side in (comparison, run))
    return one == other


def paired_scores(comparison: RunView, run: RunView) -> PairedRuns | None:
    """None on different test rows, and while one of the runs trains, and so has no predictions."""
    known = PAIRED_SCORES.get()
    pair = comparison.id, run.id
    if pair not in known and run.status.ended:
        store = get_engine().store
        with suppress(RunError):
            known[pair] = paired_runs(store.open(comparison.id), store.open(run.id))
        while len(known) > KEPT:
            del known[next(iter(known))]
    return known.get(pair)


def is_clear(name: str, comparison: RunView, run: RunView) -> bool:
    """Whether the scores differ by more than chance: on the test rows, and not by the luck of the last epoch."""
    if jitters(run.history) or jitters(comparison.history):
        return False
    paired = paired_scores(comparison, run)
    return paired is not None and paired.verdict(name) != 0

"""A run beside Streamlit: its epochs, what is known of it, where it stands; and the lists of the open tab.

"runs"    {"shown": id or null, "comparison": id or null, "dark": whether the page is dark}; the browser forgets other runs
"pair"    of a run: what a page alone knows of it, such as what the comparison is called
"about"   of a run: what is known of it besides its epochs, see ``about``
"epochs"  of a run: the list of its records of this series, as the worker wrote them; the version is the attempt at the run
"standing"  of a run: "share" and "text", where it stands while it has not ended
"state"   of a run: whether it has ended, and whether its settings are settled; a page drawn with another one is drawn again
and the lists of the open tab, see ``ListsSubject``

The page says "runs" and "pair" itself (``page_parts``).
"""

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tsk_core.epoch import Epoch
from tsk_core.errors import TSKError
from tsk_core.explain import Rule
from tsk_core.live import EPOCHS, Part, Stream, as_json, as_rules, as_snapshot, rules_as_texts, summary_as_texts
from tsk_core.runs import RunRows
from tsk_core.settings import SETTINGS
from ui import presets
from ui.charts import MISTAKES, RULES, SAMPLES, STAGE
from ui.live.subjects import SLOW, Subject, pause_of, ticket
from ui.platform import session
from ui.platform.engine import get_engine
from ui.runs.differences import Change, Side, changed_settings, is_clear, jitter_text, jitters, last_scores, same_test_rows
from ui.runs.run_view import RunView
from ui.runs.score_texts import standing_text
from ui.runs.side_tasks import conditions, known_stability, rule_base_summary, stability

MEASURED_ROWS = 20_000  # training rows that an epoch is measured on at most
NAMED = 2  # changed settings that name a comparison


class RunSubject(Subject):
    """A run. watched: whether somebody looks at it as the run shown, so that its lease goes on."""

    def __init__(self, run: str, watched: bool) -> None:
        super().__init__()
        self._view, self._watched = RunView.load(run, "", read=False), watched
        self._attempt, self._read = -1, 0
        self._version: float | None = None

    def look(self) -> float | None:
        """Bring the epochs up to date, and what is known; None once the run has ended."""
        engine, run = get_engine(), self._view.id
        if self._watched:
            engine.watch(run)
        status = engine.status(run)  # before the epochs: a run that ended has them all
        if status.attempt != self._attempt:  # another process's, or with a worker of its own from now on
            self._attempt, self._read = status.attempt, 0
        if lines := engine.lines(run, EPOCHS, self._read):
            if not self._read:
                self._begin(lines[0])
            known = self.stream.count("epochs", run, self._version)
            self.stream.extend("epochs", run, self._version, lines[known - self._read :])
            self._read += len(lines)
        if status.ended:
            self._view = RunView.load(run, "")
        self._view.status = status
        self._view.settle(begun=self._version is not None)
        self.stream.set("about", about(self._view), run)
        self.stream.set("standing", {"share": status.share, "text": "" if status.ended else standing_text(status)}, run)
        self.stream.set("state", state_of(self._view), run)
        return pause_of(status)

    def _begin(self, line: str) -> None:
        first = Epoch.from_dict(json.loads(line))
        self._version, self._view.history = first.seconds, [first]


def state_of(run: RunView) -> dict[str, bool]:
    """What a page is drawn again for once it changes."""
    return {"ended": run.status.ended, "settled": run.settled}


def run_ticket(run: RunView, *, watched: bool = True) -> str:
    """The ticket of a run."""
    return ticket("run", run=run.id, watched=watched)


def page_parts(shown: RunView | None, comparison: RunView | None, *, dark: bool, label: str = "") -> list[Part]:
    """What the page says itself. label: what the charts call the comparison; by default what differs."""
    stream = Stream()
    stream.set("runs", {"shown": shown and shown.id, "comparison": comparison and comparison.id, "dark": dark})
    for run in (shown, comparison):
        if run is not None and shown is not None:
            pair: dict[str, Any] = {"revisited": run.revisited}
            if (preset := presets.of_run(run)) is not None and preset.goal is not None:
                pair["goal"] = {"below": preset.goal, "label": preset.label}
            if run is comparison:
                changes = changed_settings(*(Side(side.config, side.test_size, (), {}) for side in (run, shown)))
                pair |= {"label": label or _label(changes), "sameTestRows": same_test_rows(run, shown)}
                pair |= {"changed": _sole_change(changes), "clear": {"rca": is_clear("rca", run, shown)}}
            stream.set("pair", pair, run.id)
    return stream.parts()


def run_parts(shown: RunView, comparison: RunView | None, *, dark: bool = False, label: str = "") -> list[Part]:
    """Both runs as one message, for a file: what the page and the subjects of the runs say."""
    stream = Stream(now=lambda: 0)
    for run in filter(None, (shown, comparison)):
        stream.set("about", about(run), run.id)
        stream.extend("epochs", run.id, run.attempt, [as_json(epoch.to_dict()) for epoch in run.history])
    return [part | {"since": 0} for part in page_parts(shown, comparison, dark=dark, label=label)] + stream.parts()


def about(run: RunView) -> dict[str, Any]:
    """What is known of a run besides its epochs, see ``About`` in the client's types; without what is not known."""
    metrics = run.metrics
    baseline = (metrics.get("baselines") or {}).get("logistic_regression") or {}
    values = {
        "epochs": run.config.max_epochs,
        "steps": _steps(run),
        "trainings": run.config.n_parts if run.config.n_parts > 1 else None,
        "ended": run.status.ended,
        "regularised": run.config.ur_weight > 0,
        "baseline": baseline.get("rca"),
        "jitter": _jitter(run),
        **{name: metrics.get(name) for name in ("classes", "confusion", "reliability", "ece")},
    }
    return {name: value for name, value in values.items() if value is not None}


def _steps(run: RunView) -> int | None:
    """Gradient steps of an epoch; None before the first one."""
    if run.last is None or run.last.entropy is None:
        return None
    rows = int(run.last.entropy.sum())
    if rows >= MEASURED_ROWS:  # that epochs are measured on at most
        rows = run.metrics.get("train_rows") or round(run.data.get("rows", rows) * (1 - run.test_size))
    return run.config.steps_per_epoch(rows)


def _jitter(run: RunView) -> dict[str, Any] | None:
    """Where the test scores jitter from epoch to epoch: over how many epochs to smooth them, and a sentence."""
    last = last_scores(run.history, "rca_test")
    if last is None or not jitters(run.history):
        return None
    return {"window": last.epochs, "text": jitter_text(last)}


def _label(changes: Sequence[Change]) -> str:
    """What the charts call the comparison: its values of the settings that differ, such as "λ 0"."""
    named = ", ".join(f"{change.short} {change.old}" for change in changes[:NAMED])
    return f"{named}, …" if len(changes) > NAMED else named or "same settings"


def _sole_change(changes: Sequence[Change]) -> str | None:
    """The key of the setting that distinguishes two runs, where it is one alone."""
    return SETTINGS[changes[0].name].key if len(changes) == 1 and changes[0].name else None


# Rules in words at some epochs, for the tabs Rules and Samples, in the form of ``tsk_core.live.messages``. The server writes
# them, once for all who read them, while somebody does.


SECONDS = 0.15  # that one look may take, so that no other subject waits long
MOST_RULES = 800  # summarised of a run: with many rules, fewer of its epochs


def final_rules(shown: RunView, most: int) -> dict[str, Any]:
    """The final rules, summarised on all rows when training ended, or the reason why the run kept none.

    most: conditions of a rule, at most.
    """
    epoch = kept_epoch(shown)
    try:
        summary = rule_base_summary(shown, most)
    except TSKError as error:
        return rules_as_texts(epoch, (), str(error)) | {"end": True}
    return summary_as_texts(epoch, summary, shown.trained.classifier.encoder_, known_stability(shown, most))


def kept_epoch(run: RunView) -> int:
    """The epoch of the model that a run kept."""
    assert run.last is not None
    return int(run.metrics.get("best_epoch") or run.last.epoch)


def recorded_rules(shown: RunView, rows: RunRows, since: int, most: int) -> tuple[list[dict[str, Any]], int]:
    """The rules at the recorded epochs from number ``since`` on, as many as time allows, and how many epochs they cover.

    rows: of the run's table. most: conditions of a rule, at most.
    """
    shared = shown.shared
    with shared.lock:
        _summarise_more(shown, rows)
        recorded = [(k, *shared.recorded[k]) for k in range(since, len(shared.recorded))]
        for k, epoch, summaries in recorded:
            if summaries and (k, most) not in shared.texts:
                rules, summary = summaries.texts(most)
                shared.texts[k, most] = rules_as_texts(epoch, _as_recorded(rules, epoch, shown.history), summary)
        return [shared.texts[k, most] for k, _, summaries in recorded if summaries], since + len(recorded)


def _summarise_more(shown: RunView, rows: RunRows) -> None:
    """Summarise the next recorded epochs, at least one, for as long as a message may take."""
    engine, recorded, began = get_engine(), shown.shared.recorded, time.monotonic()
    step = -(-shown.config.n_rules * 40 // MOST_RULES)
    base = engine.head(shown.id, "snapshots").get("base", {})
    for snapshot in engine.records(shown.id, "snapshots", since=len(recorded)):
        wanted = len(recorded) % step == 0
        summaries = rows.summariser.summarise(as_rules(base, snapshot)) if wanted else None
        recorded.append((snapshot["epoch"], summaries))
        if time.monotonic() - began > SECONDS:
            return


def _as_recorded(rules: tuple[Rule, ...], number: int, history: Sequence[Epoch]) -> tuple[Rule, ...]:
    """The rules with what that epoch's record says of which never or hardly fire: it has more rows than the summary may take."""
    epoch = next((epoch for epoch in reversed(history) if (epoch.stage, epoch.epoch) == ("training", number)), None)
    if epoch is None or epoch.dead is None or epoch.idle is None:
        return rules
    dead, idle = epoch.dead, epoch.idle
    return tuple(replace(rule, dead=bool(dead[rule.index - 1]), idle=bool(idle[rule.index - 1])) for rule in rules)


# The lists of a run that the open tab draws.


MOST_NUMBERS = 300_000  # of a model that is sent whole, where its run kept no snapshots: about 4 MB
_OF_TAB = {
    STAGE: ("rows", "snapshots", "ruleBases"),
    SAMPLES: ("rows", "snapshots", "ruleBases"),
    RULES: ("ruleBases", "strengths", "rows", "snapshots"),
    MISTAKES: ("evaluations",),
}
_BESIDE = {STAGE: ("snapshots",), SAMPLES: ("snapshots", "ruleBases"), RULES: ("ruleBases",)}


class ListsSubject(Subject):
    """Lists of a run: snapshots, rules in words, strengths of conditions (tab Rules), evaluations (tab Mistakes); and its rows.

    "rows"         a value: the rows that a browser draws, see ``explain.rows_to_show``; none where the page has no table
    "snapshots"    as ``tsk_core.live.as_snapshot`` has them; with the first ones comes "base", which all of them share
    "evaluations"  as ``Engine.records`` has them; with the first ones come the names of the "classes"
    "strengths"    as ``tsk_core.live.series`` records them, where the settings show conditions; with the first ones
                   come the names of the "features" and of the "classes"
    "ruleBases"    "summary" and "rules" of an epoch, see ``tsk_core.live.messages``; "end" is true of the model kept

    Each entry has its "epoch". kinds: which of them. words: conditions of a rule in words, at most. rows: whether the page has
    the run's table, without which rules are written at its end alone. final: whether rules are wanted at its end alone.
    stable: whether it is known how often the rules come back; another subject once it is.
    """

    def __init__(self, run: str, kinds: Sequence[str], words: int, rows: bool, final: bool, stable: bool) -> None:
        super().__init__()
        self._run, self._kinds, self._words, self._stable = RunView.load(run, ""), kinds, words, stable
        self._rows, self._recorded = rows, rows and not final
        self._attempt = self._run.attempt
        self._epochs = 0  # recorded ones of which the rules are written
        self._ended = False  # whether the rules of the model kept are written
        self._has_rows = False  # whether the rows are said, which are too many to be written at each look
        self._errors = dict[str, str]()  # by the kind of the list

    def look(self) -> float | None:
        """The next entries; the rules of the model kept first, which most people open the tab for."""
        self._run.refresh(watched=False)
        if self._run.attempt != self._attempt:
            self._attempt, self._epochs, self._ended, self._has_rows = self._run.attempt, 0, False, False
        more = False
        for kind in self._kinds:
            try:
                more |= self._look_at(kind)
            except TSKError as error:
                self._errors[kind] = str(error)
                self.stream.set("errors", " ".join(dict.fromkeys(self._errors.values())), self._run.id)
            if more and kind == "ruleBases":
                break  # the sentences are read first
        if more:
            return 0
        return None if self._run.status.ended else SLOW

    def _look_at(self, kind: str) -> bool:
        """Bring one list up to date; whether it has more at once."""
        run, result = self._run, self._run.result
        if kind == "ruleBases":
            return self._write_rules()
        if kind == "rows":
            if not self._has_rows:
                table = self._table() if self._rows else None
                self.stream.set("rows", table and table.to_show, run.id)
                self._has_rows = table is not None or not self._rows
            return False
        if kind == "strengths" and not run.config.shows_conditions:
            return False
        engine = get_engine()
        known = self.stream.count(kind, run.id, self._version(kind))
        lines = engine.lines(run.id, kind, known)
        if kind == "snapshots" and not known and not lines and result is not None:
            model = model_as_snapshot(run, MOST_NUMBERS)
            self._add(kind, map(as_json, model["list"]), {"base": model["base"]} if model["list"] else None)
        elif lines:
            self._add(kind, lines, self._shared(kind))
        return False

    def _table(self) -> RunRows | None:
        return self._run.shared.known_rows or self._run.rows()

    def _shared(self, kind: str) -> dict[str, Any]:
        engine, run = get_engine(), self._run.id
        if kind == "evaluations":
            return {"classes": engine.store.open(run).about()["dataset"].get("classes", ())}
        return engine.head(run, kind)

    def _write_rules(self) -> bool:
        run = self._run
        if run.result is not None and not self._ended:
            self._ended = True
            self._add("ruleBases", [as_json(final_rules(run, self._words))])
            return self._recorded
        rows = self._table() if self._recorded else None
        if rows is None:
            return False
        texts, reached = recorded_rules(run, rows, self._epochs, self._words)
        more, self._epochs = reached > self._epochs, reached
        self._add("ruleBases", map(as_json, texts))
        return more and run.status.ended  # while it trains, the next look comes soon anyway

    def _add(self, kind: str, lines: Any, shared: dict[str, Any] | None = None) -> None:
        self.stream.extend(kind, self._run.id, self._version(kind), lines, shared)

    def _version(self, kind: str) -> str:
        """Rules in words are others with other conditions, and once their stability was checked."""
        of_words = (self._words, self._stable, self._recorded) if kind == "ruleBases" else ()
        return " ".join(map(str, (self._attempt, *of_words)))


def lists_ticket(run: RunView, kinds: Sequence[str], *, final: bool = False) -> str:
    """The ticket of these lists of a run, with rules as long as on the page."""
    words = conditions()
    stability(run, words)  # which also lets those who share the run know it
    return ticket("lists", **lists_spec(run, kinds, words, final=final))


def lists_spec(run: RunView, kinds: Sequence[str], words: int, *, final: bool = False) -> dict[str, Any]:
    """What a ticket of these lists says, also beside pages."""
    rows, stable = (not final or "rows" in kinds) and run.rows() is not None, known_stability(run, words) is not None
    return {"run": run.id, "kinds": list(kinds), "words": words, "rows": rows, "final": final, "stable": stable}


def tab_tickets(shown: RunView, comparison: RunView | None) -> list[str]:
    """Those of the lists of the open tab, of the run and of the comparison where it stands beside it."""
    tab, tickets = session.VIEW.get(), list[str]()
    if kinds := _OF_TAB.get(tab):
        tickets.append(lists_ticket(shown, kinds, final=tab == STAGE))  # which everybody sees: rules by epoch cost much
    if comparison is not None and comparison.result is not None and (kinds := _BESIDE.get(tab)):
        tickets.append(lists_ticket(comparison, kinds, final=True))
    return tickets


def list_parts_of_report(shown: RunView, most_conditions: int, most_numbers: int) -> list[Part]:
    """All evaluations of a run, and for the plane and the reasons, the model kept and its rules in words.

    most_conditions: of a rule. most_numbers: of the model; a larger one is left out, with its rules.
    """
    stream, engine = Stream(now=lambda: 0), get_engine()
    classes = {"classes": engine.store.open(shown.id).about()["dataset"].get("classes", ())}
    stream.extend("evaluations", shown.id, "", engine.lines(shown.id, "evaluations"), classes)
    model = model_as_snapshot(shown, most_numbers)
    if model["list"]:
        rules = final_rules(shown, most_conditions)
        (snapshot,) = model["list"]
        stream.extend("snapshots", shown.id, "", [as_json(snapshot | {"epoch": rules["epoch"]})], {"base": model["base"]})
        stream.extend("ruleBases", shown.id, "", [as_json(rules)])
    return stream.parts()


def model_as_snapshot(run: RunView, most: int) -> dict[str, Any]:
    """The model kept as a snapshot, and what all snapshots share; no snapshot of a model with more numbers than ``most``."""
    parameters = run.trained.classifier.rules_
    if sum(part.nelement() for part in (parameters.centers, parameters.sigmas, parameters.weights)) > most:
        return {"list": []}
    rules, epoch = run.trained.classifier.to_dict(), kept_epoch(run)
    return {"list": [as_snapshot(rules, epoch)], "base": {**rules, "rules": []}}

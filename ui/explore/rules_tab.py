"""The tabs Rules and Samples; *Make it readable*, and the readings of a readable rule base."""

from collections.abc import Iterator
from typing import Any

import pandas as pd
import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import ReadOptions
from tsk_core.epoch import Epoch
from tsk_core.errors import TSKError
from tsk_core.evaluate import Peer
from tsk_core.explain import Inference, RuleBaseSummary, printed_rules
from tsk_core.numbers import counted, percent
from tsk_core.tasks import MakeReadable, SameSize
from ui.explore.export_tab import rule_downloads
from ui.explore.rule_base import rule_base_section
from ui.live import mount
from ui.live.task_subjects import task_row
from ui.platform import session
from ui.platform.drawing import show_errors
from ui.platform.engine import get_engine
from ui.platform.session import Key
from ui.platform.visitor import address, owner
from ui.presets import Preset
from ui.runs import current_run
from ui.runs.run_view import RunView
from ui.runs.side_tasks import (
    NO_DATA,
    NOTE,
    RULE_LENGTH,
    conditions,
    dataset_of,
    has_table,
    is_readable,
    peers,
    peers_status,
    rule_base_summary,
    start_peers,
    start_row,
)
from ui.settings.controls import widget_values
from ui.settings.opening import use_settings
from ui.text import in_markdown

RULE_LENGTH_SLIDER = Key[int]("rule_length_slider")
READABLE_STARTED = Key["tuple[str, dict[str, Any]] | None"]("readable_started")  # a run, and the controls when it was started


# Make it readable: the button on the tab Rules that starts a readable run, and that run beside the one it was made of.


_READINGS_ALONE = {"strongest": "Readable, the strongest rule decides", "sentences": "Readable, the sentences alone"}
BUDGET = 20.0  # seconds of the search for settings, at most
_MAKE_HELP = (
    "Trains a readable rule base on the training rows of this run, as a run of its own with its own test scores: each rule is a"
    " few conditions and one score per class, nothing else. Cross-validation on these rows chooses how many rules and conditions:"
    " as few as possible within one standard error of the best, by the score less what the text lacks to be the model."
)


def make_readable_button(run: RunView) -> None:
    """The button; nothing before the run has a model, and none where its rules are readable."""
    if run.result is None or (not run.config.has_slopes and run.config.max_conditions):
        return
    here = has_table(run)
    st.button("Make it readable", on_click=_start, args=(run,), disabled=not here, help=_MAKE_HELP if here else NO_DATA)


def _start(run: RunView) -> None:
    """A callback: queue the run and show it, unless it is shown by now; a refusal is a note that passes."""
    if (now := current_run.get()) is None or now.id != run.id:  # the second of two clicks
        return
    try:
        dataset = dataset_of(run)
        how: dict[str, Any] = {"budget": BUDGET, "class_weight": run.config.class_weight or "search"}
        task = MakeReadable(run.config.made_readable(), dataset, run.test_size, beside=run.id, **how)
        file = {"file_sha256": run.data.get("file_sha256", ""), "read_options": ReadOptions(**run.data.get("reading", {}))}
        new = get_engine().submit_task(task, owner(), address=address(), lease=current_run.LEASE, **file)
    except TSKError as error:
        st.toast(in_markdown(error))
        return
    data = get_engine().store.open(new).about()["dataset"]
    current_run.show_submitted(RunView(new, task.config, data, run.test_size, get_engine().status(new), settled=False))
    use_settings(task.config, run.test_size)
    READABLE_STARTED.set((new, session.values_of(widget_values(task.config, run.test_size))))


def take_settings() -> None:
    """Once a search has found the settings of the run that *Make it readable* started, the page has them, unless a control was
    changed since; before any widget is made.
    """
    run = current_run.get()
    if run is not None and settings_found() and (started := READABLE_STARTED.pop()) is not None:
        _, before = started
        if session.values_of(before) == before:
            use_settings(run.config, run.test_size)


def settings_found() -> bool:
    """Whether the search has found them, and the page does not have them yet."""
    started, run = READABLE_STARTED.get(), current_run.get()
    return started is not None and run is not None and run.id == started[0] and run.settled


def before_and_after(run: RunView) -> None:
    """Of a readable run: its size and test scores, by each of its readings, beside those of the run that it was made of."""
    if run.result is None or (source := _source(run)) is None:
        return
    lines = [_model_line("Before", *source), _model_line("Readable", run.config, run.metrics, run.history)]
    by_name = {reading.name: reading for reading in rule_base_summary(run, conditions()).readings}
    for name, which in _READINGS_ALONE.items():
        if name in by_name:
            lines.append(
                {"": which, "Rules": "", "Conditions in the model": "", **_scores(by_name[name].accuracy, by_name[name].bca)}
            )
    with st.expander("Before and after", expanded=True):
        st.dataframe(lines, hide_index=True, width="content")


def _source(run: RunView) -> tuple[TrainConfig, dict[str, Any], list[Epoch]] | None:
    """Settings, numbers at the end and epochs of the run that this one was made of; None for other runs, and where it is gone."""
    try:
        store = get_engine().store
        if not (beside := store.open(run.id).about().get("beside")):
            return None
        folder = store.open(beside)
        return folder.config(), folder.metrics(), folder.epochs()
    except TSKError:
        return None


def _model_line(which: str, config: TrainConfig, metrics: dict[str, Any], history: list[Epoch]) -> dict[str, str]:
    size = {"Rules": str(config.n_rules), "Conditions in the model": str(history[-1].conditions)}
    return {"": which, **size, **_scores(metrics.get("rca"), metrics.get("bca"))}


def _scores(rca: float | None, bca: float | None) -> dict[str, str]:
    return {title: "–" if score is None else f"{score:.3f}" for title, score in (("Test RCA", rca), ("Test BCA", bca))}


def rules_in_full(run: RunView) -> None:
    """The rules with every number that a prediction needs, as text: of rule bases with constant consequents."""
    if run.result is None or run.config.has_slopes:
        return
    with st.expander("The rules in full: everything a prediction needs", key="rules_in_full"):
        classifier = run.result.classifier
        printed = printed_rules(classifier.to_dict(), classifier.encoder_.low_, classifier.encoder_.high_)
        st.code(printed.text, language=None, wrap_lines=True)


# The readings of a readable rule base with their test figures, those of a tree and a rule list of its size, and the list.


_KEY = "same_size"
UNASKED = 100  # conditions up to which a tree of the same size is trained without a press
_READINGS = {
    "model": "The model: the scores of all rules",
    "strongest": "The strongest rule decides",
    "sentences": "The sentences alone: the first true one decides",
}
_PEERS = {
    "CART": "CART, a decision tree",
    "rule list": "A rule list: leaves of small trees, one by one",
    "EBM": "EBM without pairs: one curve per feature",
}
_HELP = (
    "A decision tree (CART) and a rule list are trained on this run's training rows with at most as many conditions as its rules"
    " have. Cross-validation on these rows chooses their settings. Each rule of a tree is the path to one leaf."
)
_EBM_HELP = (
    "The Explainable Boosting Machine of the library interpret, without pairs of features: it has one curve for each feature and"
    " no rules. It takes longer than the others."
)


def readings_section(run: RunView, summary: RuleBaseSummary) -> None:
    """Draw the section. summary: of a readable rule base."""
    alive = [rule for rule in summary.rules if not rule.dead]
    conditions = sum(len(rule.antecedents) for rule in alive)
    known = [peer for ebm in (False, True) for peer in peers(peers_status(run, ebm=ebm))]
    lines = [*_ours(summary.readings, len(alive), conditions), *map(_line, known)]
    if line := _in_one_line(summary, conditions, known):
        st.markdown(in_markdown(line))
    title = f"Three ways to predict with the final model, measured on the {summary.evaluated_on}"
    st.table(pd.DataFrame(lines).map(in_markdown), border="horizontal", hide_index=True, alt=title)
    st.caption(f"{title}. Agrees: the share of rows for which this way gives the model's class. “Otherwise” counts as a rule.")
    if conditions and len(run.trained.split.test):
        _same_size(run, conditions)
    with st.expander("The rule list as text"):
        st.code(summary.rule_list.text if summary.rule_list else "", language=None, wrap_lines=True)


def _ours(readings: tuple[Inference, ...], rules: int, conditions: int) -> Iterator[dict[str, str]]:
    for reading in readings:
        lines = rules + (reading.name == "sentences")  # "otherwise" is one more
        own = Peer(_READINGS[reading.name], conditions, lines, reading.accuracy, reading.bca)
        yield _line(own, percent(reading.fidelity))


def _line(peer: Peer, agrees: str = "–") -> dict[str, str]:
    scores, numbers = {"RCA": peer.rca, "BCA": peer.bca}, {"Conditions": peer.conditions, "Rules": peer.rules}
    return {
        "Prediction by": _PEERS.get(peer.name, peer.name),
        **{title: "–" if score is None else f"{score:.3f}" for title, score in scores.items()},
        "Agrees": agrees,
        **{title: "–" if number is None else str(number) for title, number in numbers.items()},
    }


def _in_one_line(summary: RuleBaseSummary, conditions: int, known: list[Peer]) -> str:
    """Such as "At 36 conditions: ours 0.79, CART 0.76 (balanced accuracy on the test rows)."; "" without peers."""
    ours = next(reading.bca for reading in summary.readings if reading.name == "model")
    scores = [("ours", ours), *((peer.name, peer.bca) for peer in known)]
    said = ", ".join(f"{name} {bca:.2f}" for name, bca in scores if bca is not None)
    return f"At {counted(conditions, 'condition')}: {said} (balanced accuracy on the {summary.evaluated_on})." if known else ""


def _same_size(run: RunView, conditions: int) -> None:
    """Measure a tree and a rule list once, in the background; very large ones, and the EBM where it is installed, at a press."""
    status = peers_status(run)
    if status is None and conditions <= UNASKED and has_table(run):
        try:
            start_peers(run, conditions)
        except TSKError as error:
            NOTE(_KEY).set(str(error))
        status = peers_status(run)
    with show_errors():
        if status is None or (status.ended and status.state != "finished"):
            start_row(run, _KEY, "Compare with a tree of the same size", _HELP, lambda run: start_peers(run, conditions), status)
        elif not status.ended:
            task_row(status, _KEY, "A decision tree and a rule list of the same size are being trained", unit="")
        elif not SameSize.missing():
            _ebm(run, conditions)


def _ebm(run: RunView, conditions: int) -> None:
    def begin(run: RunView) -> None:
        start_peers(run, conditions, ebm=True)

    status = peers_status(run, ebm=True)
    if status is not None and not status.ended:
        task_row(status, f"{_KEY}_ebm", "The EBM is being trained", unit="")
    elif status is None or status.state != "finished":
        start_row(run, f"{_KEY}_ebm", "Compare with the EBM", _EBM_HELP, begin, status)


# The tab Samples: the rows that the browser needs to draw the plane and explain a prediction, both computed there.


_NO_SAMPLES = "The data of this run are not available here. Choose the same file in the sidebar to see its rows."


def samples_tab(run: RunView, preset: Preset | None) -> None:
    """Draw the tab. preset: the one that the page is at."""
    with st.spinner("Fetching rows…", show_time=False):
        note = "" if run.rows() else _NO_SAMPLES
    if preset is not None and preset.beside:
        mount("plane", "firing", "reasons", "curves", key="views:samples_beside", beside=run.id, note=note, data=run.table_name)
    else:
        mount("plane", "reasons", "curves", key="views:samples", note=note, data=run.table_name)


_NO_ROWS = (
    "The data of this run are not available here, so only its final rules are shown. Choose the same file in the sidebar to see"
    " the rules of every recorded epoch."
)


def rules_tab(run: RunView) -> None:
    """Draw the tab."""
    if run.result is None and run.status.ended:
        st.info("This run left no model, so there are no rules.")
        return
    if not RULE_LENGTH_SLIDER.is_set():
        RULE_LENGTH_SLIDER.set(conditions())
    with st.container(horizontal=True, vertical_alignment="bottom", key="rules_bar"):
        if not is_readable(run):  # of a readable rule base every condition is shown
            st.slider(
                "Conditions per rule, at most", 1, 12, key=RULE_LENGTH_SLIDER.name, on_change=_store_length, width=300,
                help="Shorter rules are easier to read but describe the model less well.",
            )  # fmt: skip
        if run.result is not None:
            with show_errors():
                rule_downloads(run, rule_base_summary(run, conditions()))
                make_readable_button(run)
    before_and_after(run)
    if run.config.shows_conditions:
        mount("readable", "strengths", key="views:rule_grid")
    _readings(run)
    mount("ruleBar", "rules", key="views:rules", note="" if run.rows() else _NO_ROWS)
    rules_in_full(run)
    mount("pictures", key="views:pictures", run=run.id, data=run.table_name)
    rule_base_section(run)


def _readings(run: RunView) -> None:
    """Of a run whose rules are readable, once it has a model."""
    if run.result is None or not is_readable(run):
        return
    with show_errors():
        summary = rule_base_summary(run, conditions())
        if summary.rule_list is not None:
            readings_section(run, summary)


def _store_length() -> None:
    """Outside the slider, whose value is lost when its tab is closed: other parts of the page use it as well."""
    RULE_LENGTH.set(RULE_LENGTH_SLIDER.get())

"""Make it readable: the button on the tab Rules that starts a readable run, and that run beside the one it was made of."""

from typing import Any

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import ReadOptions
from tsk_core.epoch import Epoch
from tsk_core.errors import TSKError
from tsk_core.explain import printed_rules
from tsk_core.tasks import MakeReadable
from ui.platform import session
from ui.platform.engine import get_engine
from ui.platform.owner import owner
from ui.platform.visitor import address
from ui.runs import current_run
from ui.runs.rules import conditions, rule_base_summary
from ui.runs.run_view import RunView
from ui.runs.side_tasks import NO_DATA, at_hand, dataset_of
from ui.settings.controls import widget_values
from ui.settings.use import use_settings
from ui.text import in_markdown

_READINGS = {"strongest": "Readable, the strongest rule decides", "sentences": "Readable, the sentences alone"}
BUDGET = 20.0  # seconds of the search for settings, at most
_HELP = (
    "Trains a readable rule base on the training rows of this run, as a run of its own with its own test scores: each rule is a"
    " few conditions and one score per class, nothing else. Cross-validation on these rows chooses how many rules and conditions:"
    " as few as possible within one standard error of the best, by the score less what the text lacks to be the model."
)


def make_readable_button(run: RunView) -> None:
    """The button; nothing before the run has a model, and none where its rules are readable."""
    if run.result is None or (not run.config.has_slopes and run.config.max_conditions):
        return
    here = at_hand(run)
    st.button("Make it readable", on_click=_start, args=(run,), disabled=not here, help=_HELP if here else NO_DATA)


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
    session.READABLE_STARTED.set((new, session.values_of(widget_values(task.config, run.test_size))))


def take_settings() -> None:
    """Once a search has found the settings of the run that *Make it readable* started, the page has them, unless a control was
    changed since; before any widget is made.
    """
    if settings_found():
        (_, before), run = session.READABLE_STARTED.pop(), current_run.get()
        if session.values_of(before) == before:
            use_settings(run.config, run.test_size)


def settings_found() -> bool:
    """Whether the search has found them, and the page does not have them yet."""
    started, run = session.READABLE_STARTED.get(), current_run.get()
    return started is not None and run is not None and run.id == started[0] and run.settled


def before_and_after(run: RunView) -> None:
    """Of a readable run: its size and test scores, by each of its readings, beside those of the run that it was made of."""
    if run.result is None or (source := _source(run)) is None:
        return
    lines = [_line("Before", *source), _line("Readable", run.config, run.metrics, run.history)]
    by_name = {reading.name: reading for reading in rule_base_summary(run, conditions()).readings}
    for name, which in _READINGS.items():
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


def _line(which: str, config: TrainConfig, metrics: dict[str, Any], history: list[Epoch]) -> dict[str, str]:
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

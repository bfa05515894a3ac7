"""How stable the rules of a run are, at a press of a button: a task of its own in the queue."""

import streamlit as st

from tsk_core.explain import RuleStability
from tsk_core.jobs import Status
from tsk_core.tasks import StabilityCheck
from ui.platform.errors import show_errors
from ui.runs.rules import conditions
from ui.runs.run_view import RunView
from ui.runs.side_tasks import dataset_of, follow, progress_row, queued, start, start_row, trainings_of
from ui.runs.stability import remember, stability, stability_status
from ui.text import in_markdown

__all__ = ["stability_row"]

MOST_NAMED = 6  # rules
_KEY = "rule_stability"
_LABEL = "How stable are these rules?"
_HELP = (
    "Trains this run's settings 21 times: as they are, ten times with other seeds, and ten times on bootstrap samples of its"
    " training rows. A simplified run is trained in full and simplified to its size each time."
    " Rules are matched by what they say; a rule that comes back shares the class and at least half of its terms."
)
_MEANING = (
    "A rule comes back where the training has a rule with the same class and a Dice coefficient of at least 0.5 between the terms"
    " of their conditions, such as “petal length is low”. Matched one to one. Idea: SIRUS (Bénard et al. 2021)."
)


def stability_row(run: RunView) -> None:
    """The button; while it trains, the progress; then what it found. Nothing before the run has a model."""
    if run.result is None:
        return
    with show_errors():
        found, status = stability(run, conditions()), stability_status(run)
        if found is not None:
            st.caption(in_markdown(found.text), help=_MEANING)
            st.caption(in_markdown(_rarest(found)))
        elif status is not None and not status.ended:
            follow(status.run, lambda now: progress_row(now, _KEY, _standing, "Stop training again"))
        else:
            start_row(run, _KEY, _LABEL, _HELP, _start, status)


def _rarest(found: RuleStability) -> str:
    """The rules that come back in fewer than half of the trainings with other seeds."""
    seeds = found.seeds
    rare = sorted((times, rule) for rule, times in seeds.times.items() if 2 * times < seeds.of)
    if not rare:
        return f"Every rule that fires comes back in at least half of the {seeds.of} trainings with other seeds."
    named = ", ".join(f"Rule {rule} in {times}" for times, rule in rare[:MOST_NAMED])
    more = f" and {len(rare) - MOST_NAMED} more" if len(rare) > MOST_NAMED else ""
    return (
        f"{len(rare)} of {len(seeds.times)} rules come back in fewer than half of the {seeds.of} trainings with other seeds:"
        f" {named}{more}."
    )


def _start(run: RunView) -> None:
    config, options = trainings_of(run)
    task = StabilityCheck(config, dataset_of(run), run.id, run.test_size, options=options)
    remember(run, start(task, background=True))


def _standing(status: Status, share: float) -> str:
    return f"Training again: {queued(status) if status.state == 'queued' else f'{share:.0%} of the epochs…'}"

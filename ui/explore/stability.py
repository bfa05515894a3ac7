"""How stable the rules of a run are, at a press of a button: a task of its own in the queue."""

import streamlit as st

from tsk_core.explain import RuleStability
from tsk_core.tasks import StabilityCheck
from ui.platform.errors import show_errors
from ui.runs.rules import conditions
from ui.runs.run_view import RunView
from ui.runs.side_tasks import dataset_of, epochs_done, follow, progress_row, start_for, start_row
from ui.runs.stability import KIND, stability, stability_status
from ui.text import in_markdown

MOST_NAMED = 6  # rules
_KEY = "rule_stability"
_LABEL = "How stable are these rules?"
_HELP = (
    "Trains 21 models with this run's settings: one as they are, ten with other seeds, and ten on bootstrap samples of its"
    " training rows."
    " A rule comes back in another training if that training has a rule with the same class and similar conditions (Dice"
    " coefficient of their terms at least 0.5)."
)
_MEANING = (
    "A rule comes back where the training has a rule with the same class and a Dice coefficient of at least 0.5 between the terms"
    " of their conditions, such as “petal length is low”. Matched one to one. Idea: SIRUS (Bénard et al. 2021). By chance: the"
    " same match after the conditions of the other training were shuffled among its rules, feature by feature (the"
    " permutation model of Hubert and Arabie 1985). The card of each rule says how often it comes back."
)


def stability_row(run: RunView) -> None:
    """The button; while it trains, the progress; then what it found. Nothing before the run has a model."""
    if run.result is None:
        return
    with show_errors():
        stable, status = stability(run, conditions()), stability_status(run)
        if stable is not None:
            st.caption(in_markdown(stable.text), help=_MEANING)
            st.caption(in_markdown(no_better_than_chance(stable)))
        elif status is not None and not status.ended:
            follow(status.run, lambda now: progress_row(now, _KEY, "Training again", epochs_done, "Stop training again"))
        else:
            start_row(run, _KEY, _LABEL, _HELP, _start, status)


def no_better_than_chance(stable: RuleStability) -> str:
    """The rules that need not come back more often than by chance in the trainings with other seeds."""
    seeds = stable.seeds
    found = sorted((times, rule) for rule, times in seeds.times.items() if not seeds.beyond_chance(rule))
    if not found:
        return (
            f"In the {seeds.of} trainings with other seeds, each rule that fires comes back more often than chance explains (its"
            " number of times has a probability below 5%)."
        )
    named = ", ".join(f"Rule {rule} in {times} (by chance: {seeds.chance[rule]:.1f})" for times, rule in found[:MOST_NAMED])
    more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    return (
        f"In the {seeds.of} trainings with other seeds, {len(found)} of {len(seeds.times)} rules"
        f" {'comes' if len(found) == 1 else 'come'} back no more often than chance may explain: {named}{more}."
    )


def _start(run: RunView) -> None:
    start_for(KIND, run.id, lambda: StabilityCheck(run.config, dataset_of(run), run.id, run.test_size), background=True)

"""What a missed case costs, as chosen on the tab Mistakes or by a link, and what it does to a run's test rows.

The choice belongs to the session, in the keys of links; it holds for runs that have its class. At the cost 1 there is no decision
beside the predicted class.
"""

import math
from collections.abc import Mapping

import streamlit as st

from tsk_core.errors import RunError
from tsk_core.evaluate import COSTS, Decision, Effect
from tsk_core.evaluate import predicted_from as threshold_of
from tsk_core.runs import decision_effect
from ui.platform.caches import once_per_server
from ui.platform.engine import get_engine
from ui.platform.session import Key
from ui.runs.run_view import RunView

POSITIVE = Key[str]("positive", "")  # class of which a missed case has a cost, as chosen or by the link
MISS_COST = Key[float]("cost", 1.0)  # in false alarms


_POSITIVE, _COST = POSITIVE.name, MISS_COST.name


def open_linked() -> None:
    """Take over what the link names, once; a cost that cannot be was corrected before (``settings.link``)."""
    if MISS_COST.is_set():
        return
    try:
        cost = float(st.query_params.get(_COST, 1))
    except ValueError:
        cost = 1.0
    MISS_COST.set(cost if COSTS[0] <= cost <= COSTS[1] else 1.0)
    POSITIVE.set(st.query_params.get(_POSITIVE, ""))


def choose(positive: str, cost: float) -> None:
    """Set both, here and in the address; in a callback."""
    POSITIVE.set(positive)
    MISS_COST.set(cost)


def classes_of(run: RunView) -> list[str]:
    """The two classes that a cost can be said for; empty where the run has not ended with a model, or has other than two."""
    learnt = [] if run.result is None else [str(name) for name in run.result.classifier.classes_]
    return learnt if len(learnt) == 2 and set(learnt) == set(run.metrics["classes"]) else []


def chosen(run: RunView) -> tuple[str, float]:
    """The class and the cost that the controls show for a run of two classes: as chosen; else the rarer class, and 1."""
    classes, positive = classes_of(run), POSITIVE.get()
    if positive in classes:
        return positive, MISS_COST.get()
    rows = {scores["class"]: scores["rows"] for scores in run.metrics.get("by_class", ())}
    rarer = min(reversed(classes), key=lambda name: rows.get(name, 0))
    return rarer, 1.0 if positive else MISS_COST.get()


def decision_of(run: RunView) -> Decision | None:
    """The decision for this run; None where both mistakes cost the same, and where the cost is that of another table's class."""
    if not classes_of(run):
        return None
    positive, cost = chosen(run)
    return None if math.isclose(cost, 1) else Decision(positive, cost)


def link_values(decision: Decision | None) -> dict[str, str]:
    """Its values in links."""
    return {} if decision is None else {_POSITIVE: decision.positive, _COST: f"{decision.miss_cost:g}"}


def write_address(decision: Decision | None) -> None:
    """Keep the decision in the address of the page."""
    _write(link_values(decision))


def _write(values: Mapping[str, str]) -> None:
    for key in (_POSITIVE, _COST):
        if key not in values:
            st.query_params.pop(key, None)
        elif st.query_params.get(key) != values[key]:
            st.query_params[key] = values[key]


def predicted_from(run: RunView, positive: str) -> float:
    """From which probability of this one of the two classes on the final model predicts it; 1/2 without class weights."""
    return threshold_of(run.trained.classifier.model_.log_prior, classes_of(run).index(positive))


def effect(run: RunView, decision: Decision) -> Effect | None:
    """What the decision does to the run's test rows; None where it has none, or where it kept no probabilities of them."""
    start = predicted_from(run, decision.positive)
    return _effect(run.id, run.trained.classifier.seed_, decision.positive, decision.miss_cost, start)


@once_per_server(32)
def _effect(run: str, seed: int, positive: str, miss_cost: float, start: float) -> Effect | None:
    try:
        return decision_effect(get_engine().store.open(run), Decision(positive, miss_cost), seed, start)
    except RunError:
        return None

"""Simplify and refit: the box on the tab Rules that makes a smaller rule base as a run of its own, and what became of one."""

from typing import Any

import streamlit as st

from tsk_core.errors import TSKError
from tsk_core.explain import printed_rules
from tsk_core.simplify import AUTO, Options
from tsk_core.tasks import Refit
from ui.platform import session
from ui.platform.engine import get_engine
from ui.platform.errors import show_errors
from ui.platform.owner import owner
from ui.platform.visitor import address
from ui.runs import current_run
from ui.runs.run_view import RunView
from ui.runs.side_tasks import at_hand, dataset_of
from ui.text import in_markdown

__all__ = ["refit_without", "rules_in_full", "simplify_box", "what_changed"]

_TERMS = {"Find the smallest": AUTO, "None: a constant for each class": 0, "5": 5, "10": 10, "20": 20, "40": 40, "All": None}
_HELP = (
    "Makes a smaller rule base of this one and trains it on, as a run of its own with its own test scores: rules that never fire"
    " go, rules that say the same become one, conditions that say nothing go, and only the features with the largest effects stay"
    " in the scores."
)
_TERMS_HELP = (
    "How many features change a score, each counted once for all rules that share it. *Find the smallest* also looks for fewer"
    " rules and conditions: the smallest base whose balanced accuracy, cross-validated on the training rows, is at most 1 point"
    " below the full model's."
)


def simplify_box(run: RunView) -> None:
    """The box with its button; nothing before the run has a model."""
    if run.result is None:
        return
    with st.popover("Simplify and refit", help=_HELP, disabled=not at_hand(run)), show_errors():
        rules = st.number_input("Rules, at most", 1, 50, min(8, run.config.n_rules), key="simplify_rules")
        conditions = st.number_input("Conditions per rule, at most", 1, 12, 3, key="simplify_conditions")
        terms = st.selectbox("Score terms", list(_TERMS), key="simplify_terms", help=_TERMS_HELP)
        options = {"max_rules": rules, "max_conditions": conditions, "score_terms": _TERMS[terms]}
        st.button("Simplify and refit", key="simplify_start", type="primary", on_click=_start, args=(run, options))
        if note := session.NOTE("simplify").pop():
            st.error(in_markdown(note))


def refit_without(run: RunView) -> Any:
    """What the button "Refit without it" of the rules calls: with {"rules": numbers, "conditions": [[rule, feature], …]}."""

    def start(taken_out: dict[str, Any]) -> None:
        without = (*taken_out.get("rules", ()), *(tuple(condition) for condition in taken_out.get("conditions", ())))
        _start(run, {"max_rules": run.config.n_rules, "max_conditions": 1000, "score_terms": None, "without": without})

    return start


def _start(run: RunView, options: dict[str, Any]) -> None:
    """A callback: queue the run and show it; a refusal is a note."""
    try:
        dataset = dataset_of(run)
        task = Refit(
            run.result.config, dataset, run.test_size, source=run.result.classifier, source_run=run.id, options=Options(**options)
        )
        new = get_engine().submit_task(task, owner(), address=address(), lease=current_run.LEASE)
    except TSKError as error:
        session.NOTE("simplify").set(str(error))
        st.toast(in_markdown(error))
        return
    data = {"name": dataset.name, "sha256": dataset.sha256, "target": dataset.target}
    current_run.show_submitted(RunView(new, run.config, data, run.test_size, get_engine().status(new)))


def what_changed(run: RunView) -> None:
    """Of a run that was simplified: its size and scores beside those of its source, and how the size was found."""
    changes = run.metrics.get("simplification")
    if not changes:
        return
    source, names = _source(run), (("rules", "Rules"), ("conditions", "Conditions"), ("terms", "Score terms"))
    rows = [{"": when, **{title: str(changes[key][k]) for key, title in names}} for k, when in enumerate(("Before", "Now"))]
    for title, key in (("Test RCA", "rca"), ("Test BCA", "bca")):
        for row, metrics in zip(rows, (source, run.metrics), strict=True):
            row[title] = "–" if metrics.get(key) is None else f"{metrics[key]:.3f}"
    with st.expander("What simplifying changed", expanded=True):
        st.dataframe(rows, hide_index=True, width="content")
        merged = [
            f"rule {k}: {', '.join(map(str, rules))} before" for k, rules in enumerate(changes["sources"], 1) if len(rules) > 1
        ]
        if merged:
            st.caption(in_markdown(f"Merged rules: {'; '.join(merged)}."))
        if search := changes["search"]:
            _search(search)


def _source(run: RunView) -> dict[str, Any]:
    """The scores of the run that was simplified; {} where it is gone."""
    try:
        store = get_engine().store
        return store.open(store.open(run.id).about()["simplified"]["from"]).metrics()
    except (TSKError, KeyError):
        return {}


def _search(search: dict[str, Any]) -> None:
    """The sizes that were tried, each number of conditions and score terms with its cross-validated BCA."""
    chosen, within = search["candidates"][search["chosen"]], search["full_bca"] - search["tolerance"]
    which = "the smallest" if chosen["smoothed"] >= within else "the best, though none is"
    st.caption(
        f"Of {len(search['candidates'])} sizes, this is {which} within {100 * search['tolerance']:g} point of the full model's"
        f" balanced accuracy ({search['full_bca']:.3f}), cross-validated on the training rows. The test rows had no part in it."
    )
    sizes = [
        {"Rules, at most": candidate["max_rules"],
         "Conditions": round(candidate["conditions"], 1), "Score terms": round(candidate["terms"], 1),
         "BCA (cross-validated)": round(candidate["bca"], 3), "With its neighbours": round(candidate["smoothed"], 3),
         "Agrees with the full model": round(candidate["fidelity"], 3)}
        for candidate in sorted(search["candidates"], key=lambda candidate: (candidate["conditions"] + 2 * candidate["terms"]))
    ]  # fmt: skip
    with st.popover("Sizes that were tried"):
        st.dataframe(sizes, hide_index=True, height=400)


def rules_in_full(run: RunView) -> None:
    """The rules with every number that a prediction needs, as text: of small bases, where a person can read them."""
    if run.result is None or not run.metrics.get("simplification"):
        return
    with st.expander("The rules in full: everything a prediction needs"):
        classifier = run.result.classifier
        st.code(printed_rules(classifier.to_dict(), classifier.encoder_.mean_).text, language=None, wrap_lines=True)

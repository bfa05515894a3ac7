"""What a missed case costs, on the tab Mistakes: the control, and what the decision does to the test rows of the final model."""

import pandas as pd
import streamlit as st

from tsk_core.evaluate import COSTS, Effect, drawn_text, how_drawn
from ui.platform.drawing import fragment, run_page_if_changed, show_errors
from ui.platform.session import Key
from ui.runs import cost_threshold
from ui.runs.run_view import RunView
from ui.runs.score_texts import class_scores, confusion_lines, effect_lines, score_lines, ways, weighted_text
from ui.text import in_markdown, shortened_names

POSITIVE_BOX = Key[str]("positive_box")
MISS_COST_BOX = Key[float]("cost_box")


_NO_COST = "Both mistakes cost the same: the decision is the predicted class, the one with the largest probability."
_EQUAL = "At 1, both mistakes cost the same, and the decision is the predicted class, the one with the largest probability."
_WEIGHTED = "At 1, no cost is set, and the decision is the predicted class."
_HELP = "Training, charts and the scores above do not depend on this number."


@fragment
def costs_panel(run: RunView) -> None:
    """The control and its effect; nothing for a run without a model, or of other than two classes."""
    run_page_if_changed()
    classes = cost_threshold.classes_of(run)
    if not classes:
        return
    with show_errors():
        _controls(run, classes)
        chosen = cost_threshold.decision_of(run)
        cost_threshold.write_address(chosen)
        if chosen is None:
            st.caption(
                f"{_predicted(run) or _NO_COST} Enter what a missed case costs to see what another decision does to the test"
                " rows."
            )
            return
        effect = cost_threshold.effect(run, chosen)
        if effect is None:
            st.info("This run has no test rows with their probabilities, so the effect on test rows is not known.")
        else:
            _effect(run, effect)


def _controls(run: RunView, classes: list[str]) -> None:
    positive, cost = cost_threshold.chosen(run)
    # What was chosen is not kept in the widgets, whose classes change with the run.
    POSITIVE_BOX.set(positive)
    MISS_COST_BOX.set(cost)
    st.caption("**What a missed case costs.** This refers to the final model, not to the epoch shown in the charts.")
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="miss_cost_row"):
        st.markdown("Missing a case of", width="content")
        st.selectbox(
            "Class whose cases are missed", classes, key=POSITIVE_BOX.name, label_visibility="collapsed", width=180,
            on_change=_store,
        )  # fmt: skip
        st.markdown("costs", width="content")
        st.number_input(
            "Cost of a missed case, in false alarms", *COSTS, step=1.0, format="%g", key=MISS_COST_BOX.name,
            label_visibility="collapsed", width=120, on_change=_store,
        )  # fmt: skip
        at_one = _WEIGHTED if _predicted(run) else _EQUAL
        st.markdown("times a false alarm.", width="content", help=f"{at_one} {_HELP}")


def _predicted(run: RunView) -> str:
    """What class weights make of the predicted class, as Markdown; "" without them."""
    positive, _ = cost_threshold.chosen(run)
    name = in_markdown(shortened_names(cost_threshold.classes_of(run), 40)[cost_threshold.classes_of(run).index(positive)])
    return weighted_text(f"'{name}'", cost_threshold.predicted_from(run, positive))


def _store() -> None:
    cost_threshold.choose(POSITIVE_BOX.get(), MISS_COST_BOX.get())


def _effect(run: RunView, effect: Effect) -> None:
    rule, changes, saved, caution = map(in_markdown, effect_lines(effect, run.metrics))
    st.markdown(f"{rule} **{changes}**")
    for column, way, outcome in zip(st.columns(2), ways(effect), (effect.before, effect.after), strict=True):
        with column:
            st.caption(f"**{way}**")
            _table(confusion_lines(effect, outcome), f"Confusion matrix: {way.lower()}")
    st.markdown(saved)
    _table(score_lines(effect), "Scores of both decisions, with 95% intervals in brackets")
    st.caption(caution)


def _table(lines: list[dict[str, str]], alt: str) -> None:
    shown = pd.DataFrame([{in_markdown(title): in_markdown(text) for title, text in line.items()} for line in lines])
    st.table(shown, border="horizontal", hide_index=True, alt=alt)


# The table of scores by class, with intervals, below the charts of the tab Mistakes.


HIGH = 20  # classes; more are in a box that scrolls


def by_class_table(run: RunView) -> None:
    """The table of a run that ended; nothing where it has no test rows."""
    lines = class_scores(run.metrics)
    if not lines:
        return
    drawn = in_markdown(drawn_text(run.metrics["resampled"], run.metrics["test_rows"]))
    st.caption(
        f"**Scores of the final model by class.** In brackets: the 95% interval{drawn}.", help=how_drawn(run.metrics["resampled"])
    )
    names = shortened_names([line["Class"] for line in lines], 40)
    shown = [{**line, "Class": in_markdown(name)} for line, name in zip(lines, names, strict=True)]
    with st.container(height=700 if len(shown) > HIGH else "content", border=False, key="by_class"):
        st.table(pd.DataFrame(shown), border="horizontal", hide_index=True, alt="Scores by class")

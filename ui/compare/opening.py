"""A training of a comparison as a run of the page Explore: the same settings, seed and split, started there."""

from dataclasses import replace

import streamlit as st

from tsk_core.experiments import Plan
from ui.page.open_in_explore import open_in_explore
from ui.platform import session


def open_clicked() -> None:
    """Open the training that was clicked, if one was; before any widget is made."""
    number, plan = session.COMPARE_OPENED.pop(), session.COMPARE_PLAN.get()
    if number is not None and plan is not None:
        open_training(plan, number)


def open_training(plan: Plan, number: int) -> None:
    """Set the settings of Explore to those of a training, request it, and switch the page. Before any widget is made."""
    trainings = plan.trainings()
    if not 0 <= number < len(trainings):
        return
    training = trainings[number]
    ur_weight = session.COMPARE_UR_WEIGHTS.get().get(number, training.config.ur_weight)  # where validation chose it
    config = replace(training.config, early_stopping=False, ur_weight=ur_weight)
    variant = plan.variants[training.variant]
    if (variant.width, variant.row_share) != (1.0, 1.0) or plan.validated:
        st.toast(
            "Explore trains on all training rows with the usual initial width, so its numbers differ from this comparison's."
        )
    open_in_explore(config, plan.test_size, visit_from="compare")

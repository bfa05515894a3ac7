"""The form that starts tuning: its aim, the budget and a button, beside the settings."""

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import Dataset
from tsk_core.tuning import TRAININGS
from ui.data.choose import Chosen
from ui.platform import session
from ui.platform.errors import error_markdown
from ui.runs import current_run
from ui.runs.score_texts import below_baseline
from ui.settings.boxes import box
from ui.text import in_markdown
from ui.tuning.tuning_run import start, status_on

BUDGETS = {10: "10 s", 30: "30 s", 120: "2 min"}
AIMS = {False: "Most accurate", True: "Readable: few short rules"}
SCORING_TEXTS = {
    "balanced_accuracy": "Balanced accuracy",
    "accuracy": "Accuracy",
    "roc_auc": "AUC",
    "neg_log_loss": "Log loss",
    "f1_macro": "F1, macro average",
    "f1_weighted": "F1, weighted",
    "matthews_corrcoef": "MCC",
}
_SCORING_HELP = (
    "What tuning maximises on the validation folds; the baselines are tuned by the same score. Balanced accuracy (BCA) and"
    " macro F1 weight each class equally, accuracy (RCA) and weighted F1 each row; AUC measures how well rows are ranked, the"
    " log loss how good the probabilities themselves are; MCC is Matthews' correlation of predicted and true classes."
)
_HELP = (
    "Tries many settings by cross-validation on the training rows, these settings among them, and trains the best further."
    " It does not see the test rows. More time tries more settings and validates the best ones on more folds."
)
_AIM_HELP = (
    "Most accurate: the best score. Readable: rules with few conditions and one score for each class, as few as"
    " possible within one standard error of the best, by the score less what the text lacks to be the model; a curve shows what"
    " other sizes reach."
)
_SEVERAL_HELP = (
    f"The best settings are tried in {TRAININGS} separate trainings as well, or in as many as the limit of rules allows. Their"
    f" rules then form one rule base, an ensemble, with up to {TRAININGS} times as many rules; untick it for fewer."
)


def tuning_form(config: TrainConfig | None, test_size: float, chosen: Chosen | None) -> None:
    """Draw the form, after starting what was requested with it. Above it: whether the run shown is below a baseline."""
    dataset = chosen and chosen.dataset
    ready, failure = config is not None and dataset is not None, ""
    if (requested := session.TUNING_REQUESTED.get()) and ready and not _is_tuned(dataset):
        try:
            start(config, dataset, *requested, test_size)
        except Exception as error:
            failure = error_markdown(error)
    session.TUNING_REQUESTED.set(None)
    run = current_run.get()  # as the last draw left it: the page asks for its run once
    if run is not None and (below := below_baseline(run.metrics)):
        st.caption(f":material/info: {in_markdown(below)}")
    with box("tuning", "Find good settings"):
        readable = st.radio("Aim", list(AIMS), format_func=AIMS.get, key=session.TUNING_AIM.name, help=_AIM_HELP)
        st.checkbox(
            "Also combine several trainings of the best settings",
            True,
            key=session.TUNING_SEVERAL.name,
            help=_SEVERAL_HELP,
            disabled=readable,
        )
        st.selectbox(
            "Score", list(SCORING_TEXTS), format_func=SCORING_TEXTS.get, key=session.TUNING_SCORING.name, help=_SCORING_HELP
        )
        st.segmented_control(
            "Time", list(BUDGETS), default=30, format_func=BUDGETS.get, required=True, width="stretch",
            key=session.TUNING_BUDGET.name,
        )  # fmt: skip
        busy = ready and _is_tuned(dataset)
        st.button(
            "Find good settings", disabled=busy or not ready, on_click=_request, help=_HELP, width="stretch",
        )  # fmt: skip
        if failure:
            st.error(failure)


def _is_tuned(dataset: Dataset) -> bool:
    """Whether a tuning of this table is under way."""
    status = status_on(dataset)
    return status is not None and not status.ended


def _request() -> None:
    """With what the form has now, carried out with the settings as they are then drawn."""
    trainings = TRAININGS if session.TUNING_SEVERAL.get() else 1
    session.TUNING_REQUESTED.set((session.TUNING_BUDGET.get(), session.TUNING_AIM.get(), session.TUNING_SCORING.get(), trainings))

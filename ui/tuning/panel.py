"""Tuning on the page: the form that starts it, its progress, what it found and a button that takes it over."""

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import Dataset
from tsk_core.live import Stream
from tsk_core.tuning import TRAININGS, Trial
from ui.data.choose import Chosen
from ui.live import mount, watch
from ui.live.subjects import ticket
from ui.platform.caches import table_key
from ui.platform.drawing import error_markdown, show_errors
from ui.platform.session import Key
from ui.runs import current_run
from ui.runs.score_texts import below_baseline
from ui.runs.side_tasks import stop
from ui.settings import starting
from ui.settings.controls import TEST_DEFAULT, box
from ui.settings.opening import use_settings
from ui.text import in_markdown
from ui.tuning import tuning_run
from ui.tuning.tuning_run import TUNING_CHOSEN, TUNING_OPEN, TUNINGS, TuningRun, start, status_on

TUNING_REQUESTED = Key["tuple[float, bool, str, int] | None"]("tuning_requested")  # seconds, whether readable, scoring, trainings
TUNING_AIM = Key[bool]("tuning_aim", default=False)  # whether readable rules are looked for
TUNING_SEVERAL = Key[bool]("tuning:several", default=True)
TUNING_SCORING = Key[str]("tuning:scoring")
TUNING_BUDGET = Key[int]("budget")
TUNING_BOX = Key[bool]("tuning_box")


def tuning_panel(config: TrainConfig | None, test_size: float, chosen: Chosen | None) -> None:
    """The box of the tuning on the chosen table, if there is one.

    config, test_size: of the page; the split of a tuning may be another.
    """
    with st.container(), show_errors():  # always there, so that what is below keeps its place
        status = status_on(chosen.dataset) if chosen is not None and chosen.dataset is not None else None
        if status is None:
            return
        tuning = TuningRun.load(status)
        TUNING_BOX.set(TUNING_OPEN.get())  # the state of the widget alone is lost on another page
        box = st.expander("Tuning", key=TUNING_BOX.name, on_change=_keep_open)
        with box:
            if not tuning.status.ended:
                _progress(tuning)
            elif not box.open:
                return
            elif tuning.best is None:
                st.warning(in_markdown(tuning.status.message or "Tuning ended before any settings had a score."))
                return
            else:
                _found(tuning, tuning.best, config, test_size)
            _follow(tuning)
            mount("search", key="search", calls={"chosen": lambda number: tuning.choose(int(number))})


def is_shown(chosen: Chosen | None) -> bool:
    """Whether the page, as it was drawn last, shows in an open box what a tuning on the chosen table found or is finding."""
    dataset = chosen and chosen.dataset
    return TUNING_OPEN.get() and dataset is not None and TUNINGS.get().get(table_key(dataset)) is not None


def _keep_open() -> None:
    TUNING_OPEN.set(TUNING_BOX.get())


def _progress(tuning: TuningRun) -> None:
    """While it goes: how far it is, the best so far, and a button that stops."""
    with st.container(horizontal=True, vertical_alignment="center"):
        mount("standing", key="tuning_standing", of=tuning.status.run)
        keeps = "Keeps the best settings so far."
        st.button("Stop tuning", disabled=not tuning.owned, on_click=stop, args=(tuning.status.run,), help=keeps)


def _follow(tuning: TuningRun) -> None:
    """Let the browser follow it, with the rule base of the curve that was clicked."""
    stream, run = Stream(), tuning.status.run
    stream.set("tuning_chosen", TUNING_CHOSEN.get().get(run))
    one = ticket("tuning", run=run, training=current_run.active() is not None)
    watch([one], stream.parts(), {run: {"ended": tuning.status.ended}}, key="tuning_watch")


def _found(tuning: TuningRun, best: Trial, config: TrainConfig | None, test_size: float) -> None:
    """The result in words, and the button."""
    chosen = tuning.chosen or best
    st.markdown(in_markdown(tuning_run.ended_text(best, tuning.metrics, tuning.status)))
    if chosen is not best:
        st.markdown(in_markdown(tuning_run.chosen_text(chosen)))
    changes = starting.changes_to(chosen.config)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Use these settings", type="primary", disabled=not changes, on_click=_use, args=(chosen.config,))
        listed = f"Changes {', '.join(changes)}. The seed and the test share stay." if changes else "The page has these settings."
        st.caption(in_markdown(listed))
    st.caption(in_markdown(tuning_run.honest_text(best, tuning.own, len(tuning.trials), tuning.took_shortest)))
    seed, share = tuning.split()
    moved = tuning_run.split_text((seed, seed if config is None else config.random_state), (share, test_size))
    for note in (*tuning.metrics.get("notes", ()), moved):
        if note:
            st.caption(in_markdown(note))


def _use(config: TrainConfig) -> None:
    """Set all widgets; a callback, so that it comes before they are drawn."""
    use_settings(config, TEST_DEFAULT, keep=starting.SPLIT_KEYS)
    TUNING_OPEN.set(False)
    st.toast("The settings are set. Press Train to use them.")


# The form that starts tuning: its aim, the budget and a button, beside the settings.


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
    if (requested := TUNING_REQUESTED.get()) and config is not None and dataset is not None and not _is_tuned(dataset):
        try:
            start(config, dataset, *requested, test_size)
        except Exception as error:
            failure = error_markdown(error)
    TUNING_REQUESTED.set(None)
    run = current_run.get()  # as the last draw left it: the page asks for its run once
    if run is not None and (below := below_baseline(run.metrics)):
        st.caption(f":material/info: {in_markdown(below)}")
    with box("tuning", "Find good settings"):
        readable = st.radio("Aim", list(AIMS), format_func=AIMS.__getitem__, key=TUNING_AIM.name, help=_AIM_HELP)
        st.checkbox(
            "Also combine several trainings of the best settings",
            True,
            key=TUNING_SEVERAL.name,
            help=_SEVERAL_HELP,
            disabled=readable,
        )
        st.selectbox(
            "Score", list(SCORING_TEXTS), format_func=SCORING_TEXTS.__getitem__, key=TUNING_SCORING.name, help=_SCORING_HELP
        )
        st.segmented_control(
            "Time", list(BUDGETS), default=30, format_func=BUDGETS.__getitem__, required=True, width="stretch",
            key=TUNING_BUDGET.name,
        )  # fmt: skip
        busy = dataset is not None and ready and _is_tuned(dataset)
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
    trainings = TRAININGS if TUNING_SEVERAL.get() else 1
    TUNING_REQUESTED.set((TUNING_BUDGET.get(), TUNING_AIM.get(), TUNING_SCORING.get(), trainings))

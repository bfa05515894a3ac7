"""What Compare and Sweep let people choose alike: how many seeds, which score counts, which band is drawn; in links too."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.experiments import MOST_SEEDS, SCORES, Plan
from ui.platform import session
from ui.platform.drawing import linked_widget
from ui.platform.session import Key, Keys
from ui.settings.controls import RULE_BASE

SEEDS_KEY = Key[int]("seeds")
SCORE_KEY = Key[str]("score")
BAND_KEY = Key[str]("band")
SHOWN_CHOICE = Keys[str]("{}:shown")  # the widget that people see of a choice whose own widget is that of links


SEEDS, SCORE, BAND = SEEDS_KEY.name, SCORE_KEY.name, BAND_KEY.name  # of widgets and in links
BEST = "best"  # the score that holds rows out
DEFAULTS = {SCORE: "mean", BAND: "sd"}
BANDS = {"sd": "SD", "ci": "95% interval"}  # what stands in links -> what people read
SEEDS_HELP = (
    "Trainings of each {each}; the first one has the seed of the sidebar. Each seed has its own split, initial state and batch"
    " order, the same for every {each}. Where the test rows are the latest ones, or a column or a second file says which"
    " they are, all seeds have the same split."
)
_SCORE_HELP = (
    "Which test score of a training counts. last: of its last epoch, which is partly luck. mean: the mean of its last epochs (a"
    " fifth of them, 5 to 30). best: of the epoch that is best on validation rows; a fifth of the training rows is then held out,"
    " so everything is trained again."
)


def correct_choices(options: Mapping[str, Collection[str]]) -> bool:
    """Drop the values of the link that are none of the options of their key; returns whether there were any."""
    wrong = [key for key, known in options.items() if st.query_params.get(key, next(iter(known))) not in known]
    for key in wrong:
        del st.query_params[key]
    return bool(wrong)


def correct_seeds(default: int) -> bool:
    """Replace a number of seeds in the link that cannot be; returns whether it was replaced."""
    text = st.query_params.get(SEEDS)
    if text is None or (text.isdecimal() and 1 <= int(text) <= MOST_SEEDS):
        return False
    st.query_params[SEEDS] = str(min(max(int(text), 1), MOST_SEEDS)) if text.isdecimal() else str(default)
    return True


def take_over(plan: Plan) -> None:
    """Set the widgets to what a plan has; before any of them is made. Of the scores, a plan knows only whether it is "best"."""
    SEEDS_KEY.set(plan.seeds)
    if plan.validated or SCORE_KEY.get() == BEST:
        SCORE_KEY.set(BEST if plan.validated else DEFAULTS[SCORE])


def seeds_input(default: int, help_text: str) -> int:
    """The number of seeds."""
    return int(st.number_input("Seeds", 1, MOST_SEEDS, default, 1, key=SEEDS, bind="query-params", width=110, help=help_text))


def score_choice() -> str:
    """Which score of a training counts."""
    return choice("Score", SCORE, list(SCORES), DEFAULTS[SCORE], _SCORE_HELP)


def band_choice(help_text: str) -> str:
    """Which band is drawn."""
    return named_choice("Band", BAND, BANDS, DEFAULTS[BAND], help_text)


def choice(label: str, key: str, options: Sequence[str], default: str, help_text: str) -> str:
    """One of a few options, in a row of buttons."""
    return st.segmented_control(
        label, options, default=default, required=True, key=key, bind="query-params", help=help_text, width="content"
    )


def named_choice(label: str, key: str, options: Mapping[str, str], default: str, help_text: str) -> str:
    """The same, where people read other words than links have. options: what stands in links -> what people read."""
    row, shown = partial(st.segmented_control, label, list(options), required=True), SHOWN_CHOICE(key)
    with linked_widget(session.widget(key), shown):
        row(default=default, key=key, bind="query-params")
    words = options.__getitem__
    return row(key=shown.name, format_func=words, on_change=_follow, args=(key,), help=help_text, width="content")


def listed(label: str, key: str, options: Mapping[str, str], help_text: str, width: int) -> str:
    """One of several options, in a list; the first one by default. options: as of ``named_choice``."""
    names, shown = list(options), SHOWN_CHOICE(key)
    with linked_widget(session.widget(key), shown):
        st.selectbox(label, names, key=key, bind="query-params")
    words = options.__getitem__
    return st.selectbox(
        label, names, key=shown.name, format_func=words, on_change=_follow, args=(key,), help=help_text, width=width
    )


def _follow(key: str) -> None:
    session.widget(key).set(SHOWN_CHOICE(key).get())


# A key that switches a choice to its next option.


def next_option(widget: session.Key[str], options: Sequence[str], step: int = 1) -> Callable[[], None]:
    """A callback that sets this choice to the option ``step`` places on, or to the first one if it has none."""

    def switch() -> None:
        now = widget.get()
        widget.set(options[(options.index(now) + step) % len(options)] if now in options else options[0])

    return switch


# What of the sidebar a comparison or sweep does not use, said in the sidebar.


def unused_settings(config: TrainConfig | None) -> None:
    """A caption for each setting of this browser that has no effect here; see ``experiments.variants.comparable``."""
    if config is not None and config.early_stopping:
        st.caption("Early stopping has no effect here: all trainings take equally many epochs.")
    if RULE_BASE.get() is not None:
        st.caption("The uploaded rule base is not used here; trainings start as the variants say.")

"""What Compare and Sweep let people choose alike: how many seeds, which score counts, which band is drawn; in links too."""

from collections.abc import Collection, Mapping, Sequence

import streamlit as st

from tsk_core.experiments import MOST_SEEDS, SCORES
from ui.platform import session

__all__ = [
    "BAND",
    "BANDS",
    "DEFAULTS",
    "SCORE",
    "SEEDS",
    "band_choice",
    "choice",
    "correct_choices",
    "correct_seeds",
    "score_choice",
    "seeds_input",
]

SEEDS, SCORE, BAND = session.SEEDS.name, session.SCORE.name, session.BAND.name  # of widgets and in links
BANDS = ("sd", "ci")  # the standard deviation over seeds, and the 95% interval of their mean
DEFAULTS = {SCORE: "mean", BAND: "sd"}
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


def seeds_input(default: int, help_text: str) -> int:
    """The number of seeds."""
    return int(st.number_input("Seeds", 1, MOST_SEEDS, default, 1, key=SEEDS, bind="query-params", width=110, help=help_text))


def score_choice() -> str:
    """Which score of a training counts."""
    return choice("Score", SCORE, list(SCORES), DEFAULTS[SCORE], _SCORE_HELP)


def band_choice(help_text: str) -> str:
    """Which band is drawn."""
    return choice("Band", BAND, BANDS, DEFAULTS[BAND], help_text)


def choice(label: str, key: str, options: Sequence[str], default: str, help_text: str) -> str:
    """One of a few options, in a row of buttons."""
    return st.segmented_control(
        label, options, default=default, required=True, key=key, bind="query-params", help=help_text, width="content"
    )

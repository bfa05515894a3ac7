"""What a sweep trains besides its axes, and how it is drawn: widgets that links carry; and the plan that all of it makes."""

from dataclasses import dataclass

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.errors import SettingError
from tsk_core.experiments import MOST_SEEDS, SCORES, Axis, Plan, sweep_plan
from ui.sweep.axes import KEPT, link_axes
from ui.sweep.cell_runs import OPENED
from ui.sweep.words import BANDS, METRICS
from ui.text import in_markdown

__all__ = [
    "BAND",
    "DRAW",
    "NOTED",
    "SCORE",
    "SHOW",
    "Wanted",
    "correct_link",
    "drawn_as",
    "link_values",
    "options_row",
    "plan_of",
]

SEEDS, SCORE, SHOW, BAND, DRAW = "seeds", "score", "show", "band", "draw"  # keys of widgets, and in links
NOTED = (SEEDS, SCORE, SHOW, BAND, DRAW, KEPT, OPENED, "experiment_requested")  # what fragments of the page have to notice
_DEFAULTS = {SCORE: "mean", SHOW: "bca", BAND: "sd", DRAW: "map"}
_DRAWN = {"map": "heat maps", "lines": "lines", "parallel": "parallel coordinates"}
_OPTIONS = {SCORE: SCORES, SHOW: METRICS, BAND: BANDS, DRAW: _DRAWN}
_SEEDS = 5
_SEEDS_HELP = (
    "Trainings of each cell. Each seed has its own split, initial state and batch order, the same for all cells; the first one is"
    " the seed of the sidebar."
)
_SCORE_HELP = (
    "Which test score of a training counts. last: of its last epoch, which is partly luck. mean: the mean of its last epochs (a"
    " fifth of them, 5 to 30). best: of the epoch that is best on validation rows; a fifth of the training rows is then held out,"
    " so everything is trained again."
)  # fmt: skip
_SHOW_HELP = (
    "What is drawn of each training: BCA, RCA, entropy of the firing levels, dead rules, fidelity of rules with three conditions,"
    " or a training's share of the seconds of its stack."
)
_BAND_HELP = (
    "sd: the standard deviation of the seeds. ci: the 95% interval of their mean, corrected for overlapping training sets."
)
_DRAW_HELP = "Heat maps, a line for each value of the second axis, or, with four axes, parallel coordinates."


@dataclass(frozen=True)
class Wanted:
    """How the sweep is scored and drawn: keys of ``SCORES``, ``METRICS``, ``BANDS``, and "map", "lines" or "parallel"."""

    seeds: int
    score: str
    show: str
    band: str
    draw: str


def correct_link() -> None:
    """Replace values that a link cannot have; before any widget is made."""
    wrong = [key for key, options in _OPTIONS.items() if st.query_params.get(key, _DEFAULTS[key]) not in options]
    for key in wrong:
        del st.query_params[key]
    if _correct_seeds() or wrong:
        st.rerun()  # so that the widgets take the corrected values


def _correct_seeds() -> bool:
    text = st.query_params.get(SEEDS)
    if text is None or (text.isdecimal() and 1 <= int(text) <= MOST_SEEDS):
        return False
    st.query_params[SEEDS] = str(min(max(int(text), 1), MOST_SEEDS)) if text.isdecimal() else str(_SEEDS)
    return True


def options_row(n_axes: int) -> Wanted:
    """Draw the widgets; returns what they say. n_axes: decides in which ways the cells can be drawn."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="sweep_options"):
        seeds = st.number_input("Seeds", 1, MOST_SEEDS, _SEEDS, 1, key=SEEDS, bind="query-params", width=110, help=_SEEDS_HELP)
        score = _choice("Score", SCORE, list(SCORES), _SCORE_HELP)
        show = st.selectbox("Show", list(METRICS), key=SHOW, bind="query-params", help=_SHOW_HELP, width=130)
        band = _choice("Band", BAND, list(BANDS), _BAND_HELP)
        draw = "map"
        if n_axes > 1:
            draw = _choice("Draw as", DRAW, drawn_as(n_axes), _DRAW_HELP)
    return Wanted(int(seeds), score, show, band, draw)


def drawn_as(n_axes: int) -> list[str]:
    """The ways in which the cells of so many axes can be drawn, of two at least."""
    return ["map", "lines", *(["parallel"] if n_axes == 4 else [])]


def plan_of(axes: tuple[Axis, ...] | None, config: TrainConfig | None, test_size: float, wanted: Wanted) -> Plan | None:
    """The plan of the page; None, with a message on the page, where there cannot be one."""
    if axes is None or config is None:
        return None
    try:
        return sweep_plan(axes, config, seeds=wanted.seeds, test_size=test_size, score=wanted.score)
    except SettingError as error:
        st.error(in_markdown(error))
        return None


def link_values(axes: tuple[Axis, ...] | None, wanted: Wanted) -> dict[str, str]:
    """The values of a full link, by key."""
    drawn = {SEEDS: str(wanted.seeds), SCORE: wanted.score, SHOW: wanted.show, BAND: wanted.band, DRAW: wanted.draw}
    return link_axes(axes or ()) | drawn


def _choice(label: str, key: str, options: list[str], help_text: str) -> str:
    for known in (st.session_state, st.query_params):
        if known.get(key, options[0]) not in options:  # such as parallel coordinates of fewer axes
            known[key] = _DEFAULTS[key]
    return st.segmented_control(
        label, options, default=_DEFAULTS[key], required=True, key=key, bind="query-params", help=help_text, width="content",
    )  # fmt: skip

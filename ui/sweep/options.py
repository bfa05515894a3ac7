"""What a sweep trains besides its axes, and how it is drawn: widgets that links carry; and the plan that all of it makes."""

from dataclasses import dataclass

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.errors import SettingError
from tsk_core.experiments import SCORES, Axis, Plan, sweep_plan
from ui.experiments import options
from ui.experiments.options import BAND, DEFAULTS, SCORE, SEEDS
from ui.platform import session
from ui.sweep.axes import link_axes
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

SHOW, DRAW = session.SHOW.name, session.DRAW.name  # keys of widgets, and in links
_NOTED = (session.SWEEP_AXES, session.SWEEP_OPENED, session.EXPERIMENT_REQUESTED)
NOTED = (SEEDS, SCORE, SHOW, BAND, DRAW, *(key.name for key in _NOTED))  # what fragments of the page have to notice
_MAP = "map"
_DRAWN = (_MAP, "lines", "parallel")
_OPTIONS = {SCORE: SCORES, SHOW: METRICS, BAND: BANDS, DRAW: _DRAWN}
_SEEDS = 5
_SEEDS_HELP = (
    "Trainings of each cell. Each seed has its own split, initial state and batch order, the same for all cells; the first one is"
    " the seed of the sidebar."
)
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
    if options.correct_seeds(_SEEDS) | options.correct_choices(_OPTIONS):
        st.rerun()  # so that the widgets take the corrected values


def options_row(n_axes: int) -> Wanted:
    """Draw the widgets; returns what they say. n_axes: decides in which ways the cells can be drawn."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="sweep_options"):
        seeds = options.seeds_input(_SEEDS, _SEEDS_HELP)
        score = options.score_choice()
        show = st.selectbox("Show", list(METRICS), key=SHOW, bind="query-params", help=_SHOW_HELP, width=130)
        band = options.choice("Band", BAND, list(BANDS), DEFAULTS[BAND], _BAND_HELP)
        draw = _draw_choice(n_axes) if n_axes > 1 else _MAP
    return Wanted(seeds, score, show, band, draw)


def drawn_as(n_axes: int) -> list[str]:
    """The ways in which the cells of so many axes can be drawn, of two at least."""
    return list(_DRAWN if n_axes == 4 else _DRAWN[:2])


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


def _draw_choice(n_axes: int) -> str:
    """How to draw; a choice that these axes do not have, such as parallel coordinates of fewer axes, becomes a map."""
    ways = drawn_as(n_axes)
    if session.DRAW.is_set() and session.DRAW.get() not in ways:
        session.DRAW.set(_MAP)
    if st.query_params.get(DRAW, _MAP) not in ways:
        st.query_params[DRAW] = _MAP
    return options.choice("Draw as", DRAW, ways, _MAP, _DRAW_HELP)

"""What a sweep trains besides its axes, and how it is drawn: widgets that links carry; and the plan that all of it makes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import Dataset
from tsk_core.errors import DataError, SettingError
from tsk_core.experiments import EQUAL as EQUALS
from tsk_core.experiments import SCORES, Axis, Plan, most_training_rows, sweep_plan
from ui.experiments import options
from ui.experiments.options import BAND, BANDS, SCORE, SEEDS
from ui.platform import session
from ui.platform.caches import once_per_session
from ui.sweep.axes import link_axes
from ui.sweep.words import METRICS
from ui.text import in_markdown

SHOW, DRAW, EQUAL = session.SHOW.name, session.DRAW.name, session.EQUAL.name  # keys of widgets, and in links
_NOTED = (session.SWEEP_AXES, session.SWEEP_OPENED, session.EXPERIMENT_REQUESTED)
NOTED = (SEEDS, SCORE, EQUAL, SHOW, BAND, DRAW, *(key.name for key in _NOTED))  # what fragments of the page have to notice
_MAP = "map"
_DRAWN = {_MAP: "heat map", "lines": "lines", "parallel": "parallel coordinates"}  # in links -> what people read
_SHOWN = {name: f"{metric.short[0].upper()}{metric.short[1:]}" for name, metric in METRICS.items()}
_OPTIONS = {SCORE: SCORES, EQUAL: EQUALS, SHOW: METRICS, BAND: BANDS, DRAW: _DRAWN}
_SEEDS = 5
_SEEDS_HELP = options.SEEDS_HELP.format(each="cell")
_SHOW_HELP = (
    "What is drawn of each training: BCA, RCA, entropy of the firing levels, dead rules, fidelity of rules with three conditions,"
    " conditions of all rules, or a training's share of the seconds of its stack."
)
_BAND_HELP = "SD: the standard deviation of the seeds. 95% interval: that of their mean, corrected for overlapping training sets."
_EQUAL_HELP = (
    "What all batch sizes get the same number of. Epochs: as in the sidebar; a large batch then takes fewer gradient steps."
    " Steps: as many gradient steps as batch size and epochs of the sidebar take, so that only the size of the batches differs."
)
_DRAW_HELP = "Heat maps, a line for each value of the second axis, or, with four axes, parallel coordinates."


@dataclass(frozen=True)
class Wanted:
    """How the sweep is trained, scored and drawn.

    score, show, band: keys of ``SCORES``, ``METRICS`` and ``BANDS``. draw: "map", "lines" or "parallel". equal: of ``EQUAL``.
    """

    seeds: int
    score: str
    show: str
    band: str
    draw: str
    equal: str = EQUALS[0]


def correct_link() -> None:
    """Replace values that a link cannot have; before any widget is made."""
    if options.correct_seeds(_SEEDS) | options.correct_choices(_OPTIONS):
        st.rerun()  # so that the widgets take the corrected values


def options_row(axes: Sequence[Axis]) -> Wanted:
    """Draw the widgets; returns what they say. axes: decide in which ways the cells can be drawn, and what they share."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="sweep_options"):
        seeds = options.seeds_input(_SEEDS, _SEEDS_HELP)
        score = options.score_choice()
        equal = EQUALS[0]
        if any(axis.key == "batch" for axis in axes):
            equal = options.choice("Equal", EQUAL, EQUALS, EQUALS[0], _EQUAL_HELP)
        show = options.listed("Show", SHOW, _SHOWN, _SHOW_HELP, width=120)
        band = options.band_choice(_BAND_HELP)
        draw = _draw_choice(len(axes)) if len(axes) > 1 else _MAP
    return Wanted(seeds, score, show, band, draw, equal)


def drawn_as(n_axes: int) -> list[str]:
    """The ways in which the cells of so many axes can be drawn, of two at least."""
    return [way for way in _DRAWN if way != "parallel" or n_axes == 4]


def plan_of(
    axes: tuple[Axis, ...] | None, config: TrainConfig | None, test_size: float, wanted: Wanted, dataset: Dataset | None
) -> Plan | None:
    """The plan of the page; None, with a message on the page, where there cannot be one."""
    if axes is None or config is None:
        return None
    options = {"seeds": wanted.seeds, "test_size": test_size, "score": wanted.score, "equal": wanted.equal}
    try:
        return sweep_plan(axes, config, None if dataset is None else partial(_rows, dataset), **options)
    except (SettingError, DataError) as error:
        st.error(in_markdown(error))
        return None


_rows = once_per_session(entries=8)(most_training_rows)


def link_values(axes: tuple[Axis, ...] | None, wanted: Wanted) -> dict[str, str]:
    """The values of a full link, by key."""
    trained = {SEEDS: str(wanted.seeds), SCORE: wanted.score, EQUAL: wanted.equal}
    return link_axes(axes or ()) | trained | {SHOW: wanted.show, BAND: wanted.band, DRAW: wanted.draw}


def _draw_choice(n_axes: int) -> str:
    """How to draw; a choice that these axes do not have, such as parallel coordinates of fewer axes, becomes a map."""
    ways = drawn_as(n_axes)
    if session.DRAW.is_set() and session.DRAW.get() not in ways:
        session.DRAW.set(_MAP)
    if st.query_params.get(DRAW, _MAP) not in ways:
        st.query_params[DRAW] = _MAP
    return options.named_choice("Draw as", DRAW, {way: _DRAWN[way] for way in ways}, _MAP, _DRAW_HELP)

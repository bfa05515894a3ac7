"""What is compared: variants, seeds, score and band, as widgets and in the link; the plan that they make."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from tsk_core.config import SETTINGS, TrainConfig
from tsk_core.errors import SettingError
from tsk_core.experiments import (
    BASE,
    DEFAULT_VARIANTS,
    EXTRAS,
    MOST_SEEDS,
    MOST_VARIANTS,
    NAMED_VARIANTS,
    SCORES,
    Plan,
    comparison_plan,
    make_variant,
    parse_variants,
)  # fmt: skip
from ui.text import in_markdown

__all__ = ["BANDS", "NOTED", "VARIANTS", "Wanted", "controls", "link_values", "read_link", "set_variants", "variants"]

VARIANTS = "variants"  # key in links
SEEDS, SCORE, BAND = "seeds", "score", "band"  # keys of widgets and in links
BANDS = ("sd", "ci")
DEFAULT_SEEDS, DEFAULT_SCORE, DEFAULT_BAND = 10, "mean", "sd"
_KEPT, _BOX, _NOTE = "compared_variants", "variants_box", "variants_note"
_KNOBS = {
    setting.key: name for name, setting in SETTINGS.items() if setting.key not in (None, "", "seed", "epochs", "es", "patience")
}
NOTED = (SEEDS, SCORE, BAND, _KEPT, "experiment_requested", "compare_opened")  # what a fragment has to run the page for
_SCORE_HELP = (
    "Which test score of a training counts. last: of its last epoch, which is partly luck. mean: the mean of its last epochs"
    " (a fifth of them, 5 to 30). best: of the epoch that is best on validation rows; a fifth of the training rows is then held"
    " out, so everything is trained again."
)
_BAND_HELP = (
    "What the bands, the whiskers and the table show. sd: the standard deviation of the seeds, how much one training can differ"
    " from another. ci: the 95% interval of their mean, corrected for overlapping training sets."
)
_VARIANT_HELP = (
    "Each changes one thing of the settings in the sidebar; everything else is the same: split, initial state and batch order."
    " MBGD: neither BN nor UR. As set: the settings as they are."
)


@dataclass(frozen=True)
class Wanted:
    """What the page asks for. plan: None where it cannot be made; a message then says why."""

    plan: Plan | None
    score: str
    band: str


def read_link() -> None:
    """Take the variants of the link once, and replace what a link cannot have; before any widget is made."""
    if _KEPT not in st.session_state:
        texts = [text for text in st.query_params.get(VARIANTS, "").split(",") if text]
        fitting = list(dict.fromkeys(text for text in texts if _is_variant(text)))[:MOST_VARIANTS]
        if len(fitting) < len(texts):
            st.session_state[_NOTE] = "Some variants of the link are unknown, there twice or too many; they are left out."
        st.session_state[_KEPT] = fitting or list(DEFAULT_VARIANTS)
    if _correct_choices() or _correct_seeds():
        st.rerun()  # so that the widgets take the corrected values


def _correct_choices() -> bool:
    """Leave out a score and a band that there are not; returns whether any was."""
    wrong = [
        key for key, options in ((SCORE, tuple(SCORES)), (BAND, BANDS)) if st.query_params.get(key, options[0]) not in options
    ]
    for key in wrong:
        del st.query_params[key]
        st.session_state[_NOTE] = "The link's score or band is unknown, so the default is used."
    return bool(wrong)


def _correct_seeds() -> bool:
    """Replace a number of seeds that cannot be; returns whether it was."""
    text = st.query_params.get(SEEDS)
    if text is None or (text.isdecimal() and 1 <= int(text) <= MOST_SEEDS):
        return False
    st.query_params[SEEDS] = str(min(max(int(text), 1), MOST_SEEDS)) if text.isdecimal() else str(DEFAULT_SEEDS)
    return True


def variants() -> list[str]:
    """The variants chosen, as links write them."""
    return st.session_state.get(_KEPT, list(DEFAULT_VARIANTS))


def set_variants(texts: Sequence[str]) -> None:
    """Choose these variants; in a callback, or before the widgets are made."""
    st.session_state[_KEPT] = list(texts)


def controls(config: TrainConfig | None, test_size: float) -> Wanted:
    """Draw the row of controls; returns what they ask for. config: the settings that the variants change."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="compare_controls"):
        _variants_box(config)
        _add_form(config)
        seeds = st.number_input(
            "Seeds", 1, MOST_SEEDS, DEFAULT_SEEDS, 1, key=SEEDS, bind="query-params", width=110,
            help="Trainings of each variant. Each seed has its own split, start and batch order, the same for all variants.",
        )  # fmt: skip
        score = st.segmented_control(
            "Score",
            list(SCORES),
            default=DEFAULT_SCORE,
            required=True,
            key=SCORE,
            bind="query-params",
            help=_SCORE_HELP,
            width="content",
        )
        band = st.segmented_control(
            "Band", BANDS, default=DEFAULT_BAND, required=True, key=BAND, bind="query-params", help=_BAND_HELP, width="content"
        )
    _write_link()
    if note := st.session_state.get(_NOTE):
        st.info(in_markdown(note))
    return Wanted(_plan(config, test_size, int(seeds), score), score, band)


def link_values(wanted: Wanted) -> dict[str, str]:
    """The values of a full link, by key."""
    return {VARIANTS: ",".join(variants()), SEEDS: str(st.session_state[SEEDS]), SCORE: wanted.score, BAND: wanted.band}


def _plan(config: TrainConfig | None, test_size: float, seeds: int, score: str) -> Plan | None:
    if config is None:
        return None
    try:
        return comparison_plan(variants(), config, seeds=seeds, test_size=test_size, score=score)
    except SettingError as error:
        st.warning(in_markdown(error))
        return None


def _variants_box(config: TrainConfig | None) -> None:
    options = list(dict.fromkeys([*NAMED_VARIANTS, BASE, *variants()]))
    st.session_state[_BOX] = variants()
    st.multiselect(
        "Variants", options, key=_BOX, max_selections=MOST_VARIANTS, on_change=_store, help=_VARIANT_HELP,
        format_func=lambda text: name_of(text, config),
    )  # fmt: skip


def name_of(text: str, config: TrainConfig | None) -> str:
    """What a person calls a variant."""
    try:
        return make_variant(text, config or TrainConfig()).name
    except SettingError:
        return text


def _store() -> None:
    st.session_state[_KEPT] = list(st.session_state[_BOX])
    st.session_state.pop(_NOTE, None)


def _write_link() -> None:
    """The variants in the address, where they are not the usual ones."""
    text = ",".join(variants())
    if tuple(variants()) == DEFAULT_VARIANTS:
        st.query_params.pop(VARIANTS, None)
    elif st.query_params.get(VARIANTS) != text:
        st.query_params[VARIANTS] = text


def _add_form(config: TrainConfig | None) -> None:
    """A small form that adds a variant with one changed knob."""
    with st.popover("Add", key="add_variant", disabled=config is None or len(variants()) >= MOST_VARIANTS):
        knob = st.selectbox("Changed setting", [*_KNOBS, *EXTRAS], format_func=_knob_label, key="added_knob")
        setting = SETTINGS.get(_KNOBS.get(knob, ""))
        if setting is not None and setting.low is None and setting.options:
            value = st.selectbox("Value", setting.options, key=f"added:{knob}")
        else:
            value = st.text_input("Value", key=f"added:{knob}", placeholder="a number")
        st.button("Add variant", disabled=not value, on_click=_add, args=(f"{knob}={value}", config))
        st.caption("Everything else stays as set in the sidebar. Choose “As set” as well, to compare with it.")


def _add(text: str, config: TrainConfig) -> None:
    try:
        key = make_variant(text, config).key
        parse_variants([*variants(), key], config)
    except SettingError as error:
        st.session_state[_NOTE] = str(error)
        return
    st.session_state[_KEPT] = [*variants(), key]
    st.session_state.pop(_NOTE, None)


def _knob_label(key: str) -> str:
    if key in EXTRAS:
        return f"{EXTRAS[key][0]} {EXTRAS[key][1]}"
    return SETTINGS[_KNOBS[key]].title


def _is_variant(text: str) -> bool:
    try:
        make_variant(text, TrainConfig())
    except SettingError:
        return False
    return True

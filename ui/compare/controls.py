"""What is compared: variants, seeds, score and band, as widgets and in the link; the plan that they make."""

import re
from dataclasses import dataclass

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import Dataset
from tsk_core.errors import SettingError
from tsk_core.experiments import (
    BASE,
    COMPARISON,
    DEFAULT_VARIANTS,
    EXTRAS,
    MOST_VARIANTS,
    NAMED_VARIANTS,
    SCORES,
    VALIDATED_VARIANTS,
    Plan,
    comparison_plan,
    make_variant,
    parse_variants,
    study_choices,
)  # fmt: skip
from tsk_core.settings import SETTINGS
from ui.experiments import linked_plan, options
from ui.experiments.options import BAND, BANDS, SCORE, SEEDS, SEEDS_KEY
from ui.experiments.panel import EXPERIMENT_REQUESTED
from ui.platform import session
from ui.platform.session import Key, Keys
from ui.text import in_markdown

VARIANTS_BOX = Key[list[str]]("variants_box")
VARIANTS_NOTE = Key[str]("variants_note")
ADDED_KNOB = Key[str]("added_knob")
ADDED_VALUE = Keys[str]("added:{}", "")  # knob -> its value in the form
COMPARE_OPENED = Key["int | None"]("compare_opened")  # number of the training that was clicked


VARIANTS = "variants"  # key in links
DEFAULT_SEEDS = 10
_KNOBS = {setting.key: name for name, setting in SETTINGS.items() if setting.key not in ("", "seed", "epochs", "es", "patience")}
_DRAWN_WITH = (session.COMPARED_VARIANTS, EXPERIMENT_REQUESTED, COMPARE_OPENED)
DRAWN_WITH = (SEEDS, SCORE, BAND, *(one.name for one in _DRAWN_WITH))  # what a fragment has to run the page for
_SEEDS_HELP = options.SEEDS_HELP.format(each="variant")
_BAND_HELP = (
    "What the bands and the whiskers show. SD: the standard deviation over seeds, i.e. how much single trainings differ. 95%"
    " interval: that of their mean, corrected for overlapping training sets."
)
_VARIANT_HELP = (
    "Each changes one thing in the settings of the sidebar; everything else is the same: split, initial state and batch order."
    " MBGD: neither BN nor UR. UR: λ as set, or 1. λ by validation, as in the paper: the one of 0.1, 1, 10, 20 and 50 that does"
    " best on held-out training rows; on the paper's datasets the one that most splits of the study chose. As set: the settings"
    " as they are."
)
_BY_VALIDATION = "{} (λ by validation, as in the paper)"


@dataclass(frozen=True)
class Wanted:
    """What the page asks for. plan: None where it cannot be made; a message then says why."""

    plan: Plan | None
    score: str
    band: str

    @property
    def planned(self) -> Plan:
        """``plan``, where it is known that there is one."""
        assert self.plan is not None
        return self.plan


def read_link() -> None:
    """Take the variants of the link once, or those of a comparison that it names, and replace what a link cannot have.

    Before any widget is made.
    """
    if plan := linked_plan(COMPARISON):
        session.COMPARED_VARIANTS.set([variant.key for variant in plan.variants])
        VARIANTS_NOTE.pop()
        options.take_over(plan)
    if not session.COMPARED_VARIANTS.is_set():
        texts = [text for text in st.query_params.get(VARIANTS, "").split(",") if text]
        fitting = list(dict.fromkeys(text for text in texts if _is_variant(text)))[:MOST_VARIANTS]
        if len(fitting) < len(texts):
            VARIANTS_NOTE.set("Some variants in the link are unknown, repeated or too many; they are left out.")
        session.COMPARED_VARIANTS.set(fitting or list(DEFAULT_VARIANTS))
    if _correct_choices() or options.correct_seeds(DEFAULT_SEEDS):
        st.rerun()  # so that the widgets take the corrected values


def _correct_choices() -> bool:
    """Leave out a score and a band that there are not; returns whether any was."""
    wrong = options.correct_choices({SCORE: tuple(SCORES), BAND: BANDS})
    if wrong:
        VARIANTS_NOTE.set("The link's score or band is unknown, so the default is used.")
    return wrong


def variants() -> list[str]:
    """The variants chosen, as links write them."""
    chosen = session.COMPARED_VARIANTS.get()
    return list(DEFAULT_VARIANTS) if chosen is None else chosen


def controls(config: TrainConfig | None, test_size: float, dataset: Dataset | None) -> Wanted:
    """Draw the row of controls; returns what they ask for. config: the settings that the variants change."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="compare_controls"):
        _variants_box(config)
        _add_form(config)
        seeds = options.seeds_input(DEFAULT_SEEDS, _SEEDS_HELP)
        score = options.score_choice()
        band = options.band_choice(_BAND_HELP)
    _write_link()
    if note := VARIANTS_NOTE.get():
        st.info(in_markdown(note))
    return Wanted(_plan(config, test_size, seeds, score, dataset), score, band)


def link_values(wanted: Wanted) -> dict[str, str]:
    """The values of a full link, by key."""
    return {VARIANTS: ",".join(variants()), SEEDS: str(SEEDS_KEY.get()), SCORE: wanted.score, BAND: wanted.band}


def _plan(config: TrainConfig | None, test_size: float, seeds: int, score: str, dataset: Dataset | None) -> Plan | None:
    if config is None:
        return None
    try:
        chosen = study_choices(dataset)
        return comparison_plan(variants(), config, chosen=chosen, seeds=seeds, test_size=test_size, score=score)
    except SettingError as error:
        st.warning(in_markdown(error))
        return None


def _variants_box(config: TrainConfig | None) -> None:
    options = list(dict.fromkeys([*NAMED_VARIANTS, *VALIDATED_VARIANTS, BASE, *variants()]))
    VARIANTS_BOX.set(variants())
    st.multiselect(
        "Variants", options, key=VARIANTS_BOX.name, max_selections=MOST_VARIANTS, on_change=_store, help=_VARIANT_HELP,
        format_func=lambda text: name_of(text, config),
    )  # fmt: skip


def name_of(text: str, config: TrainConfig | None) -> str:
    """What a person calls a variant."""
    if text in VALIDATED_VARIANTS:
        return _BY_VALIDATION.format(NAMED_VARIANTS[VALIDATED_VARIANTS[text]][0])
    try:
        return make_variant(text, config or TrainConfig()).name
    except SettingError:
        return text


def _store() -> None:
    session.COMPARED_VARIANTS.set(list(VARIANTS_BOX.get()))
    VARIANTS_NOTE.pop()


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
        knob = st.selectbox("Changed setting", [*_KNOBS, *EXTRAS], format_func=_knob_label, key=ADDED_KNOB.name)
        setting = SETTINGS.get(_KNOBS.get(knob, ""))
        if setting is not None and setting.low is None and setting.options:
            value = st.selectbox("Value", setting.options, key=ADDED_VALUE(knob).name)
        else:
            value = st.text_input("Value", key=ADDED_VALUE(knob).name, placeholder="a number")
        st.button("Add variant", disabled=not value, on_click=_add, args=(config,))
        st.caption("Everything else stays as set in the sidebar. Choose “As set” as well, to compare with it.")


def _add(config: TrainConfig) -> None:
    """The variant that the form names now."""
    knob = ADDED_KNOB.get()
    try:
        key = make_variant(f"{knob}={ADDED_VALUE(knob).get()}", config).key
        parse_variants([*variants(), key], config)
    except SettingError as error:
        VARIANTS_NOTE.set(str(error))
        return
    session.COMPARED_VARIANTS.set([*variants(), key])
    VARIANTS_NOTE.pop()


def _knob_label(key: str) -> str:
    if key in EXTRAS:
        return f"{EXTRAS[key][0]} {EXTRAS[key][1]}"
    return SETTINGS[_KNOBS[key]].title


def _is_variant(text: str) -> bool:
    """Whether it is one with some settings: of so many trainings, those with two rules each."""
    key, _, value = text.partition("=")
    rules = 2 * int(value) if key == SETTINGS["n_trainings"].key and re.fullmatch("[0-9]{1,3}", value) else 2
    try:
        make_variant(text, TrainConfig(n_rules=max(2, rules)))
    except SettingError:
        return False
    return True

"""The box "Compare this with…": one click compares the settings of the run shown with one knob changed, on the page Compare."""

import streamlit as st

from tsk_core import limits
from tsk_core.config import TrainConfig, nearest_rules
from tsk_core.experiments import BASE
from tsk_core.setting_values import in_words
from tsk_core.settings import SETTINGS
from ui.experiments import request
from ui.platform import session
from ui.runs.run_view import RunView
from ui.settings.use import use_settings

_MOST_WEIGHT = 1000.0


def compare_with(run: RunView) -> None:
    """Draw the box; after a press, go to the page Compare, which starts."""
    if session.GO_TO_COMPARE.pop():
        st.switch_page("pages/compare.py", query_params={})  # else Streamlit refuses: the address has values of widgets
    with st.popover("Compare this with…", key="compare_this"):
        st.caption("Trains this run's settings and a change of one of them with several seeds, on the page Compare.")
        for text, label in changes_of(run.config).items():
            st.button(label, key=f"compare_with:{text}", width="stretch", on_click=_start, args=(run, text))


def changes_of(config: TrainConfig) -> dict[str, str]:
    """Each change as a variant, with what its button says."""
    variants, weight, R = {}, config.ur_weight, config.n_rules
    if weight > 0:
        variants["ur=0"] = "without UR"
        variants[f"ur={min(10 * weight, _MOST_WEIGHT):g}"] = f"λ {in_words(min(10 * weight, _MOST_WEIGHT))} (ten times)"
    else:
        variants["ur=1"] = "with UR, λ 1"
    variants |= {"bn=bn": "with BN"} if config.batch_norm == "none" else {"bn=none": "without BN"}
    if config.batch_norm != "gbn":
        variants["bn=gbn"] = "with GBN"
    for rules in (nearest_rules(R // 2, config.n_parts), 2 * R):
        if rules != R and rules <= limits.value("rules"):
            share = {R // 2: "half the", 2 * R: "twice the"}.get(rules, "fewer")
            variants[f"rules={rules}"] = f"{share} rules, R {rules}"
    other = next(name for name in SETTINGS["firing"].options if name != config.firing)
    variants[f"firing={other}"] = f"firing levels {other}"
    return {text: label for text, label in variants.items() if text != f"ur={weight:g}"}


def _start(run: RunView, text: str) -> None:
    """A callback: it sets the settings to those of the run, before any widget is drawn."""
    use_settings(run.config, run.test_size)
    session.COMPARED_VARIANTS.set([BASE, text])
    request("start", "compare")
    session.GO_TO_COMPARE.set(True)

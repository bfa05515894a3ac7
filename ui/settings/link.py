"""Links to the page: values that a link cannot have are corrected, and a button copies a full link."""

import math
from urllib.parse import urlencode

import streamlit as st

from tsk_core.config import SETTINGS, TrainConfig
from tsk_core.data import Dataset
from ui.settings.controls import TEST_KEY, ranges
from ui.text import in_markdown

__all__ = ["correct_link", "full_link", "link_button"]

_copy = st.components.v2.component(
    "tsk_copy_text",
    js="""
export default function ({ data }) {
  if (navigator.clipboard) navigator.clipboard.writeText(data).catch(() => {});
}
""",
)


def link_button(config: TrainConfig | None, test_size: float, dataset: Dataset | None) -> None:
    """The button: it copies the full link if the browser allows it, and shows it in any case."""
    pressed = st.button(
        "Copy full link", disabled=dataset is None or config is None,
        help="A link with the value of every setting. It contains no data, only the name of the dataset and its SHA-256.",
    )  # fmt: skip
    if pressed:
        link = full_link(config, test_size, st.session_state.data, dataset)
        _copy(data=link, key="copied")
        st.code(link, language=None, wrap_lines=True)


def full_link(config: TrainConfig, test_size: float, data: str, dataset: Dataset) -> str:
    """The address of this page with every value written out, so that later changes of defaults do not change it.

    data: the dataset's name in the list.
    """
    values = {"v": "1", "data": data, "target": dataset.target, "sha": dataset.sha256}
    return f"{st.context.url or ''}?{urlencode(values | config.to_url() | {TEST_KEY: f'{test_size:g}'})}"


def correct_link() -> None:
    """Replace each value of the link that a setting cannot have by the nearest possible one or the default, and note it.

    Called before any widget is made: Streamlit drops such a value without a message, and fails at an infinite one.
    """
    if "link_notes" in st.session_state:
        return
    st.session_state.link_notes = [*_correct_numbers(), *_correct_choices()]
    if st.session_state.link_notes:
        st.rerun()


def _correct_numbers() -> list[str]:
    notes = []
    for key, allowed in ranges().items():
        if key not in st.query_params:
            continue
        text = st.query_params[key]
        said = in_markdown(text[:20])
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if math.isnan(value):
            del st.query_params[key]
            notes.append(f"The link's {allowed.label} “{said}” is not a number, so the default is used.")
            continue
        nearest = allowed.nearest(value)
        if nearest != value:
            st.query_params[key] = f"{nearest:.10g}"
            outside = not allowed.low <= value <= allowed.high
            words = f"is outside {allowed.low:g} to {allowed.high:g}" if outside else "is not a whole number"
            notes.append(f"The link's {allowed.label} of {said} {words}, so {nearest:.10g} is used.")
    return notes


def _correct_choices() -> list[str]:
    notes = []
    for setting in SETTINGS.values():
        text = st.query_params.get(setting.key) if setting.key and setting.low is None and setting.options else None
        if text is not None and text not in setting.options:
            del st.query_params[setting.key]
            said, options = in_markdown(text[:20]), ", ".join(setting.options)
            notes.append(f"The link's {setting.label} “{said}” is none of {options}, so the default is used.")
    return notes

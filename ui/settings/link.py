"""Links to the page: values are corrected, controls locked, the pace chosen, and a button copies a full link."""

import math
from collections.abc import Callable, Mapping
from urllib.parse import urlencode

import streamlit as st

from tsk_core import limits
from tsk_core.config import START_KEY, STARTING_POINTS, TrainConfig
from tsk_core.data import Dataset
from tsk_core.evaluate import COSTS
from tsk_core.settings import SETTINGS
from ui.data import source
from ui.data.source import DATA, TARGET
from ui.platform import session
from ui.platform.session import Key
from ui.runs.cost_threshold import MISS_COST
from ui.settings.controls import ALL_SETTINGS, LINK_NOTES, OPENED_BOXES, SHOWN_AS, TEST_KEY, Range, box_of, ranges
from ui.settings.starting import in_force
from ui.text import in_markdown, shortened

LINK_PRESSES = Key[int]("link_presses", 0)
PACE_KEY = Key["int | None"]("pace", redraws=True)
LOCK_KEY = Key["str | None"]("lock")  # the controls that a link leaves, as it names them
LOCK_OPENED = Key[bool]("lock_opened", default=False)
PRESET_BOX = Key[bool]("preset_box")


_SWITCH = SETTINGS["early_stopping"].key
_WORDS = {"true": ("1", "yes", "on"), "false": ("0", "no", "off")}

# It says "Copied" over the button for a while. Where the browser does not allow copying, a field below it has the link, selected.
_copy = st.components.v2.component(
    "tsk_copy_text",
    js="""
export default function ({ data, parentElement }) {
  const note = parentElement.querySelector("[role=status]") ?? parentElement.appendChild(document.createElement("div"));
  note.setAttribute("role", "status");
  note.className = "copied";
  note.textContent = "";
  const hidden = setTimeout(() => note.remove(), 2500);
  const offer = () => {
    clearTimeout(hidden);
    const field = Object.assign(document.createElement("input"), { readOnly: true, value: data.link, title: "Press Ctrl+C" });
    field.setAttribute("aria-label", "Full link");
    field.onblur = () => note.remove();
    note.replaceChildren("Ctrl+C", field);
    field.select();
    return document.execCommand("copy"); // the way that works without HTTPS
  };
  const copied = () => { note.textContent = "Copied"; };
  const written = navigator.clipboard ? navigator.clipboard.writeText(data.link) : Promise.reject();
  written.catch(() => { if (!offer()) throw new Error(); }).then(copied, () => {});
  return () => { clearTimeout(hidden); note.remove(); };
}
""",
    css="""
.copied { position: absolute; inset: 0; display: grid; place-items: center; border-radius: 0.5rem; font-size: 0.875rem; }
.copied:not(:empty) { background: light-dark(#005a9c, #3d9be0); color: light-dark(#ffffff, #0e1117); }
.copied input { position: absolute; top: 100%; right: 0; width: 20rem; z-index: 9; font: inherit; }
""",
)


def link_button(
    config: TrainConfig | None, test_size: float, dataset: Dataset | None, more: Mapping[str, str] | None = None
) -> None:
    """The button: it copies the full link, and says so in its own place. more: values of this page's own."""
    with st.container(key="copy_link", width="content", gap=None):
        pressed = st.button(
            "Copy full link", disabled=dataset is None or config is None,
            help="A link with every setting, the name of the dataset and its SHA-256 hash. It contains no data except painted"
            " points.",
        )  # fmt: skip
        if pressed and dataset is not None and config is not None:
            LINK_PRESSES.set(LINK_PRESSES.get() + 1)  # each press copies
            points = source.painted_link_values(DATA.get())
            link = full_link(config, test_size, DATA.get(), dataset, in_force(), points | dict(more or {}))
            _copy(key="copied", data={"link": link, "press": LINK_PRESSES.get()})


def full_link(config: TrainConfig, test_size: float, data: str, dataset: Dataset, start: str, more: Mapping[str, str]) -> str:
    """The address of this page with every value written out, so that later changes of defaults do not change it.

    data: the dataset's name in the list. start: the name of the starting point. more: further values.
    """
    slow = {} if chosen_pace() is None else {PACE: str(chosen_pace())}
    values = {"v": "1", "data": data, "target": dataset.target, "sha": dataset.sha256, START_KEY: start}
    return f"{st.context.url or ''}?{urlencode(values | config.to_url() | {TEST_KEY: f'{test_size:g}'} | slow | dict(more))}"


def correct_link() -> None:
    """Replace each value of the link that a setting cannot have by the nearest possible one or the default, and note it.

    Called before any widget is made: Streamlit drops such a value without a message, and fails at an infinite one.
    """
    if LINK_NOTES.is_set():
        return
    LINK_NOTES.set([*_correct_start(), *_correct_numbers(), *_correct_choices(), *_correct_switch()])
    if LINK_NOTES.get() or _write_out_switch():
        st.rerun()


def _correct_start() -> list[str]:
    text = st.query_params.get(START_KEY)
    if text is None or text in STARTING_POINTS:
        return []
    del st.query_params[START_KEY]
    said, options = in_markdown(text[:20]), ", ".join(STARTING_POINTS)
    return [f"The link's starting point “{said}” is none of {options}, so the default is used."]


def _correct_numbers() -> list[str]:
    notes = []
    of_page = {
        PACE: Range("Slow training", *PACE_RANGE, whole=True),
        MISS_COST.name: Range("cost of a missed case", *COSTS, whole=False),
    }
    for key, allowed in (ranges() | of_page).items():
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


def _write_out_switch() -> bool:
    """Early stopping as 1 or 0, yes or no, on or off: Streamlit understands true and false alone."""
    text = st.query_params.get(_SWITCH, "").lower()
    meant = next((word for word, others in _WORDS.items() if text in others), None)
    if meant is not None:
        st.query_params[_SWITCH] = meant
    return meant is not None


def _correct_switch() -> list[str]:
    text = st.query_params.get(_SWITCH)
    if text is None or text.lower() in {*_WORDS, *_WORDS["true"], *_WORDS["false"]}:
        return []
    del st.query_params[_SWITCH]
    said = in_markdown(text[:20])
    return [f"The link's {SETTINGS['early_stopping'].label} “{said}” is neither true nor false, so the default is used."]


def _correct_choices() -> list[str]:
    notes = []
    for setting in SETTINGS.values():
        text = st.query_params.get(setting.key) if setting.key and setting.low is None and setting.options else None
        if text is not None and text not in setting.options:
            del st.query_params[setting.key]
            said, options = in_markdown(text[:20]), ", ".join(setting.options)
            notes.append(f"The link's {setting.label} “{said}” is none of {options}, so the default is used.")
    return notes


# The pace of a training: a control of the page and a key of its link. It changes no number, so it is no setting of the run.


PACE, PACE_RANGE = PACE_KEY.name, (1, 50)


def pace_control(epochs: int | None, on_change: Callable[[], None]) -> None:
    """Draw the control. epochs: of the run that Train would start."""
    st.number_input(
        "Slow training", *PACE_RANGE, None, 1, key=PACE, bind="query-params", placeholder="full speed", on_change=on_change,
        help="Epochs per second, to leave time to watch, pause and step. Leave empty for full speed. It does not affect the"
        " results and can be changed during training.",
    )  # fmt: skip
    pace = chosen_pace()
    if pace is not None and epochs is not None and (needed := allowed(pace, epochs)) is not None and needed > pace:
        limit = limits.value("slow_seconds")
        st.caption(
            f"{epochs:,} epochs at {pace} a second would take {epochs / pace:,.0f} seconds. This server allows {limit} seconds"
            f" for a slow run, so it trains {needed:.3g} epochs a second."
        )


def chosen_pace() -> int | None:
    """Epochs a second as chosen on the page; None for full speed."""
    return PACE_KEY.get()


def allowed(pace: float | None, epochs: int) -> float | None:
    """The pace at which a run of so many epochs is through within the limit ``slow_seconds``, or a faster one if it is chosen."""
    return None if pace is None else max(pace, epochs / limits.value("slow_seconds"))


# Links that leave a few controls: ``?lock=rules,ur`` hides all others of the sidebar, and what would change them.
#
# It keeps an exercise to what it is about. It is no barrier: who opens the page without the link has all controls.


LOCK, NOTHING = "lock", "none"
_SIDEBAR = '[data-testid="stSidebarUserContent"]'
# key in the link -> that of the control, where it is another
_CONTROLS = {one.key: SHOWN_AS.get(one.key, one.key) for one in SETTINGS.values() if one.key} | {
    "data": "data-list", "target": TARGET.name, TEST_KEY: TEST_KEY, START_KEY: START_KEY, "pace": PACE_KEY.name,
}  # fmt: skip
_BOXES = {START_KEY: "start", "pace": "lecture"}
_CHANGING = (PRESET_BOX.name, "changes")  # boxes and rows that change settings
_OF_DATA = (session.DATA_BOX.name, "ways_in", "small_ways_in")  # those that change the data


def apply_lock() -> None:
    """Hide what the link locks; in the sidebar, before its boxes are drawn. A key that no control has is noted."""
    if LOCK in st.query_params:
        LOCK_KEY.set(st.query_params[LOCK])
    locked = LOCK_KEY.get()
    if locked is None:
        return
    asked = [key.strip() for key in locked[:1000].split(",")]
    free = [key for key in dict.fromkeys(asked) if key in _CONTROLS]
    unknown = [key for key in asked if key not in (*_CONTROLS, NOTHING, "")]
    _open_boxes(free)
    st.html(f"<style>{_style(free)}</style>")
    with st.container(key="lock_note"):
        if unknown:
            st.info(
                f"The link's lock names “{in_markdown(shortened(', '.join(unknown), 40))}”, which is not a control;"
                f" the controls are {', '.join(_CONTROLS)}."
            )
        st.caption("This link shows what the exercise is about; open the page without it for all controls.")


def _open_boxes(free: list[str]) -> None:
    """Boxes with a control that is left are open, once."""
    if not LOCK_OPENED.get():
        LOCK_OPENED.set(True)
        boxes = (_BOXES.get(key) or box_of(key) for key in free)
        opened = {box: True for box in boxes if box is not None}
        OPENED_BOXES.get().update(opened | ({ALL_SETTINGS: True} if opened else {}))


def _style(free: list[str]) -> str:
    """CSS made of the fixed names of controls alone."""
    controls = (f".st-key-{_CONTROLS[key]}, .st-key-{_CONTROLS[key]} *" for key in free)
    left = ", ".join([".st-key-lock_note *", ".st-key-steering *", *controls])
    boxes = ", ".join([".st-key-no_box", *(f".st-key-{_CONTROLS[key]}" for key in free)])
    changing = ", ".join(f".st-key-{key}" for key in (*_CHANGING, *(() if "data" in free else _OF_DATA)))
    return (
        f'{_SIDEBAR} [data-testid="stElementContainer"]:not({left}), {_SIDEBAR} .stExpander:not(:has({boxes})), {changing}'
        " { display: none !important; }"
    )

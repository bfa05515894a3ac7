"""How a file is read, changeable: what was found out stands in the boxes as "as found"."""

import streamlit as st

from tsk_core.data import RawTable, Reading
from ui.text import in_markdown

__all__ = ["reading_panel", "take_back", "wished_reading"]

FOUND = "as found"
_ENCODINGS = [
    "utf-8",
    "cp1252",
    "utf-16",
    "iso-8859-15",
    "cp1250",
    "cp1251",
    "gb18030",
    "shift_jis",
    "euc_kr",
    "big5",
    "mac_roman",
]
_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
_DECIMALS = {".": "point", ",": "comma"}
_HEADERS = {True: "first row has the names", False: "there is no header row"}


def wished_reading(file: str) -> Reading:
    """What this session asked for, for the file with this digest."""
    wishes = st.session_state.get(f"wishes:{file}", {})
    return Reading(**{name: value for name, value in wishes.items() if value is not None})


def take_back(file: str | None) -> None:
    """A way out of wishes by which the file cannot be read, where there are some."""
    if any(value is not None for value in st.session_state.get(f"wishes:{file}", {}).values()):
        st.button("Read it as found out", on_click=st.session_state.pop, args=(f"wishes:{file}",))


def reading_panel(file: str, raw: RawTable) -> None:
    """One box for each thing that can be read otherwise; a change reads the file again."""
    st.caption(in_markdown(raw.reading.sentence(raw.kind)))
    boxes = []
    if raw.kind == "CSV":
        boxes = [
            ("encoding", "Encoding", {e: e for e in _ENCODINGS}),
            ("delimiter", "Separator", _DELIMITERS),
            ("decimal", "Decimal sign", _DECIMALS),
            ("header", "Header", _HEADERS),
        ]
    elif raw.sheets:
        boxes = [("sheet", "Sheet", {s: s for s in raw.sheets}), ("header", "Header", _HEADERS)]
    if not boxes:
        st.caption("This kind of file says itself how it is read; there is nothing to change.")
        return
    for column, (field, label, options) in zip(st.columns(len(boxes)), boxes, strict=True):
        column.selectbox(
            label, [None, *options], key=f"wish:{field}:{file}", format_func=lambda v, options=options: _said(v, options),
            on_change=_wish, args=(file, field),
        )  # fmt: skip


def _said(value: object, options: dict) -> str:
    return FOUND if value is None else str(options[value])


def _wish(file: str, field: str) -> None:
    """Kept apart from the widget: the next reading may have other boxes."""
    wishes = st.session_state.setdefault(f"wishes:{file}", {})
    wishes[field] = st.session_state[f"wish:{field}:{file}"]

"""The read options of a file, which can be changed; "detected" stands for the detected value."""

from dataclasses import asdict

import streamlit as st

from tsk_core.data import RawTable, ReadOptions
from ui.platform import session
from ui.text import in_markdown

DETECTED = "detected"
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
_HEADERS = {True: "the first row has names", False: "no header row"}


def chosen_read_options(file: str) -> ReadOptions:
    """The options that this session chose for the file with this digest."""
    chosen = session.READ_OPTIONS(file).get()
    return ReadOptions(**{name: value for name, value in chosen.items() if value is not None})


def choose_read_options(file: str, options: ReadOptions) -> None:
    """Choose them as if by hand; before their boxes are drawn."""
    for field, value in asdict(options).items():
        if value is not None:
            session.READ_OPTIONS(file).get()[field] = value
            session.READ_OPTION(field, file).set(value)


def reset_button(file: str | None) -> None:
    """A button that resets the options, shown if any was chosen: the file may be unreadable with them."""
    if any(value is not None for value in session.READ_OPTIONS(file or "").get().values()):
        st.button("Use the detected options", on_click=session.READ_OPTIONS(file).pop)


def read_options_panel(file: str, raw: RawTable) -> None:
    """One box for each option that applies to this kind of file; a change reads the file again."""
    st.caption(in_markdown(raw.read_options.sentence(raw.kind)))
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
        st.caption("This kind of file has no read options.")
        return
    for column, (field, label, options) in zip(st.columns(len(boxes)), boxes, strict=True):
        box = session.READ_OPTION(field, file).name
        column.selectbox(
            label, [None, *options], key=box, format_func=lambda v, options=options: _label(v, options),
            on_change=_store, args=(file, field),
        )  # fmt: skip


def _label(value: object, options: dict) -> str:
    return DETECTED if value is None else str(options[value])


def _store(file: str, field: str) -> None:
    """Store the choice outside the widget, which disappears if the file is then of another kind."""
    session.READ_OPTIONS(file).get()[field] = session.READ_OPTION(field, file).get()

"""How a table comes from a visitor: the uploader, the buttons that open its file chooser, files that are dropped on the page.

The uploader stands in the middle of each page that trains and is hidden until it has a file. The browser opens its file chooser
at a press of an upload button, and hands it what is dropped anywhere (``ui/client/drop.js``), so no press waits for the server.
"""

import streamlit as st

from tsk_core import limits
from ui.platform import memory, session

UPLOAD = "upload"  # its name in the list of datasets, and in links
KINDS = "CSV, TSV, Excel (xlsx, xls, xlsb), OpenDocument, Parquet or ARFF, also in a zip or gzip archive"
_HELP = "Each row is an example, one column is the class. The server keeps the file only while this page is open."


def how_large() -> str:
    """The size limit of a file, and how to make it smaller."""
    return f"At most {limits.value('upload_mb')} MB; a larger table may fit as Parquet, zip or gzip."


def upload_button(label: str, place: str) -> None:
    """A button that opens the file chooser. place: distinguishes it from the others of the page."""
    st.button(
        label, key=f"upload_from_{place}", icon=":material/upload_file:", width="stretch", on_click=choose_data, args=(UPLOAD,),
        help=f"{KINDS}. {how_large()} {_HELP}",
    )  # fmt: skip


def uploader() -> None:
    """The uploader of the table; a file that comes is the data from then on."""
    st.file_uploader(
        "Your file", key=session.FILE.name, on_change=_take_file, max_upload_size=limits.value("upload_mb"),
        label_visibility="collapsed",
    )  # fmt: skip


def choose_data(name: str) -> None:
    """Choose a table by its name in the list of datasets. It has other columns, so its own guess of a target applies."""
    session.DATA.set(name)
    session.DATA_CHOSEN.set(True)
    session.TARGET.pop()


def _take_file() -> None:
    """A file that a person takes away takes its table along; another one gets another try where there was no room."""
    memory.forget("upload")
    if session.FILE.get() is not None and session.DATA.get() != UPLOAD:
        choose_data(UPLOAD)

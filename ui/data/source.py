"""The source of a table: the gallery, or a file uploaded in this session."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from tsk_core import limits
from tsk_core.data import Choices, Dataset, RawTable, ReadOptions, likely_target, load_dataset, make_dataset, read_table
from tsk_core.data.gallery import GALLERY
from tsk_core.errors import LimitError, TSKError
from ui.data.read_options import chosen_read_options, reset_button
from ui.platform import memory, session
from ui.platform.caches import once_per_server
from ui.platform.page_lock import release_page_lock
from ui.text import in_markdown

__all__ = ["UPLOAD", "Source", "from_gallery", "how_large", "read_upload", "source_of"]

UPLOAD = "upload"
KINDS = "CSV, TSV, Excel (xlsx, xls), OpenDocument, Parquet or ARFF, also in a zip or gzip archive"


@dataclass(frozen=True)
class Source:
    """A table before decisions.

    key: of its decisions. version: changes whenever the result of ``make`` may change. frame: the raw table.
    guess: the likely target; why it is, "" of a dataset that names it. make: decisions -> Dataset. raw: of a file, else None.
    """

    key: str
    version: str
    frame: pd.DataFrame
    guess: str
    make: Callable[[Choices], Dataset]
    raw: RawTable | None = None
    why: str = ""

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self.frame.columns)


def how_large() -> str:
    """The size limit of a file, and how to make it smaller."""
    return f"At most {limits.value('upload_mb')} MB; a larger table may fit as Parquet, zip or gzip."


def source_of(name: str) -> Source | None:
    """The table of a name in the list of datasets; None, with a message on the page, if no file is uploaded yet."""
    return _uploaded() if name == UPLOAD else _named(name)


@once_per_server(entries=32)
def from_gallery(name: str) -> Dataset:
    """A dataset of the gallery."""
    with st.spinner("Fetching the dataset…"):
        return load_dataset(name)


def _named(name: str) -> Source:
    st.caption(in_markdown(GALLERY[name].description if name in GALLERY else f"{name}.csv in the data folder of this server."))
    dataset = from_gallery(name)

    def make(choices: Choices) -> Dataset:
        return dataset if choices == dataset.choices else dataset.with_choices(choices)

    frame, _ = dataset.raw or (dataset.frame, ())
    return Source(f"gallery:{name}", dataset.sha256, frame, dataset.target, make)


def _uploaded() -> Source | None:
    file = st.file_uploader(
        "Your file", key=session.FILE.name, on_change=_forget_table, max_upload_size=limits.value("upload_mb"),
        help=f"{KINDS}. {how_large()} Each row is an example, one column is the class. The server keeps the file only while"
        " this page is open.",
    )  # fmt: skip
    if file is None and (carried := _carried()):
        return carried
    if file is None:
        if wanted := st.query_params.get("sha"):
            table = in_markdown(f"{wanted[:12]}…")
            st.info(f"This link was made with an uploaded file; upload the same file (SHA-256 of its table: {table}).")
        else:
            st.info(f"Upload a file with a table, or choose a dataset above. {how_large()}")
        return None
    content = file.getvalue()
    digest = hashlib.sha256(content).hexdigest()
    raw = read_upload("upload", digest, content, file.name, chosen_read_options(digest))
    session.FILE_PAGE.set(session.PAGE.get())
    if isinstance(raw, str):
        st.error(in_markdown(raw))
        reset_button(digest)
        return None
    return _source_of(raw, digest)


def _carried() -> Source | None:
    """The table of a file that was uploaded on another page of this session: this page's uploader does not have it."""
    key, raw = memory.kept("upload")
    digest, name, options = key or ("", "", None)
    here = session.FILE_PAGE.get() == session.PAGE.get()
    if not isinstance(raw, RawTable) or here or options != chosen_read_options(digest):
        return None
    session.FILE_PAGE.set(None)  # of no page from now on
    st.caption(in_markdown(f"{name}, as uploaded before. Another file replaces it."))
    return _source_of(raw, digest)


def _forget_table() -> None:
    """A file that a person takes away takes its table along; another one gets another try where there was no room."""
    memory.forget("upload")


def _source_of(raw: RawTable, digest: str) -> Source:
    def make(choices: Choices) -> Dataset:
        return make_dataset(raw.frame, name=raw.name, findings=raw.findings, choices=choices)

    guess, why = likely_target(raw.frame)
    return Source(digest, f"{digest}:{raw.name}:{raw.read_options}", raw.frame, guess, make, raw, why)


def read_upload(slot: str, file: str, content: bytes, name: str, read_options: ReadOptions) -> RawTable | str:
    """The table of a file, or the error as a sentence; stored in this session until ``file``, its id, or the options change."""
    key = (file, name, read_options)
    known, raw = memory.kept(slot)
    if known != key:
        memory.forget(slot)
        with st.spinner("Reading the file…"):
            raw = _read(content, name, read_options)
        try:
            memory.keep(slot, key, raw, None if isinstance(raw, str) else raw.frame)
        except LimitError as error:
            raw = str(error)
            memory.keep(slot, key, raw)
    return raw


def _read(content: bytes, name: str, read_options: ReadOptions) -> RawTable | str:
    try:
        release_page_lock()
        return replace(read_table(content, read_options), name=name.rsplit(".", 1)[0])
    except TSKError as error:
        return str(error)

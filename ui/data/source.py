"""Where a table comes from: the gallery, or a file of this session."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from tsk_core import limits
from tsk_core.data import Choices, Dataset, RawTable, Reading, guess_target, load_dataset, make_dataset, read_table
from tsk_core.data.gallery import GALLERY
from tsk_core.errors import TSKError
from ui.data.wish import take_back, wished_reading
from ui.text import in_markdown

__all__ = ["UPLOAD", "Source", "from_gallery", "how_large", "read_upload", "source_of"]

UPLOAD = "upload"
KINDS = "CSV, TSV, Excel (xlsx, xls), OpenDocument, Parquet or ARFF; also one of them in a zip or gzip"


@dataclass(frozen=True)
class Source:
    """A table before decisions.

    key: what decisions belong to. version: different whenever ``make`` gives something else. frame: the table as it came.
    make: decisions -> Dataset. raw: of a file.
    """

    key: str
    version: str
    frame: pd.DataFrame
    guess: str
    make: Callable[[Choices], Dataset]
    raw: RawTable | None = None

    @property
    def columns(self) -> list[str]:
        """The columns' names, for lists to choose from."""
        return list(self.frame.columns)


def how_large() -> str:
    """The limit of a file, and what is smaller."""
    return f"At most {limits.value('upload_mb')} MB; a larger table may fit as Parquet, or in a zip or gzip."


def source_of(name: str) -> Source | None:
    """The table behind a choice in the list of datasets; None, with a sentence, where there is none yet."""
    return _uploaded() if name == UPLOAD else _named(name)


@st.cache_resource(max_entries=32, show_spinner="Fetching the dataset…")
def from_gallery(name: str) -> Dataset:
    """A dataset of the gallery: the same for everybody, so kept for everybody."""
    return load_dataset(name)


def _named(name: str) -> Source:
    st.caption(in_markdown(GALLERY[name].description if name in GALLERY else f"{name}.csv of this server's data folder."))
    dataset = from_gallery(name)

    def make(choices: Choices) -> Dataset:
        return dataset if choices == dataset.choices else dataset.with_choices(choices)

    frame, _ = dataset.raw or (dataset.frame, ())
    return Source(f"gallery:{name}", dataset.sha256, frame, dataset.target, make)


def _uploaded() -> Source | None:
    file = st.file_uploader(
        "Your file", key="file", max_upload_size=limits.value("upload_mb"),
        help=f"{KINDS}. {how_large()} One row an example, one column the class. It stays here only while this page is open.",
    )  # fmt: skip
    if file is None:
        if wanted := st.query_params.get("sha"):
            table = in_markdown(f"{wanted[:12]}…")
            st.info(f"This link was made with an uploaded file; upload the same one (SHA-256 of its table: {table}).")
        else:
            st.info(f"Upload a file with a table, or pick a dataset above. {how_large()}")
        return None
    content = file.getvalue()
    digest = hashlib.sha256(content).hexdigest()
    raw = read_upload("upload", digest, content, file.name, wished_reading(digest))
    if isinstance(raw, str):
        st.error(in_markdown(raw))
        take_back(digest)
        return None

    def make(choices: Choices) -> Dataset:
        return make_dataset(raw.frame, name=raw.name, findings=raw.findings, choices=choices)

    return Source(digest, f"{digest}:{raw.reading}", raw.frame, guess_target(raw.frame), make, raw)


def read_upload(slot: str, file: str, content: bytes, name: str, wish: Reading) -> RawTable | str:
    """A file's table, or the sentence that says why there is none; kept in this session until ``file``, its identity, changes."""
    key = (file, name, wish)
    kept = st.session_state.get(f"read_{slot}")
    if kept is None or kept[0] != key:
        with st.spinner("Reading the file…"):
            kept = (key, _read(content, name, wish))
        st.session_state[f"read_{slot}"] = kept
    return kept[1]


def _read(content: bytes, name: str, wish: Reading) -> RawTable | str:
    try:
        return replace(read_table(content, wish), name=name.rsplit(".", 1)[0])
    except TSKError as error:
        return str(error)

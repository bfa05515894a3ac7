"""The source of a table: the gallery, a file uploaded in this session, or points painted in it."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from tsk_core.data import Choices, Dataset, RawTable, ReadOptions, likely_target, load_dataset, make_dataset, read_table
from tsk_core.data.gallery import GALLERY, file_state
from tsk_core.data.painted import TARGET, as_dataset, as_frame
from tsk_core.errors import LimitError, TSKError
from ui.data import painting
from ui.data.read_options import choose_read_options, chosen_read_options
from ui.data.unready import Unready
from ui.data.uploading import UPLOAD, how_large
from ui.platform import memory, session
from ui.platform.caches import once_per_server
from ui.platform.owner import owner
from ui.platform.page_lock import release_page_lock
from ui.platform.reading_turns import reading_turn
from ui.platform.visitor import address, visitor
from ui.text import in_markdown, shortened

LONGEST = 24  # letters of a file's name in the list of datasets


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


def source_of(name: str) -> Source | None:
    """The table of a name in the list of datasets; None, and why as ``session.UNREADY``, if there is no file that can be read."""
    if name == painting.PAINTED:
        return _painted()
    return _uploaded() if name == UPLOAD else _named(name)


def from_gallery(name: str) -> Dataset:
    """A dataset of the gallery, or one of the data folder as its file is now."""
    return _loaded(name, file_state(name))


@once_per_server(entries=32)
def _loaded(name: str, state: tuple[str, int, int] | None) -> Dataset:  # noqa: ARG001 - it names the content of a file
    with st.spinner("Fetching the dataset…"):
        return load_dataset(name)


def _named(name: str) -> Source:
    st.caption(in_markdown(GALLERY[name].description if name in GALLERY else f"{name}.csv in the data folder of this server."))
    dataset = from_gallery(name)

    def make(choices: Choices) -> Dataset:
        return dataset if choices == dataset.choices else dataset.with_choices(choices)

    frame, _ = dataset.raw or (dataset.frame, ())
    return Source(f"gallery:{name}", dataset.sha256, frame, dataset.target, make)


def take_over_upload() -> None:
    """Where a page was loaded again: the files that it had before; once in a session, which may take them away afterwards."""
    if session.UPLOAD_TAKEN_OVER.get() or session.FILE.get() is not None:
        return
    session.UPLOAD_TAKEN_OVER.set(True)
    owner()  # from here on what this session keeps is known to be of this visitor
    if memory.kept("upload")[0] is None and isinstance(memory.take_over("upload"), RawTable):
        (digest, _, options), _ = memory.kept("upload")
        choose_read_options(digest, options)
        memory.take_over("second")


def upload_label() -> str:
    """What the list of datasets calls the visitor's own table: with the name of its file, once there is one."""
    file, (key, _) = session.FILE.get(), memory.kept("upload")
    known = file.name if file is not None else key[1] if key else UPLOAD
    return f"Your table ({shortened(known, LONGEST)})"


def _uploaded() -> Source | None:
    file = session.FILE.get()
    if file is None and (carried := _carried()):
        return carried
    if file is None:
        wanted = st.query_params.get("sha")
        asked = f"This link was made with an uploaded file; upload the same file (SHA-256 of its table: {(wanted or '')[:12]}…)."
        session.UNREADY.set(
            Unready(asked if wanted else f"Upload a file with a table, or choose a dataset. {how_large()}", "info")
        )
        return None
    content = file.getvalue()
    digest = hashlib.sha256(content).hexdigest()
    raw = read_upload("upload", digest, content, file.name, chosen_read_options(digest))
    if isinstance(raw, str):
        session.UNREADY.set(Unready(raw, file=digest))
        return None
    return _source_of(raw, digest)


def _carried() -> Source | None:
    """The table of a file that this page's uploader does not have: it was uploaded on another page of this session."""
    key, raw = memory.kept("upload")
    digest, name, options = key or ("", "", None)
    if not isinstance(raw, RawTable) or options != chosen_read_options(digest):
        return None
    st.caption(in_markdown(f"{name}, as uploaded before. Another file replaces it."))
    return _source_of(raw, digest)


def _painted() -> Source | None:
    points = painting.points()
    st.caption(in_markdown(painting.summary(points)))
    if reason := painting.unready(points):
        session.UNREADY.set(reason)
        return None
    return Source(painting.PAINTED, session.PAINTED.get(), as_frame(points), TARGET, lambda choices: as_dataset(points, choices))


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
        with reading_turn(visitor(), address()):
            return replace(read_table(content, read_options), name=name.rsplit(".", 1)[0])
    except TSKError as error:
        return str(error)

"""The source of a table: the gallery, a file uploaded in this session, or points painted in it."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import streamlit as st

from tsk_core import limits
from tsk_core.data import Choices, Dataset, RawTable, ReadOptions, likely_target, load_dataset, make_dataset, read_table
from tsk_core.data.gallery import GALLERY, file_state
from tsk_core.data.painted import IN_LINK, LETTERS, NONE, Points, as_dataset, as_frame, as_text, from_text, lacking
from tsk_core.data.painted import TARGET as PAINTED_TARGET
from tsk_core.errors import DataError, LimitError, TSKError
from ui.data.decisions import UNREADY, Unready, choose_read_options, chosen_read_options
from ui.platform import memory, session
from ui.platform.caches import once_per_server
from ui.platform.session import Key
from ui.platform.turns import reading_turn, release_page_lock
from ui.platform.visitor import address, owner, visitor
from ui.text import in_markdown, shortened

DATA = Key[str]("data", redraws=True)
TARGET = Key[str]("target", redraws=True)
UPLOAD_TAKEN_OVER = Key[bool]("upload_taken_over", default=False)  # whether the table from before a reload was looked for
FILE = Key[Any]("file")  # of the uploader of the page that is shown
DATA_CHOSEN = Key[bool]("data_chosen", default=False)  # whether a person chose the dataset, or a link did
PAINTED_VERSION = Key[int]("painted_version", 0)  # how often the server put others in their place
PAINTED_NOTE = Key[str]("painted_note", "")  # why those of the link, or of a stroke, were not taken
LINK = Key[dict[str, str]]("link")  # values of the link that opened the page


# How a table comes from a visitor: the uploader, the buttons that open its file chooser, files that are dropped on the page.
#
# The uploader stands in the middle of each page that trains and is hidden until it has a file. The browser opens its file chooser
# at a press of an upload button, and hands it what is dropped anywhere (``ui/client/drop.js``), so no press waits for the server.


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
        "Your file", key=FILE.name, on_change=_take_file, max_upload_size=limits.value("upload_mb"),
        label_visibility="collapsed",
    )  # fmt: skip


def choose_data(name: str) -> None:
    """Choose a table by its name in the list of datasets. It has other columns, so its own guess of a target applies."""
    DATA.set(name)
    DATA_CHOSEN.set(True)
    TARGET.pop()


def _take_file() -> None:
    """A file that a person takes away takes its table along; another one gets another try where there was no room."""
    memory.forget("upload")
    if FILE.get() is not None and DATA.get() != UPLOAD:
        choose_data(UPLOAD)


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
    """The table of a name in the list of datasets; None, and why as ``UNREADY``, if there is no file that can be read."""
    if name == PAINTED:
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
    if UPLOAD_TAKEN_OVER.get() or FILE.get() is not None:
        return
    UPLOAD_TAKEN_OVER.set(True)
    owner()  # from here on what this session keeps is known to be of this visitor
    if memory.kept("upload")[0] is None and isinstance(memory.take_over("upload"), RawTable):
        (digest, _, options), _ = memory.kept("upload")
        choose_read_options(digest, options)
        memory.take_over("second")


def upload_label() -> str:
    """What the list of datasets calls the visitor's own table: with the name of its file, once there is one."""
    file, (key, _) = FILE.get(), memory.kept("upload")
    known = file.name if file is not None else key[1] if key else UPLOAD
    return f"Your table ({shortened(known, LONGEST)})"


def _uploaded() -> Source | None:
    file = FILE.get()
    if file is None and (carried := _carried()):
        return carried
    if file is None:
        wanted = st.query_params.get("sha")
        asked = f"This link was made with an uploaded file; upload the same file (SHA-256 of its table: {(wanted or '')[:12]}…)."
        UNREADY.set(Unready(asked if wanted else f"Upload a file with a table, or choose a dataset. {how_large()}", "info"))
        return None
    content = file.getvalue()
    digest = hashlib.sha256(content).hexdigest()
    raw = read_upload("upload", digest, content, file.name, chosen_read_options(digest))
    if isinstance(raw, str):
        UNREADY.set(Unready(raw, file=digest))
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
    points = painted_points()
    st.caption(in_markdown(painted_summary(points)))
    if reason := painting_unready(points):
        UNREADY.set(reason)
        return None
    return Source(PAINTED, session.PAINTED.get(), as_frame(points), PAINTED_TARGET, lambda choices: as_dataset(points, choices))


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


# Painted points as the data of a session: their text, which a link brings and takes along.
#
# The text of ``tsk_core.data.painted`` is all that is kept. The browser sends it whole after each stroke, so a message that is
# lost, repeated or late does no harm; where the server puts other points in its place, such as a shape, the *version* grows, and
# what the browser says of an earlier one is ignored.


PAINTED = "painted"  # the name of the points in the list of datasets, and in links
PAINTED_KEY = "points"
_TOO_MANY = f"A link has room for {IN_LINK} points, so these stay in this session: save them as CSV to keep them."


def painted_points() -> Points:
    """The points of this session, which may be none."""
    return from_text(session.PAINTED.get() or NONE, LETTERS)


def put_points(new: Points) -> None:
    """Put other points in the place of those of the browser."""
    session.PAINTED.set(as_text(new))
    PAINTED_VERSION.set(PAINTED_VERSION.get() + 1)
    PAINTED_NOTE.pop()


def take_points(value: object) -> bool:
    """Take what the browser says, {"version", "text"}; returns whether the points are others now.

    Where it is not of points, the browser gets those that the server has.
    """
    said = value if isinstance(value, Mapping) else {}
    if said.get("version") != PAINTED_VERSION.get():
        return False
    try:
        text = as_text(from_text(str(said.get("text")), LETTERS))
    except DataError as error:
        put_points(painted_points())
        PAINTED_NOTE.set(str(error))
        return False
    changed = text != session.PAINTED.get()
    session.PAINTED.set(text)
    PAINTED_NOTE.pop()
    return changed


def read_painted_link() -> None:
    """Take over the points of the link that opened the session, once."""
    if session.PAINTED.is_set():
        return
    session.PAINTED.set(NONE)
    if text := st.query_params.get(PAINTED_KEY):
        try:
            put_points(from_text(text))
        except DataError as error:
            PAINTED_NOTE.set(str(error))


def write_painted_link(data: str) -> None:
    """Let the address have the points where they are the data and few enough. data: the name in the list of datasets."""
    wanted = painted_link_values(data).get(PAINTED_KEY)
    if wanted is None:
        st.query_params.pop(PAINTED_KEY, None)
    elif st.query_params.get(PAINTED_KEY) != wanted:
        st.query_params[PAINTED_KEY] = wanted


def painted_link_values(data: str) -> dict[str, str]:
    """What a link has of the points; nothing of other data, and of more points than it has room for."""
    text = session.PAINTED.get()
    return {PAINTED_KEY: text} if data == PAINTED and 0 < len(painted_points()) <= IN_LINK else {}


def painted_summary(painted: Points) -> str:
    """As "Points: 12 blue, 9 orange."; and where there are too many for a link, that they stay here."""
    counts = ", ".join(f"{number:,} {name}" for name, number in painted.counts().items())
    said = f"Points: {counts}." if counts else "No points."
    return f"{said} {_TOO_MANY}" if len(painted) > IN_LINK else said


def painting_unready(painted: Points) -> Unready | None:
    """Why there is nothing to train on: the link was bad, had no room for the points, or there are too few yet."""
    if note := PAINTED_NOTE.get():
        return Unready(note)
    if not len(painted) and LINK.is_set() and LINK.get().get("data") == PAINTED and LINK.get().get("sha"):
        return Unready(
            f"A link holds at most {IN_LINK} painted points; this one was made with more and has none. Paint new points.", "info"
        )
    reason = lacking(painted)
    return Unready(reason, "info") if reason else None

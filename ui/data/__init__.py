"""Choosing the data: the gallery or an upload, the target column, and a look at what was done to the table."""

import hashlib
from dataclasses import replace

import pandas as pd
import streamlit as st

from tsk_core import limits
from tsk_core.data import Dataset, RawTable, dataset_names, guess_target, load_dataset, make_dataset, read_table
from tsk_core.data.gallery import GALLERY
from tsk_core.errors import TSKError
from ui.text import in_markdown, shortened

__all__ = ["choose", "preview"]

UPLOAD = "upload"
PREVIEW_ROWS = 200


def choose() -> Dataset | None:
    """The dataset picked in the sidebar; None, with a sentence, where there is none yet."""
    names = [*dataset_names(), UPLOAD]
    _note_unknown_name(names)
    picked = st.selectbox(
        "Data",
        names,
        key="data",
        bind="query-params",
        on_change=_forget_target,
        help="A dataset of the gallery, or 'upload' for your own CSV file.",
    )
    try:
        dataset = _uploaded() if picked == UPLOAD else _picked(picked)
    except TSKError as error:
        st.error(in_markdown(error))
        return None
    if dataset is not None:
        _compare_with_link(picked, dataset)
    return dataset


def _picked(name: str) -> Dataset:
    """A dataset of the gallery, with the target chosen here."""
    st.caption(in_markdown(GALLERY[name].description if name in GALLERY else f"{name}.csv of this server's data folder."))
    dataset = _from_gallery(name)
    target = _target(list(dataset.frame.columns), dataset.target)
    return dataset if target == dataset.target else dataset.with_target(target)


def _compare_with_link(picked: str, dataset: Dataset) -> None:
    """Say so when the data of a link's name are not the data it was made with."""
    link = st.session_state.link
    same_name = (picked, dataset.target) == (link.get("data"), link.get("target"))
    if same_name and not dataset.sha256.startswith(link.get("sha", "").lower()):
        st.info("The link was made with other data of this name: their SHA-256 differ. Its numbers will not come back exactly.")


def preview(dataset: Dataset, *, expanded: bool) -> None:
    """The table, its classes, and one line for everything that was done to it."""
    counts = pd.Series(dataset.y).value_counts().reindex(dataset.classes)
    features = dataset.frame.shape[1] - 1
    title = f"{in_markdown(shortened(dataset.name, 60))}: {len(dataset.frame):,} rows, {features} features, {len(counts)} classes"
    with st.expander(f"Data – {title}", expanded=expanded):
        for note in dataset.notes:
            st.markdown(f"- {in_markdown(note)}")
        table, classes = st.columns([3, 1])
        table.dataframe(dataset.frame.head(PREVIEW_ROWS), height=260, width="stretch")
        if len(dataset.frame) > PREVIEW_ROWS:
            table.caption(f"The first {PREVIEW_ROWS} of {len(dataset.frame):,} rows.")
        balance = pd.DataFrame({"class": counts.index, "rows": counts.to_numpy(), "share": counts.to_numpy() / counts.sum()})
        columns = {
            "class": st.column_config.TextColumn(width="small"),
            "share": st.column_config.ProgressColumn("share", format="percent", min_value=0, max_value=1),
        }
        classes.dataframe(balance, hide_index=True, height=260, width="stretch", column_config=columns)
        if dataset.source:
            licence = f" Licence: {dataset.licence}." if dataset.licence else ""
            st.caption(in_markdown(f"Source: {dataset.source}.{licence}"))


@st.cache_resource(max_entries=32, show_spinner=False)
def _from_gallery(name: str) -> Dataset:
    return load_dataset(name)


def _uploaded() -> Dataset | None:
    """The dataset of this session's uploaded file; the bytes are dropped once read."""
    file = st.file_uploader(
        "CSV file", key="file", max_upload_size=limits.value("upload_mb"),
        help="One row an example, one column the class. It stays on this server only while this page is open.",
    )  # fmt: skip
    if file is None:
        if wanted := st.query_params.get("sha"):
            table = in_markdown(f"{wanted[:12]}…")
            st.info(f"This link was made with an uploaded file; upload the same one (SHA-256 of its table: {table}).")
        else:
            st.info("Upload a CSV file, or pick a dataset above.")
        return None
    content = file.getvalue()
    digest = hashlib.sha256(content).hexdigest()
    if st.session_state.get("upload_digest") != digest:
        _forget_target(keep_link=True)
        with st.spinner("Reading the file…"):
            st.session_state.upload = _read(content, file.name)
        st.session_state.upload_digest = digest
    raw = st.session_state.upload
    if isinstance(raw, str):
        st.error(in_markdown(raw))
        return None
    target = _target(list(raw.frame.columns), guess_target(raw.frame))
    return _dataset(digest, target, raw)


def _read(content: bytes, name: str) -> RawTable | str:
    """The table, or the sentence that says why there is none, so that it need not be tried again at each redraw."""
    try:
        return replace(read_table(content), name=name.rsplit(".", 1)[0])
    except TSKError as error:
        return str(error)


def _dataset(digest: str, target: str, raw: RawTable) -> Dataset:
    """Cleaning is repeated only when the file or the target changed; kept in the session, never in a shared cache."""
    key = (digest, target)
    if st.session_state.get("upload_key") != key:
        st.session_state.upload_dataset = make_dataset(raw.frame, target, name=raw.name, findings=raw.findings)
        st.session_state.upload_key = key
    return st.session_state.upload_dataset


def _target(columns: list[str], guess: str) -> str:
    return st.selectbox(
        "Target column", columns, columns.index(guess), key="target", bind="query-params",
        help="The column that holds the class to predict.",
    )  # fmt: skip


def _forget_target(keep_link: bool = False) -> None:
    """Another table has other columns; its own guess applies, unless a link just named one."""
    if not (keep_link and st.session_state.link.get("target") and "upload_digest" not in st.session_state):
        st.session_state.pop("target", None)


def _note_unknown_name(names: list[str]) -> None:
    wanted = st.query_params.get("data")
    if wanted is not None and wanted not in names and "data" not in st.session_state:
        st.session_state.data_note = f"The link's dataset “{in_markdown(wanted[:40])}” is not on this server; pick another."
    if note := st.session_state.get("data_note"):
        st.info(note)

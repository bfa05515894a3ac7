"""A second file with the test rows."""

from dataclasses import replace

import streamlit as st

from tsk_core import limits
from tsk_core.data import Choices, Dataset, RawTable, ReadOptions, make_dataset, with_test_rows
from tsk_core.errors import TSKError
from ui.data.decisions import decided
from ui.data.source import Source, read_upload
from ui.data.uploading import how_large
from ui.platform import memory, session
from ui.text import in_markdown


def uploader(source: Source) -> None:
    """The uploader of the second file, and which one is used: that of another page of this session, or none yet."""
    st.file_uploader(
        "File with the test rows", key=session.SECOND_FILE(source.key).name, max_upload_size=limits.value("upload_mb"),
        on_change=memory.forget, args=("second",),
        help="The same columns as the first file. Its rows are the test rows; those of the first file are the training rows."
        f" {how_large()}",
    )  # fmt: skip
    if error := session.SECOND_ERROR.get():
        st.error(in_markdown(error))
    elif session.SECOND_FILE(source.key).get() is None:
        if (carried := _carried(source)) is None:
            st.info("Choose the file; until then, the test rows are a random share.")
        else:
            st.caption(in_markdown(f"{carried.name}, as uploaded before. Another file replaces it."))


def joined(source: Source) -> Source:
    """Both files as one table; only the first without a second, or with a message if the second does not fit."""
    session.SECOND_ERROR.pop()
    if source.raw is None or decided("split", source.key) != "file":
        return source
    file = session.SECOND_FILE(source.key).get()
    if file is None:
        second = _carried(source)
        if second is None:
            return source
    else:
        read = read_upload("second", f"{source.key} {file.file_id}", file.getvalue(), file.name, ReadOptions())
        if not isinstance(read, RawTable):
            session.SECOND_ERROR.set(read)
            return source
        second = read
    first = source.raw
    try:
        frame, part = with_test_rows(first.frame, second.frame)
    except TSKError as error:
        session.SECOND_ERROR.set(str(error))
        return source

    def make(choices: Choices) -> Dataset:
        roles = {**choices.roles, part: "split"}
        return make_dataset(frame, name=first.name, findings=first.findings, choices=replace(choices, roles=roles))

    return replace(source, version=f"{source.version}+{memory.kept('second')[0]}", make=make)


def _carried(source: Source) -> RawTable | None:
    """The second file that another page of this session took for this table; Streamlit drops it there with its uploader."""
    key, raw = memory.kept("second")
    return raw if isinstance(raw, RawTable) and key and key[0].startswith(f"{source.key} ") else None

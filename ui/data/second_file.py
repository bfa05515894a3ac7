"""A second file with the test rows."""

from dataclasses import replace

import streamlit as st

from tsk_core import limits
from tsk_core.data import Choices, Dataset, RawTable, ReadOptions, make_dataset, with_test_rows
from ui.data.decisions import decided
from ui.data.source import Source, read_upload
from ui.data.uploading import how_large
from ui.platform import session
from ui.text import in_markdown

__all__ = ["joined", "uploader"]


def uploader(source: Source) -> None:
    """The uploader of the second file."""
    st.file_uploader(
        "File with the test rows", key=session.SECOND_FILE(source.key).name, max_upload_size=limits.value("upload_mb"),
        help="The same columns as the first file. Its rows are the test rows; those of the first file are the training rows."
        f" {how_large()}",
    )  # fmt: skip
    if error := session.SECOND_ERROR.get():
        st.error(in_markdown(error))


def joined(source: Source) -> Source:
    """Both files as one table; only the first without a second, or with a message if the second does not fit."""
    session.SECOND_ERROR.pop()
    file = session.SECOND_FILE(source.key).get()
    if source.raw is None or file is None or decided("split", source.key) != "file":
        return source
    second = read_upload("second", file.file_id, file.getvalue(), file.name, ReadOptions())
    if not isinstance(second, RawTable):
        session.SECOND_ERROR.set(second)
        return source
    frame, part = with_test_rows(source.raw.frame, second.frame)
    first = source.raw

    def make(choices: Choices) -> Dataset:
        roles = {**choices.roles, part: "split"}
        return make_dataset(frame, name=first.name, findings=first.findings, choices=replace(choices, roles=roles))

    return replace(source, version=f"{source.version}+{file.file_id}", make=make)

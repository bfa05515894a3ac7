"""The rows of both parts of a run, as a file."""

import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tsk_core.runs.files import VERSION, check_version, read_bytes, reading, replace_file

if TYPE_CHECKING:
    from tsk_core.data import Split

__all__ = ["read_split", "write_split"]


def write_split(path: Path, split: "Split") -> None:
    """Keep the row numbers and the notes."""

    def write(aside: Path) -> None:
        with aside.open("wb") as file:
            np.savez(file, version=VERSION, train=split.train, test=split.test, notes=np.asarray(list(split.notes), dtype=str))

    replace_file(path, write)


def read_split(path: Path) -> "Split":
    """What ``write_split`` kept; RunError where the file is damaged."""
    from tsk_core.data import Split

    content = io.BytesIO(read_bytes(path))
    with reading(path.name), np.load(content, allow_pickle=False) as arrays:
        check_version(int(arrays["version"]), path)
        train, test = arrays["train"], arrays["test"]
        if any(rows.ndim != 1 or rows.dtype.kind != "i" for rows in (train, test)):
            raise TypeError("not row numbers")
        return Split(train=train, test=test, notes=tuple(str(note) for note in arrays["notes"]))

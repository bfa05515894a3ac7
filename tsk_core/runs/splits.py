"""The rows of both parts of a run, and where they stand in the table before cleaning, as a file."""

import contextlib
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tsk_core.runs.files import VERSION, check_version, read_bytes, reading, replace_file

if TYPE_CHECKING:
    from tsk_core.data import Split

__all__ = ["FILE", "read_positions", "read_split", "write_split"]

FILE = "split.npz"


def write_split(path: Path, split: "Split", positions: np.ndarray | None = None) -> None:
    """Keep the row numbers and the notes. positions: as those of ``Dataset``."""
    arrays: dict[str, Any] = {"train": split.train, "test": split.test, "notes": np.asarray(list(split.notes), dtype=str)}
    if positions is not None:
        arrays["positions"] = positions

    def write(aside: Path) -> None:
        with aside.open("wb") as file:
            np.savez(file, version=VERSION, **arrays)

    replace_file(path, write)


def read_split(path: Path) -> "Split":
    """What ``write_split`` kept; RunError where the file is damaged."""
    from tsk_core.data import Split

    with _arrays(path) as arrays:
        train, test = (_row_numbers(arrays[name]) for name in ("train", "test"))
        return Split(train=train, test=test, notes=tuple(str(note) for note in arrays["notes"]))


def read_positions(path: Path) -> np.ndarray | None:
    """The positions that ``write_split`` kept; None where no row was left out. RunError where the file is damaged."""
    with _arrays(path) as arrays:
        return _row_numbers(arrays["positions"]) if "positions" in arrays else None


@contextlib.contextmanager
def _arrays(path: Path) -> Iterator[Mapping[str, np.ndarray]]:
    content = io.BytesIO(read_bytes(path))
    with reading(path.name), np.load(content, allow_pickle=False) as arrays:
        check_version(int(arrays["version"]), path)
        yield arrays


def _row_numbers(rows: np.ndarray) -> np.ndarray:
    if rows.ndim != 1 or rows.dtype.kind != "i":
        raise TypeError("not row numbers")
    return rows

"""read_csv: a CSV file, from bytes or a path, into a Dataset. One way for the app, the command line and Python."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from tsk_core import limits
from tsk_core.data.choices import Choices
from tsk_core.data.clean import tidy_names
from tsk_core.data.dataset import Dataset, make_dataset
from tsk_core.data.finding import Finding
from tsk_core.data.reading.parse import request
from tsk_core.data.reading.structure import Reading
from tsk_core.errors import DataError, LimitError

__all__ = ["RawTable", "Reading", "read_csv", "read_table"]

_ROOT = Path(__file__).parents[3]
_ERRORS = {"DataError": DataError, "LimitError": LimitError}


@dataclass(frozen=True, eq=False)
class RawTable:
    """A file's table, before a target is chosen and anything is cleaned.

    frame: columns named with distinct text. reading: how it was read, nothing left open.
    findings: how it was read and what was repaired so far, for people. name: the file's, without its ending.
    """

    frame: pd.DataFrame
    reading: Reading
    findings: tuple[Finding, ...] = ()
    name: str = "table"


def read_csv(
    source: bytes | str | os.PathLike,
    target: str | None = None,
    name: str | None = None,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
    choices: Choices | None = None,
) -> Dataset:
    """Read a CSV file; what is not given is found out, and ``Dataset.findings`` say how it was read.

    source: the file's bytes (an upload, bounded by the limit ``upload_mb``) or its path (not bounded).
    target: the class column's name; None guesses it. name: of the dataset; None takes the file's.
    encoding: such as "utf-8". delimiter: one of , ; tab |. decimal: "." or ",". header: whether row 1 holds names.
    choices: further decisions about the table.
    Raises DataError or LimitError with one sentence; the file is parsed in a process of its own, bounded in time and memory.
    """
    raw = read_table(source, Reading(encoding, delimiter, decimal, header))
    return make_dataset(raw.frame, target, name=name or raw.name, findings=raw.findings, choices=choices)


def read_table(source: bytes | str | os.PathLike, wish: Reading | None = None) -> RawTable:
    """A file as a table with proper column names, and how it was read. Raises as ``read_csv`` does."""
    data, name = _bytes(source)
    wish = wish or Reading()
    frame, notes = _parse_apart(data, wish)
    frame, said = tidy_names(frame)
    return RawTable(frame, wish, (*(Finding(n, kind="read") for n in notes), *map(Finding, said)), name)


def _bytes(source: bytes | str | os.PathLike) -> tuple[bytes, str]:
    if isinstance(source, bytes | bytearray | memoryview):
        limits.check("upload_mb", memoryview(source).nbytes / 1e6, "Megabytes in this file")
        return bytes(source), "table"
    path = Path(source)
    try:
        return path.read_bytes(), path.stem
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a file name"
        raise DataError(f"The file '{path}' cannot be opened: {reason.lower()}.") from None


def _parse_apart(data: bytes, wish: Reading) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Parse in another process; multiprocessing would import the app's main script again."""
    seconds = limits.value("parse_seconds")
    # One thread: this process does one small thing, and each thread would reserve memory of its quota.
    alone = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}
    path = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "tsk_core.data.reading.parse"],
            input=request(data, wish), capture_output=True, timeout=seconds, check=False,
            env=os.environ | alone | {"PYTHONPATH": path},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise LimitError(f"Reading this file took longer than {seconds} s; use a smaller one.") from None
    line, _, table = done.stdout.partition(b"\n")
    if done.returncode or not line:
        raise DataError("This file cannot be read: the reader broke down on it. Save it as CSV in UTF-8 and try again.")
    answer = json.loads(line)
    if "error" in answer:
        raise _ERRORS.get(answer["kind"], DataError)(answer["error"])
    return _from_arrow(table).set_axis(answer["names"], axis=1), tuple(answer["notes"])


def _from_arrow(table: bytes) -> pd.DataFrame:
    import pyarrow as pa

    return pa.ipc.open_stream(table).read_pandas()

"""Fetch datasets from OpenML: in a separate process, one at a time, without immediate retries after a failure."""

import io
import json
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
from sklearn.datasets import get_data_home

from tsk_core import limits
from tsk_core.errors import DataError
from tsk_core.runtime.child_process import ChildError, ChildProcess

_SERVER: str | None = None  # None: OpenML itself; tests set the address of another server
_GRACE = 10  # seconds for the process to start and to clean up
_PAUSE = 30  # seconds for which a failure is repeated without a new attempt
# Each further thread would reserve part of the memory quota.
_ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
_fetching = threading.Lock()
_failed: dict["Pin", tuple[float, str]] = {}

_FAILURES = {
    "unreachable": "OpenML cannot be reached",
    "failing": "OpenML answers with an error",
    "missing": "OpenML has no such dataset",
    "slow": "OpenML did not answer in time",
    "large": "OpenML sent more than this dataset can hold",
    "broken": "the data from OpenML is damaged or incomplete",
    "disk": "the data from OpenML cannot be stored on disk (SCIKIT_LEARN_DATA names the folder)",
}


@dataclass(frozen=True)
class Pin:
    """One version of one dataset on OpenML. data_id: its number; None finds it by name and version.

    verified: whether a source confirms that the number belongs to this dataset.
    """

    name: str
    version: int
    data_id: int | None = None
    verified: bool = field(default=True, compare=False)

    def __str__(self) -> str:
        number = f"number {self.data_id}, " if self.data_id else ""
        return f"OpenML's dataset '{self.name}' ({number}version {self.version})"


def fetch(pin: Pin, name: str) -> pd.DataFrame:
    """The table as OpenML has it, target last; from the data folder of scikit-learn if it was fetched before.

    name: in the gallery. Bounded by the limits ``fetch_seconds`` and ``fetch_mb``.
    Raises DataError with the reason and how to supply the file by hand.
    """
    with _fetching:
        at, failure = _failed.get(pin, (0.0, ""))
        if not failure or time.monotonic() - at > _PAUSE:
            frame, failure = _fetch_in_subprocess(pin)
            if frame is not None:
                _failed.pop(pin, None)
                return frame
            _failed[pin] = time.monotonic(), failure
    raise DataError(
        f"The dataset '{name}' is fetched on first use, but {_FAILURES[failure]}; try again later, or put {name}.csv, "
        "its last column named class, into a folder and give the folder's path in TSK_DATA_DIR."
    )


def is_fetched(pin: Pin) -> bool:
    """Whether it was fetched before and needs no internet access."""
    try:
        return _marker(pin).exists()
    except OSError:  # the folder cannot be made
        return False


def _marker(pin: Pin) -> Path:
    """A file beside those of scikit-learn that marks the download as complete. Raises OSError."""
    return Path(get_data_home()) / "openml" / "tsk-explorer" / f"{pin.name}-{pin.version}"


def _fetch_in_subprocess(pin: Pin) -> tuple[pd.DataFrame | None, str]:
    """The table and "", or None and a key of ``_FAILURES``."""
    seconds = limits.value("fetch_seconds")
    try:
        home, marker = get_data_home(), _marker(pin)
    except OSError:
        return None, "disk"
    arguments = {"name": pin.name, "version": pin.version} if pin.data_id is None else {"data_id": pin.data_id}
    job = {
        "arguments": arguments, "home": home, "marker": str(marker), "server": _SERVER, "seconds": seconds,
        "megabytes": limits.value("fetch_mb"), "memory": limits.value("parse_mb"),
    }  # fmt: skip
    try:
        with ChildProcess("tsk_core.data.gallery.fetch", environment=_ENVIRONMENT, quiet=True) as process:
            return _answer(process, job, seconds + _GRACE, job["memory"])
    except ChildError as error:
        return None, "slow" if error.late else "broken"


def _answer(process: ChildProcess, job: dict[str, Any], seconds: float, megabytes: float) -> tuple[pd.DataFrame | None, str]:
    with process.deadline(seconds, megabytes):
        process.write(json.dumps(job).encode() + b"\n")
        failure = process.read_line().decode()
        if failure:
            return None, failure if failure in _FAILURES else "broken"
        return pd.read_feather(io.BytesIO(process.output.read())), ""

"""Fetching from OpenML on behalf of the gallery: in a process of its own, one at a time, and never in vain twice in a row."""

import io
import json
import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd
from sklearn.datasets import get_data_home

from tsk_core import limits
from tsk_core.errors import DataError

__all__ = ["Pin", "fetch", "is_fetched"]

_ROOT = Path(__file__).parents[3]
_SERVER: str | None = None  # None: OpenML itself; tests put the address of a server of their own here
_GRACE = 10  # seconds for the other process to start and to clean up after itself
_PAUSE = 30  # seconds for which a failure is repeated instead of the attempt
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # each more would reserve memory of its quota
_fetching = threading.Lock()
_failed: dict["Pin", tuple[float, str]] = {}

_WRONG = {
    "unreachable": "OpenML cannot be reached",
    "failing": "OpenML answers with an error",
    "missing": "OpenML has no such dataset",
    "slow": "OpenML did not answer in time",
    "large": "OpenML sent more than this dataset can hold",
    "broken": "what OpenML sent is damaged or cut short",
    "disk": "what OpenML sent cannot be kept on disk (SCIKIT_LEARN_DATA names the folder)",
}


@dataclass(frozen=True)
class Pin:
    """One version of one dataset of OpenML's. data_id: its number; None finds it by name and version.

    verified: whether a source was found that the number is this dataset's.
    """

    name: str
    version: int
    data_id: int | None = None
    verified: bool = field(default=True, compare=False)

    def __str__(self) -> str:
        number = f"number {self.data_id}, " if self.data_id else ""
        return f"OpenML's dataset '{self.name}' ({number}version {self.version})"


def fetch(pin: Pin, name: str) -> pd.DataFrame:
    """The table as OpenML has it, target last; from scikit-learn's data folder where it was fetched before.

    name: the gallery's name for it. Bounded by the limits ``fetch_seconds`` and ``fetch_mb``.
    Raises DataError, saying what went wrong and how to supply the file by hand.
    """
    with _fetching:
        at, wrong = _failed.get(pin, (0.0, ""))
        if not wrong or time.monotonic() - at > _PAUSE:
            frame, wrong = _fetch_apart(pin)
            if frame is not None:
                _failed.pop(pin, None)
                return frame
            _failed[pin] = time.monotonic(), wrong
    raise DataError(
        f"The dataset '{name}' is fetched when first used, but {_WRONG[wrong]}; try again later, or put {name}.csv, "
        "its last column named class, into a folder and give the folder's path in TSK_DATA_DIR."
    )


def is_fetched(pin: Pin) -> bool:
    """Whether it was fetched before, and so needs no internet."""
    try:
        return _mark(pin).exists()
    except OSError:  # the folder cannot be made
        return False


def _mark(pin: Pin) -> Path:
    """A file beside scikit-learn's own that says that they are all there. Raises OSError."""
    return Path(get_data_home()) / "openml" / "tsk-explorer" / f"{pin.name}-{pin.version}"


def _fetch_apart(pin: Pin) -> tuple[pd.DataFrame | None, str]:
    """The table and "", or None and a key of ``_WRONG``."""
    seconds = limits.value("fetch_seconds")
    try:
        home, mark = get_data_home(), _mark(pin)
    except OSError:
        return None, "disk"
    wish = {"name": pin.name, "version": pin.version} if pin.data_id is None else {"data_id": pin.data_id}
    asked = {
        "wish": wish, "home": home, "mark": str(mark), "server": _SERVER, "seconds": seconds,
        "megabytes": limits.value("fetch_mb"), "memory": limits.value("parse_mb"),
    }  # fmt: skip
    path = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-W", "ignore", "-m", "tsk_core.data.gallery.fetch"], input=json.dumps(asked).encode(),
            capture_output=True, timeout=seconds + _GRACE, check=False, env=os.environ | _ONE_THREAD | {"PYTHONPATH": path},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None, "slow"
    wrong, _, table = done.stdout.partition(b"\n")
    if done.returncode or wrong:
        return None, wrong.decode() if wrong.decode() in _WRONG else "broken"
    return pd.read_feather(io.BytesIO(table)), ""

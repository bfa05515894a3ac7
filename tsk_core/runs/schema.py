"""The ledger's table: its rows, columns and indices. The columns are the fields of ``Record``."""

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from tsk_core.errors import RunError

if TYPE_CHECKING:
    from tsk_core.config import TrainConfig

__all__ = ["ENDED", "STATEMENTS", "KeptRuns", "Record", "Sizes", "proper_name"]

ENDED = ("finished", "stopped", "failed", "interrupted")
MOST_NAME = 80  # characters
_TABLE = """
CREATE TABLE runs (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, state TEXT NOT NULL, created REAL NOT NULL, started REAL, finished REAL,
    message TEXT NOT NULL DEFAULT '', dataset TEXT NOT NULL, rca REAL, bca REAL, pid INTEGER NOT NULL, pid_started REAL NOT NULL,
    name TEXT NOT NULL DEFAULT '', pinned INTEGER NOT NULL DEFAULT 0, settings_json TEXT NOT NULL DEFAULT '{}', seconds REAL,
    rows INTEGER, sha256 TEXT NOT NULL DEFAULT '', target TEXT NOT NULL DEFAULT '', size INTEGER NOT NULL DEFAULT 0,
    data_kept INTEGER NOT NULL DEFAULT 0, removed TEXT NOT NULL DEFAULT '', task TEXT NOT NULL DEFAULT 'training'
)
"""
STATEMENTS = (
    _TABLE,
    "CREATE INDEX runs_of_owner ON runs (owner, created)",
    "CREATE INDEX runs_by_age ON runs (created)",
    "CREATE INDEX disk_space ON runs (pinned, size, removed) WHERE removed = ''",
    "CREATE INDEX runs_by_state ON runs (state)",
)


class Record(NamedTuple):
    """A run's row in the ledger.

    state: queued, running, finished, stopped, failed or interrupted. created, started, finished: seconds since 1970.
    pid, pid_started: the process that answers for the run, and when that process began, in seconds since the machine
    was started (a pid alone gets reused).
    name: given by its owner, or "". seconds: of training. rows, sha256, target: of the dataset. size: bytes on the disk.
    data_kept: whether the table is in the run's folder. removed: a sentence if the run's files are deleted, else "".
    task: what kind of task it is of; "training" is what people watch.
    """

    id: str
    owner: str
    state: str
    created: float
    started: float | None
    finished: float | None
    message: str
    dataset: str
    rca: float | None
    bca: float | None
    pid: int
    pid_started: float
    name: str = ""
    pinned: bool = False
    settings_json: str = "{}"
    seconds: float | None = None
    rows: int | None = None
    sha256: str = ""
    target: str = ""
    size: int = 0
    data_kept: bool = False
    removed: str = ""
    task: str = "training"

    @property
    def settings(self) -> dict[str, Any]:
        """``TrainConfig``'s fields, with the seed that the run really uses; parsed at each call."""
        settings: dict[str, Any] = json.loads(self.settings_json)
        return settings

    def has_settings(self, config: "TrainConfig") -> bool:
        """Whether the run is one of these settings, its seed included."""
        kept: dict[str, Any] = json.loads(json.dumps(config.to_dict()))
        return self.settings == kept

    @property
    def has_scores(self) -> bool:
        """Whether the run ended with test scores."""
        return self.state in ("finished", "stopped") and self.rca is not None

    @property
    def ended(self) -> bool:
        """Whether the run ended."""
        return self.state in ENDED

    @classmethod
    def of(cls, row: tuple[Any, ...]) -> "Record":
        """From a row of the table; SQLite has no truth values."""
        record = cls._make(row)
        return record._replace(pinned=bool(record.pinned), data_kept=bool(record.data_kept))


class Sizes(NamedTuple):
    """Bytes of the runs that are not removed: of all ``runs``, of the pinned ones, and of one owner's pinned ones."""

    used: int
    runs: int
    pinned: int
    pinned_of_owner: int


class KeptRuns(NamedTuple):
    """What is kept of one owner's runs of one kind of task.

    runs: how many; open: those of them that have not ended; tables: those with their table. size: bytes on the disk.
    since: when the oldest was made, in seconds since 1970. ended: when the first of them ended, likewise; None before that.
    """

    task: str
    runs: int
    open: int
    tables: int
    size: int
    since: float
    ended: float | None


def proper_name(name: str) -> str:
    """A run's name on one line, without what cannot be seen. RunError for more than 80 characters."""
    name = " ".join("".join(c if c.isprintable() else " " for c in name).split())
    if len(name) > MOST_NAME:
        raise RunError(f"A run's name has at most {MOST_NAME} characters; this one has {len(name):,}.")
    return name

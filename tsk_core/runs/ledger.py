"""Ledger: one SQLite row a run, for its state and its place in lists. Each change is one transaction.

Several processes may share one ledger (WAL mode), on one machine: SQLite's WAL does not work across a network folder. Workers
never open it, since they may be elsewhere (docs/decisions/0025).
"""

import json
import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import psutil

from tsk_core.errors import RunError
from tsk_core.runs.files import VERSION, TablesFile, check_version

if TYPE_CHECKING:
    from tsk_core.config import TrainConfig

# The ledger's table: its rows, columns and indices. The columns are the fields of ``Record``.


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


FOREIGN = "Only the person who started this run can change it."
ROUNDING = 2.0  # seconds: the system tells when it was started in whole ones
GONE = "The server stopped before this run ended; start it again."
OPEN = "(state IN ('queued', 'running'))"
_COLUMNS = ", ".join(Record._fields)
_BLANK = (
    "owner = '', name = '', dataset = '', message = '', settings_json = '{}', rca = NULL, bca = NULL, seconds = NULL,"
    " rows = NULL, sha256 = '', target = ''"
)


class Ledger:
    """The table of runs in ``folder / "runs.sqlite"``, created if missing.

    RunError in one sentence if it cannot be read or written, or if a newer version of this program wrote it.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / "runs.sqlite"
        file = TablesFile(path, make=_make_table, check=lambda version: check_version(version, path), unusable=_unusable)
        self._transaction = file.transaction

    def add(self, run: str, owner: str, dataset: str, **about: Any) -> None:
        """A new run, queued, that this process answers for. about: any of Record's fields from ``name`` on."""
        values = {
            "id": run, "owner": owner, "state": "queued", "created": time.time(), "dataset": dataset,
            "pid": os.getpid(), "pid_started": _began(os.getpid()), **about,
        }  # fmt: skip
        assert values.keys() <= set(Record._fields)  # they become column names
        with self._transaction() as table:
            marks = ", ".join("?" * len(values))
            table.execute(f"INSERT INTO runs ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))

    # Changes of state. Each returns whether the run was still open: the first end of a run is the one that counts.

    def start(self, run: str) -> bool:
        """A queued run (or a running one that lost its worker) begins."""
        return self._change(run, "state = 'running', started = ?, message = ''", time.time())

    def requeue(self, run: str, message: str) -> bool:
        """A running run goes back into the queue."""
        return self._change(run, "state = 'queued', message = ?", message)

    def end(
        self, run: str, state: str, message: str = "", rca: float | None = None, bca: float | None = None,
        seconds: float | None = None, size: int = 0, settings_json: str | None = None,
    ) -> bool:  # fmt: skip
        """The run ends in one of ``ENDED``. settings_json: those that it turned out to have; None where nothing is known."""
        assignments = "state = ?, message = ?, rca = ?, bca = ?, finished = ?, seconds = ?, size = ?"
        assignments += ", settings_json = COALESCE(?, settings_json)"
        return self._change(run, assignments, state, message, rca, bca, time.time(), seconds, size, settings_json)

    # What its owner may change.

    def rename(self, run: str, name: str, owner: str) -> None:
        """Give the run a name of at most 80 characters; "" removes it. RunError for a longer one, or another's run."""
        self._change_owned(run, owner, "name = ?", proper_name(name))

    def pin(self, run: str, pinned: bool, owner: str) -> None:
        """Keep the run from being deleted to free disk space, or no longer. RunError for another's run."""
        self._change_owned(run, owner, "pinned = ?", int(pinned))

    def table_removed(self, run: str, owner: str, size: int) -> None:
        """The run's table was deleted; size: what the run takes without it, in bytes. RunError for another's run."""
        self.owned_record(run, owner)
        with self._transaction() as table:
            table.execute("UPDATE runs SET data_kept = 0, size = ? WHERE id = ? AND owner = ?", (size, run, owner))

    # Reading.

    def record(self, run: str) -> Record:
        """The run's row, also of one that was removed; RunError when there is none."""
        with self._transaction() as table:
            row = table.execute(f"SELECT {_COLUMNS} FROM runs WHERE id = ?", (str(run),)).fetchone()
        if row is None:
            raise RunError("There is no such run here; it may have been deleted, or the link is incomplete.")
        return Record.of(row)

    def records(
        self, owner: str | None = None, limit: int = -1, offset: int = 0, *,
        removed: bool = False, pinned: bool = False, task: str | None = None,
    ) -> list[Record]:  # fmt: skip
        """One owner's runs, or everybody's, newest first. limit: -1 for all. removed: also deleted ones. pinned: only those.

        task: only runs of this kind of task.
        """
        where, values = _where(owner, removed, pinned, task)
        query = f"SELECT {_COLUMNS} FROM runs {where} ORDER BY created DESC, rowid DESC LIMIT ? OFFSET ?"
        with self._transaction() as table:
            return [Record.of(row) for row in table.execute(query, (*values, limit, offset))]

    def count(self, owner: str | None = None, *, removed: bool = False, task: str | None = None) -> int:
        """How many runs ``records`` would list."""
        where, values = _where(owner, removed, task=task)
        with self._transaction() as table:
            count: int = table.execute(f"SELECT COUNT(*) FROM runs {where}", values).fetchone()[0]
            return count

    def kept(self, owner: str) -> list[KeptRuns]:
        """What is kept of the owner's runs, by kind of task, the kind with the oldest run first."""
        query = (
            f"SELECT task, COUNT(*), SUM({OPEN}), SUM(data_kept), SUM(size), MIN(created), MIN(finished)"
            " FROM runs WHERE owner = ? AND removed = '' GROUP BY task ORDER BY MIN(created)"
        )
        with self._transaction() as table:
            return [KeptRuns(*row) for row in table.execute(query, (owner,))]

    def ended(self, *, owner: str | None = None, before: float | None = None) -> list[str]:
        """Runs that have ended: ``owner``'s, or those that did before a moment. Also removed ones whose row is not blank."""
        matches = {"owner = ?": owner, "COALESCE(finished, created) < ?": before}
        given = {condition: value for condition, value in matches.items() if value is not None}
        conditions = " AND ".join((f"NOT {OPEN}", "(removed = '' OR owner != '')", *given))
        query = f"SELECT id FROM runs WHERE {conditions}"
        with self._transaction() as table:
            return [run for (run,) in table.execute(query, tuple(given.values()))]

    def owned_record(self, run: str, owner: str) -> Record:
        """The row of a run that is ``owner``'s and still there; RunError otherwise."""
        record = self.record(run)
        if record.removed:
            raise RunError(record.removed)
        if record.owner != owner:
            raise RunError(FOREIGN)
        return record

    def open_runs(self) -> list[str]:
        """Runs that have not ended."""
        with self._transaction() as table:
            return [run for (run,) in table.execute(f"SELECT id FROM runs WHERE {OPEN}")]

    def orphans(self) -> list[str]:
        """Open runs whose process is gone."""
        with self._transaction() as table:
            rows = table.execute(f"SELECT id, pid, pid_started FROM runs WHERE {OPEN}").fetchall()
        gone = {process for process in {row[1:] for row in rows} if not _is_alive(*process)}
        return [run for run, *process in rows if tuple(process) in gone]

    def sizes(self, owner: str = "") -> Sizes:
        """The bytes and the number of runs that are not removed."""
        query = (
            "SELECT COALESCE(SUM(size), 0), COUNT(*), COALESCE(SUM(size * (pinned != 0)), 0),"
            " COALESCE(SUM(size * (pinned != 0) * (owner = ?)), 0) FROM runs WHERE removed = ''"
        )
        with self._transaction() as table:
            return Sizes(*table.execute(query, (owner,)).fetchone())

    # Rows of runs whose files are deleted.

    def removed(self) -> dict[str, str]:
        """All runs with the sentence why their files are deleted, "" for those that are there."""
        with self._transaction() as table:
            return dict(table.execute("SELECT id, removed FROM runs"))

    def mark_removed(self, runs: list[str], sentence: str) -> None:
        """Note why the files of these runs are deleted. Runs that are open, or marked already, stay as they are."""
        with self._transaction() as table:
            _mark_removed(table, runs, sentence)

    def blank(self, runs: list[str], sentence: str) -> None:
        """Mark these runs as ``mark_removed`` does, and empty their rows: nothing is left but when a run was made, and its id."""
        change = f"UPDATE runs SET removed = ?, size = 0, pinned = 0, data_kept = 0, {_BLANK} WHERE id = ? AND NOT {OPEN}"
        with self._transaction() as table:
            table.executemany(change, [(sentence, run) for run in runs])

    def remove(self, choose: Callable[[list[Record]], list[str]], sentence: str) -> None:
        """Mark the runs that ``choose`` picks from all that are there. Of several processes, each picks what the others left."""
        with self._transaction(at_once=True) as table:
            records = [Record.of(row) for row in table.execute(f"SELECT {_COLUMNS} FROM runs WHERE removed = ''")]
            _mark_removed(table, choose(records), sentence)

    def forget_removed(self, most: int) -> None:
        """Delete the rows of all removed runs but the newest ``most``."""
        oldest = "SELECT id FROM runs WHERE removed != '' ORDER BY created DESC LIMIT -1 OFFSET ?"
        with self._transaction() as table:
            table.execute(f"DELETE FROM runs WHERE id IN ({oldest})", (most,))

    # Inside.

    def _change_owned(self, run: str, owner: str, assignment: str, value: object) -> None:
        self.owned_record(run, owner)
        with self._transaction() as table:
            table.execute(f"UPDATE runs SET {assignment} WHERE id = ? AND owner = ?", (value, run, owner))

    def _change(self, run: str, assignments: str, *values: object) -> bool:
        with self._transaction() as table:
            return table.execute(f"UPDATE runs SET {assignments} WHERE id = ? AND {OPEN}", (*values, run)).rowcount == 1


def _make_table(table: sqlite3.Connection) -> None:
    for statement in STATEMENTS:
        table.execute(statement)
    table.execute(f"PRAGMA user_version = {VERSION}")


def _unusable(error: sqlite3.Error) -> RunError:
    return RunError(f"The list of runs cannot be used ({error}); the administrator of this server has to check it.")


def _where(owner: str | None, removed: bool, pinned: bool = False, task: str | None = None) -> tuple[str, tuple[str, ...]]:
    matches = {"owner = ?": owner, "task = ?": task}
    conditions = [condition for condition, value in matches.items() if value is not None]
    conditions += [] if removed else ["removed = ''"]
    conditions += ["pinned != 0"] if pinned else []
    values = tuple(value for value in matches.values() if value is not None)
    return (f"WHERE {' AND '.join(conditions)}" if conditions else ""), values


def _mark_removed(table: sqlite3.Connection, runs: list[str], sentence: str) -> None:
    change = f"UPDATE runs SET removed = ?, size = 0, pinned = 0, data_kept = 0 WHERE id = ? AND removed = '' AND NOT {OPEN}"
    table.executemany(change, [(sentence, run) for run in runs])


def _is_alive(pid: int, started: float) -> bool:
    try:
        return abs(_began(pid) - started) < ROUNDING
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:  # someone else's process: it is there
        return True


def _began(pid: int) -> float:
    """When a process began, in seconds since the machine was started: no matter how the clock is set meanwhile."""
    return float(psutil.Process(pid).create_time() - psutil.boot_time())

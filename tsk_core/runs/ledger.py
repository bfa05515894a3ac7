"""Ledger: one SQLite row a run, for its state and its place in lists. Each change is one transaction.

Several processes may share one ledger (WAL mode), on one machine: SQLite's WAL does not work across a network folder. Workers
never open it, since they may be elsewhere (docs/decisions/0011).
"""

import contextlib
import json
import os
import sqlite3
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from tsk_core.errors import RunError
from tsk_core.runs.files import VERSION, check_version, close_to_others, full_disk
from tsk_core.runs.schema import add_missing, make_schema, upgrade

__all__ = ["ENDED", "FOREIGN", "GONE", "Ledger", "Record", "proper_name"]

ENDED = ("finished", "stopped", "failed", "interrupted")
FOREIGN = "Only the person who started this run can change it."
GONE = "The server stopped before this run ended; start it again."
OPEN = "state IN ('queued', 'running')"
MOST_NAME = 80  # characters
_FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_FSYNC)
TIMEOUT = 30  # seconds to wait for another process's change


class Record(NamedTuple):
    """A run's row in the ledger.

    state: queued, running, finished, stopped, failed or interrupted. created, started, finished: seconds since 1970.
    pid, pid_started: the process that answers for the run, and when that process began (a pid alone gets reused).
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
        return json.loads(self.settings_json)

    @property
    def ended(self) -> bool:
        """Whether the run ended."""
        return self.state in ENDED

    @classmethod
    def of(cls, row: tuple) -> "Record":
        """From a row of the table; SQLite has no truth values."""
        record = cls._make(row)
        return record._replace(pinned=bool(record.pinned), data_kept=bool(record.data_kept))


_COLUMNS = ", ".join(Record._fields)


class Ledger:
    """The table of runs in ``folder / "runs.sqlite"``, created if missing, upgraded if older.

    RunError in one sentence if it cannot be read or written, or if a newer version of this program wrote it.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / "runs.sqlite"
        self._keep_private()
        with _errors_translated():
            # Kept open and idle: when the last connection closes, SQLite copies all changes back and waits for the disk.
            self._anchor = sqlite3.connect(self._path, timeout=TIMEOUT, check_same_thread=False)
            weakref.finalize(self, self._anchor.close)  # from Python 3.13 on, a connection that nobody closed warns
            version = self._anchor.execute("PRAGMA user_version").fetchone()[0]
            check_version(version, self._path)
            if version == 0:
                self._anchor.execute("PRAGMA journal_mode = WAL")
            columns = {row[1] for row in self._anchor.execute("PRAGMA table_info(runs)")}
        if not columns >= set(Record._fields):
            self._upgrade(folder)

    def add(self, run: str, owner: str, dataset: str, **about: Any) -> None:
        """A new run, queued, that this process answers for. about: any of Record's fields from ``name`` on."""
        values = {
            "id": run, "owner": owner, "state": "queued", "created": time.time(), "dataset": dataset,
            "pid": os.getpid(), "pid_started": psutil.Process().create_time(), **about,
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
        seconds: float | None = None, size: int = 0,
    ) -> bool:  # fmt: skip
        """The run ends in one of ``ENDED``."""
        assignments = "state = ?, message = ?, rca = ?, bca = ?, finished = ?, seconds = ?, size = ?"
        return self._change(run, assignments, state, message, rca, bca, time.time(), seconds, size)

    # What its owner may change.

    def rename(self, run: str, name: str, owner: str) -> None:
        """Give the run a name of at most 80 characters; "" removes it. RunError for a longer one, or another's run."""
        self._own(run, owner, "name = ?", proper_name(name))

    def pin(self, run: str, pinned: bool, owner: str) -> None:
        """Keep the run from being deleted to free disk space, or no longer. RunError for another's run."""
        self._own(run, owner, "pinned = ?", int(pinned))

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
            return table.execute(f"SELECT COUNT(*) FROM runs {where}", values).fetchone()[0]

    # Inside.

    def _keep_private(self) -> None:
        """Who reads the ledger knows the ids of owners, and may act as any of them. SQLite's other files take its mode."""
        with contextlib.suppress(OSError):  # SQLite says in a sentence what is wrong
            os.close(os.open(self._path, os.O_CREAT | os.O_RDONLY, 0o600))
        for name in ("", "-wal", "-shm"):
            close_to_others(self._path.with_name(self._path.name + name), 0o600)

    def _upgrade(self, folder: Path) -> None:
        with self._transaction(at_once=True) as table:
            version = table.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                make_schema(table)
            elif version < VERSION:
                upgrade(table, folder)
            else:  # another process was faster, or the program that wrote it had fewer columns
                add_missing(table)
            table.execute(f"PRAGMA user_version = {VERSION}")

    def _owned(self, run: str, owner: str) -> Record:
        """The row of a run that is ``owner``'s and still there."""
        record = self.record(run)
        if record.removed:
            raise RunError(record.removed)
        if record.owner != owner:
            raise RunError(FOREIGN)
        return record

    def _own(self, run: str, owner: str, assignment: str, value: Any) -> None:
        self._owned(run, owner)
        with self._transaction() as table:
            table.execute(f"UPDATE runs SET {assignment} WHERE id = ? AND owner = ?", (value, run, owner))

    def _dead(self) -> list[str]:
        """Open runs whose process is gone."""
        with self._transaction() as table:
            rows = table.execute(f"SELECT id, pid, pid_started FROM runs WHERE {OPEN}").fetchall()
        gone = {process for process in {row[1:] for row in rows} if not _is_alive(*process)}
        return [run for run, *process in rows if tuple(process) in gone]

    def _change(self, run: str, assignments: str, *values: Any) -> bool:
        with self._transaction() as table:
            return table.execute(f"UPDATE runs SET {assignments} WHERE id = ? AND {OPEN}", (*values, run)).rowcount == 1

    @contextlib.contextmanager
    def _transaction(self, at_once: bool = False) -> Iterator[sqlite3.Connection]:
        """On a connection of its own, so that any thread may call; costs less than a millisecond.

        at_once: no one else may write from its beginning on, so that what was read is still true when it is changed.
        """
        with _errors_translated(), contextlib.closing(sqlite3.connect(self._path, timeout=TIMEOUT)) as table:
            table.execute("PRAGMA synchronous = NORMAL")
            with table:
                if at_once:
                    table.execute("BEGIN IMMEDIATE")
                yield table


@contextlib.contextmanager
def _errors_translated() -> Iterator[None]:
    """Turn errors of SQLite into one sentence."""
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) in _FULL:
            raise full_disk() from error
        raise RunError(f"The list of runs cannot be used ({error}); the administrator of this server has to check it.") from error


def proper_name(name: str) -> str:
    """A run's name on one line, without what cannot be seen. RunError for more than 80 characters."""
    name = " ".join("".join(c if c.isprintable() else " " for c in name).split())
    if len(name) > MOST_NAME:
        raise RunError(f"A run's name has at most {MOST_NAME} characters; this one has {len(name):,}.")
    return name


def _where(owner: str | None, removed: bool, pinned: bool = False, task: str | None = None) -> tuple[str, tuple]:
    matches = {"owner = ?": owner, "task = ?": task}
    conditions = [condition for condition, value in matches.items() if value is not None]
    conditions += [] if removed else ["removed = ''"]
    conditions += ["pinned != 0"] if pinned else []
    values = tuple(value for value in matches.values() if value is not None)
    return (f"WHERE {' AND '.join(conditions)}" if conditions else ""), values


def _is_alive(pid: int, started: float) -> bool:
    try:
        return abs(psutil.Process(pid).create_time() - started) < 2  # the clock may have been set in between
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:  # someone else's process: it is there
        return True

"""Ledger: one SQLite row a run, for its state and its place in lists. Each change of state is one transaction.

Several processes may share one ledger (WAL mode), on one machine: SQLite's WAL does not work across a network folder.
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import psutil

from tsk_core.errors import RunError

__all__ = ["ENDED", "VERSION", "Ledger", "Record", "check_version"]

VERSION = 1  # of the ledger and of every file of a run; a reader refuses a higher one
ENDED = ("finished", "stopped", "failed", "interrupted")
GONE = "The server stopped before this run ended; start it again."

_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, state TEXT NOT NULL, created REAL NOT NULL, started REAL, finished REAL,
    message TEXT NOT NULL DEFAULT '', dataset TEXT NOT NULL, rca REAL, bca REAL, pid INTEGER NOT NULL, pid_started REAL NOT NULL
)
"""


@dataclass(frozen=True)
class Record:
    """A run's row in the ledger. state: queued, running, finished, stopped, failed or interrupted; times: seconds since 1970.

    pid, pid_started: the process that answers for the run, and when that process began (a pid alone gets reused).
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


_COLUMNS = ", ".join(column.name for column in fields(Record))


class Ledger:
    """The table of runs in ``folder / "runs.sqlite"``, made when missing.

    recover: on opening, mark runs whose process is gone as "interrupted".
    """

    def __init__(self, folder: Path, recover: bool = True) -> None:
        self._path = folder / "runs.sqlite"
        with self._transaction() as table:
            version = table.execute("PRAGMA user_version").fetchone()[0]
            check_version(version, self._path)
            if version == 0:
                table.execute("PRAGMA journal_mode = WAL")
                table.execute(_SCHEMA)
                table.execute(f"PRAGMA user_version = {VERSION}")
        if recover:
            self._recover()

    def add(self, run: str, owner: str, dataset: str) -> None:
        """A new run, queued, that this process answers for."""
        pid, started = os.getpid(), psutil.Process().create_time()
        with self._transaction() as table:
            table.execute(
                "INSERT INTO runs (id, owner, state, created, dataset, pid, pid_started) VALUES (?, ?, 'queued', ?, ?, ?, ?)",
                (run, owner, time.time(), dataset, pid, started),
            )

    # Changes of state. Each returns whether the run was still open: the first end of a run is the one that counts.

    def start(self, run: str) -> bool:
        """A queued run (or a running one that lost its worker) begins."""
        return self._change(run, "state = 'running', started = ?, message = ''", time.time())

    def requeue(self, run: str, message: str) -> bool:
        """A running run goes back in line."""
        return self._change(run, "state = 'queued', message = ?", message)

    def end(self, run: str, state: str, message: str = "", rca: float | None = None, bca: float | None = None) -> bool:
        """The run ends in one of ``ENDED``."""
        return self._change(run, "state = ?, message = ?, rca = ?, bca = ?, finished = ?", state, message, rca, bca, time.time())

    def record(self, run: str) -> Record:
        """The run's row; RunError when there is none."""
        with self._transaction() as table:
            row = table.execute(f"SELECT {_COLUMNS} FROM runs WHERE id = ?", (str(run),)).fetchone()
        if row is None:
            raise RunError("There is no such run here; it may have been removed, or the link is incomplete.")
        return Record(*row)

    def records(self, owner: str | None = None) -> list[Record]:
        """All runs, or one owner's, newest first."""
        where, values = ("WHERE owner = ?", (owner,)) if owner is not None else ("", ())
        with self._transaction() as table:
            rows = table.execute(f"SELECT {_COLUMNS} FROM runs {where} ORDER BY created DESC, rowid DESC", values).fetchall()
        return [Record(*row) for row in rows]

    def _recover(self) -> None:
        with self._transaction() as table:
            query = "SELECT DISTINCT pid, pid_started FROM runs WHERE state IN ('queued', 'running')"
            for process in table.execute(query).fetchall():
                if not _is_alive(*process):
                    table.execute(
                        "UPDATE runs SET state = 'interrupted', message = ?, finished = ?"
                        " WHERE state IN ('queued', 'running') AND pid = ? AND pid_started = ?",
                        (GONE, time.time(), *process),
                    )

    def _change(self, run: str, assignments: str, *values: Any) -> bool:
        with self._transaction() as table:
            sql = f"UPDATE runs SET {assignments} WHERE id = ? AND state IN ('queued', 'running')"
            return table.execute(sql, (*values, run)).rowcount == 1

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """On a connection of its own, so that any thread may call; costs about a millisecond."""
        with contextlib.closing(sqlite3.connect(self._path, timeout=30)) as table:
            table.execute("PRAGMA synchronous = NORMAL")
            with table:
                yield table


def check_version(version: int, path: Path) -> None:
    """Raise RunError when a newer version of this program wrote ``path``."""
    if version > VERSION:
        raise RunError(f"{path} was written by a newer version of this program (format {version}); update it to read this.")


def _is_alive(pid: int, started: float) -> bool:
    try:
        return abs(psutil.Process(pid).create_time() - started) < 2  # the clock may have been set in between
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:  # someone else's process: it is there
        return True

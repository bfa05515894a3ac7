"""The file of the classroom: SQLite in the folder of runs, readable by this account alone, for several processes at once."""

import contextlib
import os
import secrets
import sqlite3
import weakref
from collections.abc import Iterator
from pathlib import Path

from tsk_core.classroom.schema import STATEMENTS, VERSION
from tsk_core.errors import ClassError
from tsk_core.runs.files import close_to_others, full_disk

__all__ = ["Database"]

TIMEOUT = 30  # seconds to wait for another process's change
_FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_FSYNC)


class Database:
    """``folder / "classroom.sqlite"``, created if missing. ClassError if it cannot be used, or a newer version wrote it."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "classroom.sqlite"
        with contextlib.suppress(OSError):  # SQLite says in a sentence what is wrong
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(self._path, os.O_CREAT | os.O_RDONLY, 0o600))
        close_to_others(self._path, 0o600)  # SQLite's other files take its mode
        with _errors_translated():
            # Kept open and idle: when the last connection closes, SQLite copies all changes back and waits for the disk.
            self._anchor = sqlite3.connect(self._path, timeout=TIMEOUT, check_same_thread=False)
            weakref.finalize(self, self._anchor.close)
            version = self._version(self._anchor)
            if version == 0:
                self._anchor.execute("PRAGMA journal_mode = WAL")
        if version == 0:
            self._make_tables()
            self._version(self._anchor)  # it holds the write-ahead log open only once it has read

    @contextlib.contextmanager
    def transaction(self, at_once: bool = False) -> Iterator[sqlite3.Connection]:
        """On a connection of its own, so that any thread may call.

        at_once: no one else may write from its beginning on, so that what was read is still true when it is changed.
        """
        with _errors_translated(), contextlib.closing(sqlite3.connect(self._path, timeout=TIMEOUT)) as table:
            table.execute("PRAGMA synchronous = NORMAL")
            with table:
                if at_once:
                    table.execute("BEGIN IMMEDIATE")
                yield table

    def _make_tables(self) -> None:
        with self.transaction(at_once=True) as table:
            if self._version(table) == 0:  # else another process was faster
                for statement in STATEMENTS:
                    table.execute(statement)
                table.execute("INSERT INTO secret VALUES (1, ?)", (secrets.token_bytes(32),))
                table.execute(f"PRAGMA user_version = {VERSION}")

    def _version(self, table: sqlite3.Connection) -> int:
        version: int = table.execute("PRAGMA user_version").fetchone()[0]
        if version > VERSION:
            raise ClassError(f"{self._path.name} was written by a newer version of this program; update it to teach with this.")
        return version


@contextlib.contextmanager
def _errors_translated() -> Iterator[None]:
    """Turn errors of SQLite into one sentence."""
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) in _FULL:
            raise full_disk() from error
        raise ClassError(
            f"The list of classes cannot be used ({error}); the administrator of this server has to check it."
        ) from error

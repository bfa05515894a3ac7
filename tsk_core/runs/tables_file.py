"""A file of SQLite tables, readable by this account alone, for several processes of one machine at once."""

import contextlib
import os
import sqlite3
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

from tsk_core.runs.files import close_to_others, full_disk

__all__ = ["TablesFile"]

TIMEOUT = 30  # seconds to wait for another process's change
_FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_FSYNC)


class TablesFile:
    """The file at ``path``, created if missing.

    make: gets a connection to a file without tables, and makes them. check: gets the version that the file says it has, and
    raises where that cannot be used. unusable: the error for what SQLite says; a full disk has its own.
    """

    def __init__(
        self,
        path: Path,
        *,
        make: Callable[[sqlite3.Connection], None],
        check: Callable[[int], None],
        unusable: Callable[[sqlite3.Error], Exception],
    ) -> None:
        self._path, self._unusable = path, unusable
        self._keep_private()
        with self._errors_translated():
            # Kept open and idle: when the last connection closes, SQLite copies all changes back and waits for the disk.
            self._anchor = sqlite3.connect(path, timeout=TIMEOUT, check_same_thread=False)
            weakref.finalize(self, self._anchor.close)  # from Python 3.13 on, a connection that nobody closed warns
            version = _version(self._anchor)
            check(version)
            if version == 0:
                self._anchor.execute("PRAGMA journal_mode = WAL")
        if version == 0:
            with self.transaction(at_once=True) as table:
                if _version(table) == 0:  # else another process was faster
                    make(table)
            check(_version(self._anchor))  # it holds the write-ahead log open only once it has read

    @contextlib.contextmanager
    def transaction(self, at_once: bool = False) -> Iterator[sqlite3.Connection]:
        """On a connection of its own, so that any thread may call; costs less than a millisecond.

        at_once: no one else may write from its beginning on, so that what was read is still true when it is changed.
        """
        with self._errors_translated(), contextlib.closing(sqlite3.connect(self._path, timeout=TIMEOUT)) as table:
            table.execute("PRAGMA synchronous = NORMAL")
            table.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten in the file
            with table:
                if at_once:
                    table.execute("BEGIN IMMEDIATE")
                yield table

    def _keep_private(self) -> None:
        """Whoever reads it knows the ids of owners, and may act as any of them. SQLite's other files take its mode."""
        with contextlib.suppress(OSError):  # SQLite says in a sentence what is wrong
            os.close(os.open(self._path, os.O_CREAT | os.O_RDONLY, 0o600))
        for name in ("", "-wal", "-shm"):
            close_to_others(self._path.with_name(self._path.name + name), 0o600)

    @contextlib.contextmanager
    def _errors_translated(self) -> Iterator[None]:
        """Turn errors of SQLite into one sentence."""
        try:
            yield
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", 0) in _FULL:
                raise full_disk() from error
            raise self._unusable(error) from error


def _version(table: sqlite3.Connection) -> int:
    version: int = table.execute("PRAGMA user_version").fetchone()[0]
    return version

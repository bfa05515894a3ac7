"""Files of runs: written aside and then renamed, checked when read; every failure becomes one sentence.

A reader sees an old file or a new one, never half of one. Files are not synced to the disk: a killed process loses nothing by
that, and a power cut at most the last seconds.
"""

import contextlib
import errno
import json
import os
import shutil
import sqlite3
import stat
import weakref
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tsk_core.errors import DiskFullError, RunError, TSKError
from tsk_core.runtime import whole_file

VERSION = 2  # of the ledger and of every file of a run; a reader refuses a higher one
MOST_BYTES = 300_000_000  # no file of a run is larger; the longest are epochs
ASIDE = (whole_file.ASIDE, ".part")  # endings of files not yet renamed; the second is that of earlier versions
REMOVED = ".removed-"  # beginning of the names of folders being deleted
BLOCK = 4096  # what a file takes on a disk at least
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_DAMAGE = (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, EOFError, MemoryError,
           RuntimeError, zipfile.BadZipFile)  # fmt: skip


def full_disk() -> DiskFullError:
    """The error for a full disk."""
    return DiskFullError("The disk of this server is full, so nothing more can be stored; delete runs, or free disk space.")


@contextlib.contextmanager
def writing() -> Iterator[None]:
    """Turn any failure in writing into DiskFullError or RunError."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise full_disk() from error
        reason = (error.strerror or type(error).__name__).lower()
        raise RunError(
            f"This server cannot write to its folder of runs ({reason}); its administrator has to check it."
        ) from error


@contextlib.contextmanager
def reading(name: str) -> Iterator[None]:
    """Turn any failure in reading a damaged or hostile file into RunError; ``name`` is the file's."""
    try:
        yield
    except TSKError:
        raise
    except _DAMAGE as error:
        raise RunError(f"The file {name} of this run is damaged or missing ({type(error).__name__}); run it again.") from error


def replace_file(path: Path, write: Callable[[Path], object]) -> None:
    """As ``whole_file.replace_file``; RunError where the server cannot write, DiskFullError where its disk is full."""
    with writing():
        whole_file.replace_file(path, write)


def write_json(path: Path, values: Mapping[str, object]) -> None:
    """Keep JSON-ready values, with the version of the format."""
    content = json.dumps({"version": VERSION, **values}, indent=1).encode()
    replace_file(path, lambda aside: aside.write_bytes(content))


def read_bytes(path: Path) -> bytes:
    """A file's content; RunError if it is missing, or far larger than any file of a run."""
    with reading(path.name):
        if path.stat().st_size > MOST_BYTES:
            raise ValueError("too large")
        return path.read_bytes()


def read_json(path: Path, content: bytes | None = None) -> dict[str, Any]:
    """What ``write_json`` wrote, less the version. content: the file's, if it has to be unpacked first."""
    content = read_bytes(path) if content is None else content
    with reading(path.name):
        values: dict[str, Any] = json.loads(content)
        check_version(values.pop("version"), path)
        return values


def write_lines(path: Path, head: Mapping[str, object], lines: list[str] | tuple[str, ...] = ()) -> None:
    """Begin a file of one JSON value a line; its first line holds ``head`` and the version of the format."""
    content = "".join(line + "\n" for line in (json.dumps({"version": VERSION, **head}), *lines)).encode()
    replace_file(path, lambda aside: aside.write_bytes(content))


def append_lines(path: Path, head: Mapping[str, object], lines: list[str]) -> None:
    """Add whole lines to a file of ``write_lines``; if there is no such file, begin it."""
    if not path.exists():
        write_lines(path, head, lines)
        return
    with writing(), path.open("ab") as file:
        file.write("".join(line + "\n" for line in lines).encode())


def read_lines(path: Path) -> tuple[dict[str, Any], list[bytes]]:
    """The first line's values, less the version, and the lines after it; a last line cut short by a kill is left out."""
    content = read_bytes(path)
    with reading(path.name):
        head, *lines = content.split(b"\n")[:-1]
        values = json.loads(head)
        check_version(values.pop("version"), path)
        return values, lines


def check_version(version: object, path: Path) -> None:
    """Raise RunError when a newer version of this program wrote ``path``."""
    if not isinstance(version, int):
        raise RunError(f"The file {path.name} does not say its version; it is damaged.")
    if version > VERSION:
        raise RunError(f"{path.name} was written by a newer version of this program (format {version}); update it to read this.")


def size_of(folder: Path) -> int:
    """Bytes that a run's files take on a disk, in whole blocks; 0 if there is no such folder."""
    sizes = []
    with contextlib.suppress(OSError):  # files come and go while a run is written
        sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    return sum(-(-size // BLOCK) * BLOCK for size in sizes)


def delete_folder(folder: Path) -> None:
    """Delete a run's folder: out of sight in one step, then file by file. Any number of processes may do so at once."""
    aside = folder
    if not folder.name.startswith(REMOVED):
        aside = folder.with_name(REMOVED + folder.name)
        with contextlib.suppress(OSError):  # another process was faster
            folder.rename(aside)
    shutil.rmtree(aside, ignore_errors=True)


def close_to_others(path: Path, mode: int) -> None:
    """Give a file or folder this mode, if it is this account's; one that is another's stays as its owner set it."""
    if not hasattr(os, "geteuid"):  # Windows: its folders of an account are closed to others, and modes say nothing there
        return
    with contextlib.suppress(OSError):
        status = path.stat()
        if status.st_uid == os.geteuid() and stat.S_IMODE(status.st_mode) != mode:
            path.chmod(mode)


def clear_asides(folder: Path) -> None:
    """Delete files that were never renamed."""
    for path in folder.rglob("*"):
        if path.suffix in ASIDE:
            with contextlib.suppress(OSError):
                path.unlink()


# A file of SQLite tables, readable by this account alone, for several processes of one machine at once.


TIMEOUT = 30  # seconds to wait for another process's change
_FULL_CODES = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_FSYNC)


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
            if getattr(error, "sqlite_errorcode", 0) in _FULL_CODES:
                raise full_disk() from error
            raise self._unusable(error) from error


def _version(table: sqlite3.Connection) -> int:
    version: int = table.execute("PRAGMA user_version").fetchone()[0]
    return version

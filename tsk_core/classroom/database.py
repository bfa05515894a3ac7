"""The file of the classroom, in the folder of runs."""

import contextlib
import secrets
import sqlite3
from pathlib import Path

from tsk_core.classroom.schema import STATEMENTS, VERSION
from tsk_core.errors import ClassError
from tsk_core.runs.tables_file import TablesFile

__all__ = ["NAME", "open_tables"]

NAME = "classroom.sqlite"


def open_tables(folder: Path) -> TablesFile:
    """``folder / NAME``, created if missing. Its use raises ClassError where it cannot be used, or a newer version wrote it."""
    with contextlib.suppress(OSError):  # SQLite says in a sentence what is wrong
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return TablesFile(folder / NAME, make=_make, check=_check, unusable=_unusable)


def _make(table: sqlite3.Connection) -> None:
    for statement in STATEMENTS:
        table.execute(statement)
    table.execute("INSERT INTO secret VALUES (1, ?)", (secrets.token_bytes(32),))
    table.execute(f"PRAGMA user_version = {VERSION}")


def _check(version: int) -> None:
    if version > VERSION:
        raise ClassError(f"{NAME} was written by a newer version of this program; update it to teach with this.")


def _unusable(error: sqlite3.Error) -> ClassError:
    return ClassError(f"The list of classes cannot be used ({error}); the administrator of this server has to check it.")

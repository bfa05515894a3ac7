"""The ledger's table, and how one of an older version becomes one of this version, in place.

Version 1 had a run's state and scores; version 2 adds what lists show, pins, sizes, and rows of runs that were removed. Columns
that came later in version 2 have defaults, so that a program without them still reads and writes the table.
"""

import json
import sqlite3
from pathlib import Path
from typing import Any

from tsk_core.errors import RunError
from tsk_core.runs.files import read_json, size_of

__all__ = ["add_missing", "make_schema", "upgrade"]

_VERSION_1 = """
CREATE TABLE runs (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, state TEXT NOT NULL, created REAL NOT NULL, started REAL, finished REAL,
    message TEXT NOT NULL DEFAULT '', dataset TEXT NOT NULL, rca REAL, bca REAL, pid INTEGER NOT NULL, pid_started REAL NOT NULL
)
"""
_ADDED = (
    "name TEXT NOT NULL DEFAULT ''",
    "pinned INTEGER NOT NULL DEFAULT 0",
    "settings_json TEXT NOT NULL DEFAULT '{}'",
    "seconds REAL",
    "rows INTEGER",
    "sha256 TEXT NOT NULL DEFAULT ''",
    "target TEXT NOT NULL DEFAULT ''",
    "size INTEGER NOT NULL DEFAULT 0",
    "data_kept INTEGER NOT NULL DEFAULT 0",
    "removed TEXT NOT NULL DEFAULT ''",
    "task TEXT NOT NULL DEFAULT 'training'",
)
_INDICES = (
    "CREATE INDEX IF NOT EXISTS runs_of_owner ON runs (owner, created)",
    "CREATE INDEX IF NOT EXISTS runs_by_age ON runs (created)",
    "CREATE INDEX IF NOT EXISTS room_taken ON runs (pinned, size, removed) WHERE removed = ''",
    "CREATE INDEX IF NOT EXISTS runs_by_state ON runs (state)",
)


def make_schema(table: sqlite3.Connection) -> None:
    """A table of this version, empty; inside a transaction of the caller's."""
    table.execute(_VERSION_1)
    add_missing(table)


def upgrade(table: sqlite3.Connection, folder: Path) -> None:
    """A table of version 1 becomes one of this version, the new columns filled from the files of each run."""
    add_missing(table)
    for (run,) in table.execute("SELECT id FROM runs").fetchall():
        config, metrics = _read(folder / run / "config.json"), _read(folder / run / "metrics.json")
        dataset = config["dataset"] if isinstance(config.get("dataset"), dict) else {}
        seconds, rows = (
            value if isinstance(value, int | float) else None for value in (metrics.get("seconds"), dataset.get("rows"))
        )
        table.execute(
            "UPDATE runs SET settings_json = ?, seconds = ?, rows = ?, sha256 = ?, target = ?, size = ? WHERE id = ?",
            (json.dumps(config.get("config", {})), seconds, rows, str(dataset.get("sha256", "")), str(dataset.get("target", "")),
             size_of(folder / run), run),
        )  # fmt: skip


def add_missing(table: sqlite3.Connection) -> None:
    """Add the columns and indices that the table lacks; inside a transaction of the caller's."""
    there = {row[1] for row in table.execute("PRAGMA table_info(runs)")}
    for column in _ADDED:
        if column.split()[0] not in there:
            table.execute(f"ALTER TABLE runs ADD COLUMN {column}")
    for index in _INDICES:
        table.execute(index)


def _read(path: Path) -> dict[str, Any]:
    """A damaged file leaves its columns empty: it must not keep all other runs from being read."""
    try:
        return read_json(path)
    except RunError:
        return {}

"""What the ledger of runs says, read past the app's own code."""

import sqlite3
from contextlib import closing
from pathlib import Path

OPEN = ("queued", "running")


def states(runs_dir: Path) -> dict[str, str]:
    """Each run's state; nothing where there is no ledger yet."""
    path = runs_dir / "runs.sqlite"
    if not path.exists():
        return {}
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=30)) as table:
        try:
            return dict(table.execute("SELECT id, state FROM runs"))
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):  # it is being made
                return {}
            raise

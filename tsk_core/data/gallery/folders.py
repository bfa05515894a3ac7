"""The operator's own files: ``<name>.csv`` in the folders of TSK_DATA_DIR."""

import os
from pathlib import Path

import pandas as pd

from tsk_core.data.finding import Finding
from tsk_core.data.gallery.entry import Entry
from tsk_core.data.reading import read_table

__all__ = ["csv_files", "file_state", "folder_entry"]


def csv_files() -> dict[str, Path]:
    """``{name in small letters: path}``, sorted by file name; of two files of one name, the first folder's."""
    paths: dict[str, Path] = {}
    for folder in filter(None, os.environ.get("TSK_DATA_DIR", "").split(os.pathsep)):
        for path in sorted(Path(folder).glob("*.csv")):
            paths.setdefault(path.stem.casefold(), path)
    return dict(sorted(paths.items(), key=lambda item: item[1].stem))


def file_state(name: str) -> tuple[str, int, int] | None:
    """The file that a name stands for in these folders, with the time of its last change and its size; None without one."""
    path = csv_files().get(name.casefold())
    if path is None:
        return None
    try:
        status = path.stat()
    except OSError:  # deleted since
        return None
    return str(path), status.st_mtime_ns, status.st_size


def folder_entry(path: Path) -> Entry:
    """The entry of a file; only its name is known."""

    def loader() -> tuple[pd.DataFrame, tuple[Finding, ...]]:
        raw = read_table(path)
        return raw.frame, raw.findings

    title = path.stem.replace("_", " ").replace("-", " ").capitalize()
    description = f"{path.name} in the data folder of this server."
    return Entry(path.stem, title, description, "", (), None, "folder", path.name, "", loader)

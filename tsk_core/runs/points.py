"""Points: what trainings of experiments left, kept so that none is ever computed twice. One small file each.

A point's key is made of everything that its numbers depend on: settings, seed, split, data and the versions of the code. Whoever
has the same data and asks for the same training finds it, whichever experiment it was of. Workers write here, on any machine that
shares the folder; a file appears whole or not at all.
"""

import contextlib
import gzip
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tsk_core import limits
from tsk_core.errors import TSKError
from tsk_core.runs.files import replace_file

__all__ = ["POINTS", "Points", "point_key"]

POINTS = "points"  # the folder of all points, beside those of the runs

FORMAT = 2  # of the points; another one makes all keys differ


class Points:
    """The points in ``folder``, which is made when the first one is kept."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def get(self, key: str) -> dict[str, Any] | None:
        """The point of this key; None where there is none, or none that can be read."""
        try:
            content = gzip.decompress(self._path(key).read_bytes())
            point = json.loads(content)
        except (OSError, EOFError, ValueError):
            return None
        return point if isinstance(point, dict) else None

    def keep(self, key: str, point: Mapping[str, object]) -> None:
        """Keep a point; a full disk loses it, and the experiment goes on."""
        content = gzip.compress(json.dumps(point, separators=(",", ":")).encode(), 5, mtime=0)
        path = self._path(key)
        with contextlib.suppress(OSError, TSKError):
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, lambda aside: aside.write_bytes(content))

    def prune(self) -> int:
        """Delete the points that were not used for longest until the rest fits ``limits.points_mb``; returns how many."""
        files = []
        for path in self.folder.glob("*/*"):  # what a kill left half-written goes as well, in its time
            with contextlib.suppress(OSError):  # just deleted by another process
                status = path.stat()
                files.append((status.st_mtime, status.st_size, path))
        excess, deleted = sum(size for _, size, _ in files) - limits.value("points_mb") * 10**6, 0
        for _, size, path in sorted(files):
            if excess <= 0:
                break
            path.unlink(missing_ok=True)
            excess, deleted = excess - size, deleted + 1
        return deleted

    def delete_unused(self, before: float) -> int:
        """Delete the points that were not used since ``before``, in seconds since 1970; returns how many."""
        deleted = 0
        for path in self.folder.glob("*/*"):
            with contextlib.suppress(OSError):  # just deleted by another process
                if path.stat().st_mtime < before:
                    path.unlink()
                    deleted += 1
        return deleted

    def touch(self, key: str) -> None:
        """Note that a point was used."""
        with contextlib.suppress(OSError):
            os.utime(self._path(key))

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json.gz"


def point_key(dataset: Mapping[str, object], training: Mapping[str, object], versions: dict[str, str]) -> str:
    """The key of a training on a dataset, 64 hexadecimal digits.

    dataset: its identity (``runs.identity``). training: all that its numbers depend on. versions: of the code.
    """
    data = {name: dataset.get(name) for name in ("sha256", "target", "roles", "choices", "classes")}
    data |= {"split": dataset["split_sha256"]} if dataset.get("split_sha256") else {}
    values = {"format": FORMAT, "data": data, "training": training, "versions": versions}
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()

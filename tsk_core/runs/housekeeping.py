"""Housekeeping in the folder of runs: recovery after a kill, deletion, the limit on disk space; and points that are kept.

The ledger comes first: a run is marked as removed in one transaction, then its folder is deleted. A kill in between leaves a
folder that nobody can reach, and the next start deletes it.
"""

import contextlib
import gzip
import hashlib
import json
import os
import re
import time
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tsk_core import limits
from tsk_core.errors import DiskFullError, RunError, TSKError
from tsk_core.runs.files import REMOVED, clear_asides, delete_folder, read_json, replace_file, size_of, writing
from tsk_core.runs.folder import Ending, RunFolder
from tsk_core.runs.identity import TABLE
from tsk_core.runs.ledger import GONE, Ledger, Record

# Points: what trainings of experiments left, kept so that none is ever computed twice. One small file each.
#
# A point's key is made of everything that its numbers depend on: settings, seed, split, data and the versions of the code.
# Whoever has the same data and asks for the same training finds it, whichever experiment it was of. Workers write here, on any
# machine that shares the folder; a file appears whole or not at all.


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


DELETED = "The owner of this run deleted it."
EXPIRED = "This run was deleted: the server keeps a run for {} days after its end."
FREED = "The server deleted this run to free disk space; its settings and scores are kept. Pin a run to keep it."
STALE_SECONDS = 3600  # a folder without a row may be a run that another process is creating
MOST_REMOVED = 10_000  # rows of removed runs; older ones are deleted, so that the table cannot grow without limit
RESERVE = 2**18  # bytes set aside so that a full disk can still note how a run ended
_RUN = re.compile("[0-9a-f]{32}")
_BOOT, _BOOT_ID = ".boot-", Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True)
class DiskSpace:
    """Disk space in bytes: ``used`` by ``runs`` runs, the ``limit`` of it, and used by ``pinned`` runs alone."""

    used: int
    limit: int
    runs: int
    pinned: int

    @property
    def message(self) -> str:
        """A sentence if pinned runs leave no space for others, else ""."""
        if self.pinned <= self.limit:
            return ""
        return (
            f"Pinned runs alone take {self.pinned / 1e6:,.0f} MB of the {self.limit / 1e6:,.0f} MB for runs on this server, so"
            f" other runs will soon be deleted; unpin some, or raise {limits.LIMITS['runs_mb'].variable}."
        )


class Housekeeping:
    """What is deleted from a folder of runs and its ledger, and when. ``recover`` is for the opening of the folder."""

    def __init__(self, ledger: Ledger, folder: Path) -> None:
        self._ledger, self._folder = ledger, folder
        self._reserve = folder / ".reserve"

    def recover(self) -> None:
        """End runs whose process is gone, as their task wrote or else as "interrupted"; delete what a kill left half-written."""
        open_runs = self._ledger.open_runs()  # before another process may add runs, which it does after it was here
        for run in open_runs if self._first_since_boot() else self._ledger.orphans():
            folder = RunFolder(self._folder / run)
            with contextlib.suppress(OSError):
                clear_asides(folder.path)
            self.end(run, *(folder.ending() or Ending("interrupted", GONE)))  # it may have ended without that process
        self._sweep()
        self._set_reserve()

    def end(self, run: str, state: str, message: str = "", rca: float | None = None, bca: float | None = None) -> bool:
        """The run ends in one of ``ENDED``; False if it had ended before. Works once more on a full disk, by the reserve."""
        folder = self._folder / run
        how = (run, state, message, rca, bca, _seconds(folder), size_of(folder), _settings(folder))
        try:
            return self._ledger.end(*how)
        except DiskFullError:
            self._reserve.unlink(missing_ok=True)
            return self._ledger.end(*how)

    def remove(self, run: str, owner: str) -> None:
        """Delete an ended run of ``owner``'s; its link then says that it was deleted. RunError if that is not allowed."""
        record = self._ledger.owned_record(run, owner)
        self._check_ended(record)
        self._delete([run], DELETED)

    def remove_all(self, owner: str, task: str | None = None) -> int:
        """Delete the ended runs of ``owner``'s, of one kind of task or all; returns how many there were.

        With all of them go the rows of those that the server deleted to free disk space.
        """
        runs = [record.id for record in self._ledger.records(owner, task=task) if record.ended]
        self._delete(runs if task else self._ledger.ended(owner=owner), DELETED)
        return len(runs)

    def remove_table(self, run: str, owner: str) -> None:
        """Delete the table that is kept with a run, and keep the run. RunError for another's run, or one that has not ended."""
        self._check_ended(self._ledger.owned_record(run, owner))
        with writing():
            (self._folder / run / TABLE).unlink(missing_ok=True)
        self._ledger.table_removed(run, owner, size_of(self._folder / run))

    def delete_expired(self, now: float | None = None) -> int:
        """Delete runs that ended longer ago than ``limits.keep_days``, pinned or not; returns how many. Never without it.

        Results of experiments go that were not used for as long. now: in seconds since 1970.
        """
        days = limits.keep_days()
        if days is None:
            return 0
        before = (time.time() if now is None else now) - days * 86_400
        runs = self._ledger.ended(before=before)
        self._delete(runs, EXPIRED.format(days))
        Points(self._folder / POINTS).delete_unused(before)
        return len(runs)

    def pin(self, run: str, pinned: bool, owner: str) -> None:
        """Keep the run from being deleted to free disk space, or no longer. RunError for another's run, or for too many bytes."""
        record = self._ledger.owned_record(run, owner)
        if pinned and not record.pinned:
            self._check_pins(record)
        self._ledger.pin(run, pinned, owner)

    def disk_space(self) -> DiskSpace:
        """How much disk space runs take."""
        sizes = self._ledger.sizes()
        return DiskSpace(sizes.used, _limit(), sizes.runs, sizes.pinned)

    def free_disk_space(self, spare: float = 60.0) -> list[Record]:
        """Delete ended runs that are not pinned until the rest fits ``limits.runs_mb``; returns their rows.

        The oldest run of the owner whose runs take most goes first: nobody loses runs to those who store more.

        spare: runs that ended less than so many seconds ago stay, since someone may be looking at them.
        Any number of processes may do this at once.
        """
        if self.disk_space().used <= _limit():
            return []
        chosen: list[Record] = []

        def choose(records: list[Record]) -> list[str]:
            chosen.extend(_to_delete(records, time.time() - spare))
            return [record.id for record in chosen]

        with contextlib.suppress(DiskFullError):  # marked below, when there is space
            self._ledger.remove(choose, FREED)
            self._ledger.forget_removed(MOST_REMOVED)
        self._discard([record.id for record in chosen], FREED)
        return chosen

    # Inside.

    def _first_since_boot(self) -> bool:
        """Whether the machine was started since the folder was last opened: no process of then lives, even if one has its number
        and began as long after the start, as in a container.

        Whoever makes the file named after this start of the machine is the first; every process does this before it adds runs.
        """
        boot = boot_id()
        earlier = [file for file in self._folder.glob(f"{_BOOT}*") if file.name != _BOOT + boot]
        if not boot:
            return False
        try:
            (self._folder / (_BOOT + boot)).touch(exist_ok=False)
        except OSError:  # it is there, or the disk is full
            return False
        for file in earlier:
            file.unlink(missing_ok=True)
        return bool(earlier)

    @staticmethod
    def _check_ended(record: Record) -> None:
        if not record.ended:
            raise RunError(f"This run is still {record.state}; stop it before deleting it.")

    def _delete(self, runs: list[str], sentence: str) -> None:
        """Delete folders of ended runs, and what their rows say of them and their owner."""
        self._discard(runs, sentence)
        self._ledger.blank(runs, sentence)
        self._ledger.forget_removed(MOST_REMOVED)

    def _check_pins(self, record: Record) -> None:
        """Raise RunError where pins would take more than their share with this run pinned too."""
        sizes = self._ledger.sizes(record.owner)
        shares = (
            (sizes.pinned_of_owner, "pinned_percent_per_owner", "Your pinned runs"),
            (sizes.pinned, "pinned_percent", "All pinned runs together"),
        )
        for taken, name, whose in shares:
            most = limits.value(name) * _limit() // 100
            if taken + record.size > most:
                raise RunError(
                    f"{whose} would take {(taken + record.size) / 1e6:,.1f} MB, above this server's limit of"
                    f" {most / 1e6:,.1f} MB; unpin one, or raise {limits.LIMITS[name].variable}."
                )

    def _discard(self, runs: list[str], sentence: str) -> None:
        """Mark ended runs as removed and delete their folders; the other way round if the disk is too full for the mark."""
        try:
            self._ledger.mark_removed(runs, sentence)
            marked = True
        except DiskFullError:
            marked = False
        for run in runs:
            delete_folder(self._folder / run)
        if not marked:
            self._reserve.unlink(missing_ok=True)
            self._ledger.mark_removed(runs, sentence)
        self._set_reserve()

    def _sweep(self) -> None:
        """Delete folders of runs that are gone. Other folders are not ours and stay."""
        removed = self._ledger.removed()
        for folder in self._folder.iterdir():
            forgotten = _RUN.fullmatch(folder.name) and folder.name not in removed and _age(folder) > STALE_SECONDS
            if forgotten or folder.name.startswith(REMOVED) or removed.get(folder.name):
                delete_folder(folder)

    def _set_reserve(self) -> None:
        with contextlib.suppress(OSError):  # a full disk has none
            if not self._reserve.exists():
                self._reserve.write_bytes(bytes(RESERVE))


def _to_delete(records: list[Record], before: float) -> list[Record]:
    """The runs to delete to come below the limit, each the oldest that may go of the owner who then takes most."""
    taken = Counter[str]()
    for record in records:
        taken[record.owner] += record.size
    excess = taken.total() - _limit()
    ended = [record for record in records if record.ended and not record.pinned]
    by_age = sorted(((one.finished, one) for one in ended if one.finished is not None), key=lambda pair: pair[0])
    of_owner: dict[str, deque[Record]] = {}
    for finished, record in by_age:
        if finished < before:
            of_owner.setdefault(record.owner, deque()).append(record)
    chosen: list[Record] = []
    while excess > 0 and of_owner:
        owner = max(of_owner, key=taken.__getitem__)
        chosen.append(of_owner[owner].popleft())
        taken[owner] -= chosen[-1].size
        excess -= chosen[-1].size
        if not of_owner[owner]:
            del of_owner[owner]
    return chosen


def boot_id() -> str:
    """What this start of the machine is called; "" where the system does not tell."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _limit() -> int:
    return limits.value("runs_mb") * 10**6


def _seconds(folder: Path) -> float | None:
    """Seconds of training, if the run has its final numbers."""
    try:
        seconds = read_json(folder / "metrics.json").get("seconds")
    except RunError:
        return None
    return seconds if isinstance(seconds, int | float) else None


def _settings(folder: Path) -> str | None:
    """The settings that the run turned out to have, as JSON; None where config.json cannot be read."""
    try:
        return json.dumps(RunFolder(folder).config().to_dict())
    except RunError:
        return None


def _age(folder: Path) -> float:
    try:
        return time.time() - folder.stat().st_mtime
    except OSError:  # just gone
        return 0.0

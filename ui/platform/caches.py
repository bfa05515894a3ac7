"""What is computed or read once, for a session or for all sessions.

The key is made of all arguments, so that none is forgotten. The version of a file is part of it, so an edited file is read again.
Tables, which take memory, belong into ``ui.platform.memory``.
"""

import os
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from functools import lru_cache, wraps
from pathlib import Path
from threading import Lock
from typing import Any, ParamSpec, TypeVar

from tsk_core.data import Dataset
from tsk_core.experiments import Plan
from tsk_core.lessons import BUILT_IN, LESSONS_DIR, Lesson, Playlist, lessons, playlists
from tsk_study import FILE, Result, read_results
from ui.platform.session import Keys
from ui.platform.turns import YieldingLock, release_page_lock

COMPUTED = Keys[deque[tuple[Hashable, Any]]]("computed:{}", make=deque)  # of ``caches.once_per_session``


P = ParamSpec("P")
R = TypeVar("R")


def once_per_session(entries: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Compute a function of its arguments alone once in each session; the last ``entries`` results are kept.

    Lists and mappings may only grow between two calls: they count as the same while they are the same object of the same length.
    """

    def decorate(compute: Callable[P, R]) -> Callable[P, R]:
        name = f"{compute.__module__}.{compute.__qualname__}"

        @wraps(compute)
        def cached(*args: P.args, **named: P.kwargs) -> R:
            known, key = COMPUTED(name).get(), _key(args, named)
            for known_key, result in known:
                if known_key == key:
                    return result
            result = compute(*args, **named)
            known.append((key, result))
            while len(known) > entries:
                known.popleft()
            return result

        return cached

    return decorate


def once_per_server(entries: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """The same for all sessions. While one session computes it, others that need it wait, and pages that do not are drawn."""

    def decorate(compute: Callable[P, R]) -> Callable[P, R]:
        known: OrderedDict[Hashable, R] = OrderedDict()
        locks: dict[Hashable, _Shared] = {}
        guard = Lock()

        @wraps(compute)
        def cached(*args: P.args, **named: P.kwargs) -> R:
            key = _key(args, named)
            with guard:
                if key in known:
                    known.move_to_end(key)
                    return known[key]
                shared = locks.setdefault(key, _Shared())
                shared.waiting += 1
            try:
                with shared.lock:
                    with guard:
                        if key in known:
                            return known[key]
                    release_page_lock()
                    result = compute(*args, **named)
                    with guard:
                        known[key] = result
                        while len(known) > entries:
                            known.popitem(last=False)
                    return result
            finally:
                with (
                    guard
                ):  # the last one takes the lock along: after a failure, the next one in the queue computes, and nobody beside it
                    shared.waiting -= 1
                    if not shared.waiting:
                        locks.pop(key, None)

        return cached

    return decorate


class _Shared:
    """The lock of one result, and how many sessions hold it or wait for it."""

    def __init__(self) -> None:
        self.lock, self.waiting = YieldingLock(), 0


def table_key(dataset: Dataset) -> Hashable:
    """What makes a dataset the same for training: its cells, its target, and what each column is used for, such as the split."""
    return dataset.sha256, dataset.split_sha256, dataset.target, repr(dataset.choices)


class _Same:
    """An object that equals itself alone."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._value is other._value

    def __hash__(self) -> int:
        return id(self._value)


def _key(args: Sequence[Any], named: Mapping[str, Any]) -> Hashable:
    return tuple(map(_part, args)), tuple((name, _part(value)) for name, value in sorted(named.items()))


def _part(value: Any) -> Hashable:
    """What stands for an argument. Raises TypeError for one that nothing here stands for."""
    if isinstance(value, Dataset):
        return Dataset, table_key(value)
    if isinstance(value, Plan):
        return Plan, value.key
    if isinstance(value, Mapping | list | Set):
        return _Same(value), len(value)
    if isinstance(value, tuple):
        return tuple(map(_part, value))
    if value is None or isinstance(value, str | int | float | bool):
        return type(value), value
    raise TypeError(f"A cached function takes no {type(value).__name__}; say in ui/platform/caches.py what stands for one.")


# The lessons and playlists of this server.

Versions = tuple[tuple[str, int, int], ...]  # name, time of change and size of each file


def known_lessons() -> tuple[dict[str, Lesson], list[str]]:
    """The lessons by name, and a sentence for each file that is none."""
    return _lessons(*_files())


def known_playlists() -> tuple[dict[str, Playlist], list[str]]:
    """The playlists by name, and a sentence for each file that is none."""
    return _playlists(*_files())


# The versions of the files are part of the cache key alone, so an edited file is read again.
@once_per_server(entries=2)
def _lessons(folder: str, versions: Versions) -> tuple[dict[str, Lesson], list[str]]:
    return lessons(folder or None)


@once_per_server(entries=2)
def _playlists(folder: str, versions: Versions) -> tuple[dict[str, Playlist], list[str]]:
    return playlists(folder or None)


def _files() -> tuple[str, Versions]:
    """The folder with files of this server's own, "" for none, and the versions of all files."""
    folder = os.environ.get(LESSONS_DIR, "")
    return folder, _versions(BUILT_IN) + (_versions(Path(folder)) if folder else ())


def _versions(folder: Path) -> Versions:
    try:
        found = [(path.name, path.stat()) for path in sorted(folder.glob("*.y*ml"))]
    except OSError:
        return ()
    return tuple((name, about.st_mtime_ns, about.st_size) for name, about in found)


# The results of the study: those that come with the app, or the ones of a study of your own.

Results = dict[tuple[str, str, int], Result]
_NONE: Results = {}
STUDY_DIR = "TSK_STUDY_DIR"


def study_folder() -> Path:
    """Where the study's files are: TSK_STUDY_DIR, else what comes with the app."""
    given = os.environ.get(STUDY_DIR)
    return Path(given) if given else Path(__file__).parents[2] / "study" / "results"


def shipped_results() -> Results:
    """The results in results.csv; {} where there is none. Raises DataError where it is no such file."""
    return results_in(study_folder() / FILE)


def results_in(path: Path) -> Results:
    """A file as it is now; read once for each of its contents."""
    try:
        status = path.stat()
    except OSError:
        return _NONE
    return _read_once(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=8)
def _read_once(path: Path, changed: int, size: int) -> Results:  # noqa: ARG001 - they name the content
    return read_results(path)

"""What is computed once, for a session or for all sessions. The key is made of all arguments, so that none is forgotten.

Tables, which take memory, belong into ``ui.platform.memory``.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from functools import wraps
from threading import Lock
from typing import Any, ParamSpec, TypeVar

from tsk_core.data import Dataset
from tsk_core.experiments import Plan
from ui.platform import session
from ui.platform.page_lock import YieldingLock, release_page_lock

__all__ = ["once_per_server", "once_per_session", "table_key"]

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
            known, key = session.COMPUTED(name).get(), _key(args, named)
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

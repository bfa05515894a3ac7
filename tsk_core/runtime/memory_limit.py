"""A limit on this process's own memory, where the system keeps one.

Linux does. macOS accepts one and ignores it, and Windows has none: there ``ChildProcess.deadline`` watches the process instead, a
tenth of a second late.
"""

import sys

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]  # there

__all__ = ["SYSTEM_LIMITS_MEMORY", "limit_memory"]

SYSTEM_LIMITS_MEMORY = resource is not None and sys.platform == "linux"


def limit_memory(megabytes: int) -> None:
    """Let allocations beyond ``megabytes`` fail with MemoryError, if the system can; a lower limit stays."""
    if SYSTEM_LIMITS_MEMORY:
        most, ceiling = megabytes * 1_000_000, resource.getrlimit(resource.RLIMIT_DATA)[1]
        if ceiling != resource.RLIM_INFINITY:
            most = min(most, ceiling)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))

"""How long this server keeps runs, as pages say it."""

from tsk_core import limits

__all__ = ["how_long", "when_full"]


def how_long() -> str:
    """A sentence: how long a run is kept."""
    days = limits.keep_days()
    if days is None:
        return "The server keeps a run until you delete it."
    return f"The server deletes a run, pinned or not, {'a day' if days == 1 else f'{days:,} days'} after its end."


def when_full() -> str:
    """A sentence: which runs are deleted when they take too much disk space."""
    most = limits.value("runs_mb")
    return f"When all runs take more than {most:,} MB, the server deletes the oldest unpinned runs of those who store most."

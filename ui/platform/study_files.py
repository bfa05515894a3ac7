"""Where the study's results are: those that come with the app, or the ones of a study of your own."""

import os
from functools import lru_cache
from pathlib import Path

from tsk_study import FILE, Result, read_results

__all__ = ["Results", "folder", "results_in", "shipped_results"]

Results = dict[tuple[str, str, int], Result]
_NONE: Results = {}
VARIABLE = "TSK_STUDY_DIR"


def folder() -> Path:
    """Where the study's files are: TSK_STUDY_DIR, else what comes with the app."""
    given = os.environ.get(VARIABLE)
    return Path(given) if given else Path(__file__).parents[2] / "study" / "results"


def shipped_results() -> Results:
    """The results in results.csv; {} where there is none. Raises DataError where it is no such file."""
    return results_in(folder() / FILE)


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

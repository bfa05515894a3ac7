"""Our results: those that come with the app, or the ones of a study of your own, with the cells that this server computed."""

import os
from functools import lru_cache
from pathlib import Path

from tsk_core.study import AUTHORS_FILE, FILE, Result, read_results
from tsk_core.tasks import STUDY_RESULTS
from ui.platform.engine import get_engine

__all__ = ["authors_results", "folder", "results", "shipped_results"]

Results = dict[tuple[str, str, int], Result]
VARIABLE = "TSK_STUDY_DIR"


def folder() -> Path:
    """Where the study's files are: TSK_STUDY_DIR, else what comes with the app."""
    given = os.environ.get(VARIABLE)
    return Path(given) if given else Path(__file__).parents[2] / "study" / "results"


def shipped_results() -> Results:
    """The results in results.csv; {} where there is none. Raises DataError where it is no such file."""
    return _read(folder() / FILE)


def authors_results() -> Results:
    """Those of the authors' own way of running it, of fewer datasets and splits; {} where there are none."""
    return _read(folder() / AUTHORS_FILE)


def results() -> Results:
    """The shipped ones, and where they lack a split, what was computed on this server."""
    computed = _read(Path(get_engine().store.folder) / STUDY_RESULTS)
    return {**computed, **shipped_results()}


def _read(path: Path) -> Results:
    """A file as it is now; read once for each of its contents."""
    try:
        status = path.stat()
    except OSError:
        return {}
    return _read_once(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=8)
def _read_once(path: Path, changed: int, size: int) -> Results:  # noqa: ARG001 - they name the content
    return read_results(path)

"""Our results: those that come with the app, or the ones of a study of your own, with the cells that this server computed."""

from pathlib import Path

from tsk_core.study import AUTHORS_FILE
from tsk_core.tasks import STUDY_RESULTS
from ui.platform.caches import once_per_server
from ui.platform.engine import get_engine
from ui.platform.study_files import Results, folder, results_in, shipped_results


def authors_results() -> Results:
    """Those of the authors' own way of running it, of fewer datasets and splits; {} where there are none."""
    return results_in(folder() / AUTHORS_FILE)


def results() -> Results:
    """The shipped ones, and where they lack a split, what was computed on this server."""
    computed = results_in(Path(get_engine().store.folder) / STUDY_RESULTS)
    return _joined(computed, shipped_results())


@once_per_server(entries=2)
def _joined(computed: Results, shipped: Results) -> Results:
    """One object for all visitors, by which what is drawn from it is found again."""
    return {**computed, **shipped}

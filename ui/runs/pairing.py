"""How a run's test scores compare with those of the comparison: row by row on the same test rows, once both have ended."""

from contextlib import suppress

from tsk_core.errors import RunError
from tsk_core.runs import PairedRuns, paired_runs
from ui.platform import session
from ui.platform.engine import get_engine
from ui.runs.run_view import RunView
from ui.runs.split_ways import split_of

KEPT = 20  # pairs that a session remembers


def same_test_rows(comparison: RunView, run: RunView) -> bool:
    """Whether two runs on the same data are tested on the same rows."""
    one, other = (split_of(side.data, side.config.random_state, side.test_size) for side in (comparison, run))
    return one == other


def paired_scores(comparison: RunView, run: RunView) -> PairedRuns | None:
    """None on different test rows, and while one of the runs trains, and so has no predictions."""
    known = session.PAIRED_SCORES.get()
    pair = comparison.id, run.id
    if pair not in known and run.status.ended:
        store = get_engine().store
        with suppress(RunError):
            known[pair] = paired_runs(store.open(comparison.id), store.open(run.id))
        while len(known) > KEPT:
            del known[next(iter(known))]
    return known.get(pair)

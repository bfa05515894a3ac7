"""An engine whose workers are threads, for all tests of a file; with ``cluster`` one on real processes."""

import pytest

from tests.engines import endless, nothing_left, short, small
from tests.jobs.threads import thread_engine
from tests.waiting import wait_until

__all__ = ["endless", "nothing_left", "short", "small"]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with thread_engine(tmp_path_factory.mktemp("runs"), workers=2) as place:
        yield place


@pytest.fixture(scope="module")
def engine(place):
    return place.engine


@pytest.fixture
def begun(engine, small, endless):
    """Submit a run that goes on for long, and wait until it trains."""

    def begun(owner="ada", **options):
        run = engine.submit(endless, small, owner, **options)
        wait_until(lambda: engine.watch(run) or len(engine.history(run)) >= 2)
        return run

    return begun

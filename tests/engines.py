"""Fixtures for tests of an engine or of a store, and tables and settings that train for as short or as long as a test needs.

A conftest imports them: ``from tests.engines import *``.
"""

import pytest

from tests.tables import make_table
from tests.waiting import wait_until
from tsk_core.config import TrainConfig
from tsk_core.jobs import Engine
from tsk_core.runs import RunStore


@pytest.fixture
def store(tmp_path):
    return RunStore(tmp_path / "runs")


@pytest.fixture
def small():
    return make_table()


@pytest.fixture
def short():
    return TrainConfig(n_rules=3, max_epochs=5, random_state=1)


@pytest.fixture
def endless():
    """A training that no test waits for to end."""
    return TrainConfig(n_rules=3, max_epochs=100_000, random_state=1)


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TSK_WORKERS", "2")
        with Engine(tmp_path_factory.mktemp("runs")) as engine:
            yield engine


@pytest.fixture
def nothing_left(engine):
    """The next test begins with an idle cluster."""
    yield
    for run in engine.open_runs():
        engine.stop(run)
    wait_until(lambda: not engine.open_runs())

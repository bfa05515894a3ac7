"""One torch thread for all tests, and the pages' engine for those that need one; nothing of it is loaded for the others."""

import os

import pytest

# Before anything imports torch: two pools of threads on two cores cost a factor of 10. Processes that tests start inherit it.
os.environ.setdefault("OMP_NUM_THREADS", "1")


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    """The engine of the pages in this process, with one worker, for all tests of a module."""
    from tests.pages.helpers import page_engine

    with page_engine(tmp_path_factory.mktemp("runs")) as engine:
        yield engine

"""One engine for all tests of this folder; no test leaves it a run."""

import sys

import pytest

from tests.pages.helpers import page_engine
from tests.waiting import wait_until


@pytest.fixture(scope="package")
def folder_engine(tmp_path_factory):
    with page_engine(tmp_path_factory.mktemp("runs")) as engine:
        yield engine


@pytest.fixture(scope="module")
def engine(folder_engine):
    """The engine of the pages in this process, with one worker, which is idle at the end of a module."""
    yield folder_engine
    for run in folder_engine.open_runs():
        folder_engine.stop(run)
    wait_until(lambda: not folder_engine.open_runs())


@pytest.fixture(scope="module", autouse=True)
def _pages(request):
    """A module that opens pages has their engine; and as ``_main_module`` of all tests, for pages opened once for a module."""
    if hasattr(request.module, "open_page"):
        request.getfixturevalue("engine")
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main

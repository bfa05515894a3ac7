"""One torch thread for all tests, and the pages' engine for those that need one; nothing of it is loaded for the others."""

import gc
import os
import shutil
import sys
import tempfile

import pytest
from hypothesis import HealthCheck, settings

# Before anything imports torch: two pools of threads on two cores cost a factor of 10. Processes that tests start inherit it.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Time never decides a test: neither that of one example, nor that of making examples. A build server draws the same examples each
# time, so that a change is judged by what it changes; everybody else draws new ones and may find what nobody knew. `make soak`
# takes the profile of this name.
ALWAYS = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("tests", max_examples=15, derandomize=bool(os.environ.get("CI")), **ALWAYS)
settings.register_profile("soak", max_examples=200, **ALWAYS)
settings.load_profile("tests")

TRAINED = "TSK_TEST_RUNS"
OWN_PLACE = pytest.StashKey()


def pytest_configure(config):
    """Make the folder of the runs that are trained once (``tests/trained.py``); the processes of the suite inherit it."""
    config.stash[OWN_PLACE] = TRAINED not in os.environ
    os.environ.setdefault(TRAINED, tempfile.mkdtemp(prefix="tsk-trained-") if config.stash[OWN_PLACE] else "")


def pytest_unconfigure(config):
    if config.stash.get(OWN_PLACE, False):
        shutil.rmtree(os.environ.pop(TRAINED), ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """A real browser is for the slow tests, but for the one journey that every change is judged by."""
    for item in items:
        drives = item.get_closest_marker("browser") or "browser" in getattr(item, "fixturenames", ())
        if drives and not item.get_closest_marker("journey"):
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish():
    """Collections of garbage leave out what was imported so far, and come less often: they took an eighth of the time."""
    gc.freeze()
    gc.set_threshold(10_000, 50, 50)


@pytest.fixture(autouse=True)
def _main_module():
    """Streamlit's AppTest makes its script the main module, and leaves it: processes that are spawned later would import it."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    """The engine of the pages in this process, with one worker, for all tests of a module."""
    from tests.pages.helpers import page_engine

    with page_engine(tmp_path_factory.mktemp("runs")) as engine:
        yield engine

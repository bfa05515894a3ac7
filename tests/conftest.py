"""A browser, and the pages' engine, for the tests that need one; nothing of it is loaded for the others."""

import pytest


@pytest.fixture(scope="session")
def chromium():
    """The path of the browser; asked for first, so that nothing is started where there is none."""
    from tests.chromium import path

    return path()


@pytest.fixture(scope="module")
def browser(chromium):
    """Chromium, running."""
    from tests.chromium import running

    with running(chromium) as browser:
        yield browser


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    """The engine of the pages in this process, with one worker, for all tests of a module."""
    import ui.engine
    from tests.pages.helpers import ROOT

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)  # as `streamlit run app.py` is started: it takes its settings and styles from there
        patch.setenv("TSK_RUNS_DIR", str(tmp_path_factory.mktemp("runs")))
        patch.setenv("TSK_WORKERS", "1")
        patch.setattr(ui.engine, "_engine", [])
        yield ui.engine.the_engine()
        ui.engine.the_engine().close()

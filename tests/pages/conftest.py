"""One engine with one worker for all tests of a module."""

import pytest

import ui.engine
from tests.pages.helpers import ROOT


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)  # as `streamlit run app.py` is started: it takes its settings and styles from there
        patch.setenv("TSK_RUNS_DIR", str(tmp_path_factory.mktemp("runs")))
        patch.setenv("TSK_WORKERS", "1")
        patch.setattr(ui.engine, "_engine", [])
        yield ui.engine.the_engine()
        ui.engine.the_engine().close()

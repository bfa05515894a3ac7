"""The pages' engine, for the tests that need one; nothing of it is loaded for the others."""

import pytest


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    """The engine of the pages in this process, with one worker, for all tests of a module."""
    from tests.pages.helpers import page_engine

    with page_engine(tmp_path_factory.mktemp("runs")) as engine:
        yield engine

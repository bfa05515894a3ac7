"""A browser for the tests that need one; nothing of it is loaded for the others."""

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

"""The app as a stranger meets it: a real server on this machine."""

import pytest

from tests.engines import endless, short, small
from tests.load.server import Server

__all__ = ["endless", "server", "short", "small"]


@pytest.fixture(scope="package")
def server(tmp_path_factory):
    """The app, with one worker."""
    with Server(tmp_path_factory.mktemp("attacked"), TSK_WORKERS="1") as server:
        yield server
        assert not server.end(), "the app left processes behind"
        assert "The page failed" not in server.log.read_text(), server.log.read_text()

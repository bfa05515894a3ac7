"""Visitors who send all they can: the app's memory stays bounded, and comes back when they have left."""

import pytest

from tests.load.memory import attack
from tests.load.server import Server

pytestmark = pytest.mark.slow


@pytest.mark.timeout(280)
def test_hostile_visitors_do_not_fill_the_memory(tmp_path):
    with Server(tmp_path, TSK_WORKERS="1") as server:
        figures = attack(server, tabs=8, puts=3, wait=60)
    assert figures["most_mb"] < 1_500
    assert figures["after_mb"] < 1.25 * figures["before_mb"]  # measured: 1.03
    assert any("table in memory" in text for text in figures["said"])
    assert figures["taken"] <= 7  # of 20 MB each, of 150 MB for all; the server closes the connection of some others

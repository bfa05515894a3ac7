"""Waiting for what another thread or process does."""

import time


def wait_until(true, seconds=120):
    """Poll ``true`` until it holds; fails after ``seconds``."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)

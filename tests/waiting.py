"""Waiting for what another thread or process does."""

import time


def wait_until(true, seconds=120):
    """Poll ``true`` until it holds, and return what it gives; fails after ``seconds``."""
    deadline = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)
    return found

"""Free ports of this machine, and whether somebody answers there."""

import contextlib
import socket
import urllib.error
import urllib.request


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def two_free_ports() -> int:
    """A port that nobody listens on, and neither on the next one."""
    while True:
        port = free_port()
        with socket.socket() as following, contextlib.suppress(OSError, OverflowError):  # taken, or none is left above
            following.bind(("127.0.0.1", port + 1))
            return port


def answers(address: str) -> bool:
    """Whether a web server answers a request for this address with success."""
    try:
        with urllib.request.urlopen(address, timeout=5):
            return True
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False

"""Free ports of this machine, and whether somebody answers there."""

import socket
import urllib.error
import urllib.request

__all__ = ["answers", "free_port"]


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def answers(address: str) -> bool:
    """Whether a web server answers a request for this address with success."""
    try:
        with urllib.request.urlopen(address, timeout=5):
            return True
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False

"""The process that fetches one dataset: a server that hangs, floods or sends nonsense ends this process and not the app.

``python -m tsk_core.data.gallery.fetch`` reads a JSON object from standard input: {"wish": arguments of scikit-learn's
``fetch_openml``, "home": its data folder, "mark": a file to make when
all is there, "server": another server's address or null, "seconds", "megabytes" of a
download, "memory" in megabytes}. It writes one line, empty or what went wrong, and then the table in Feather format.
"""

import contextlib
import io
import json
import signal
import socket
import sys
from collections.abc import Callable
from http.client import HTTPResponse
from pathlib import Path
from typing import Any
from urllib import request
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from sklearn.datasets import fetch_openml

__all__ = ["fetched"]

_STALL = 15  # seconds without a byte, after which a connection is given up


class _Wrong(BaseException):  # noqa: N818 - not an Exception: scikit-learn tries again after those
    """What went wrong, in one word, where trying again would not help."""


class _Bounds(request.BaseHandler):
    """Sends each request to the server that was asked for, and bounds what comes back."""

    handler_order = 100  # before the handlers that write the Host header

    def __init__(self, server: str | None, most: int) -> None:
        self.server, self.most = server, most

    def http_request(self, asked: request.Request) -> request.Request:
        if ".." in asked.full_url:  # scikit-learn names the file it keeps after the address
            raise _Wrong("broken")
        if self.server:
            asked.full_url = self.server + urlsplit(asked.full_url)._replace(scheme="", netloc="").geturl()
        return asked

    https_request = http_request

    def http_response(self, asked: request.Request, response: HTTPResponse) -> HTTPResponse:
        if response.status in (404, 410, 412):  # 412 is OpenML's own "no such dataset"
            raise _Wrong("missing")
        response.read = _bounded(response.read, self.most)
        return response

    https_response = http_response


def _bounded(read: Callable[..., bytes], most: int) -> Callable[..., bytes]:
    left = most

    def bounded(amount: int | None = None) -> bytes:
        nonlocal left
        piece = read(left + 1 if amount is None else amount)
        left -= len(piece)
        if left < 0:
            raise _Wrong("large")
        return piece

    return bounded


def fetched(asked: dict[str, Any]) -> tuple[str, bytes]:
    """What went wrong and nothing, or "" and the table; ``asked`` as above, its bounds of time and memory not applied."""
    request.install_opener(_opener(asked["server"], int(asked["megabytes"] * 1e6)))
    try:
        return "", _table(asked["wish"], asked["home"], Path(asked["mark"]))
    except _Wrong as wrong:
        return str(wrong), b""
    except Exception as error:  # whatever a parser finds wrong with nonsense, too
        return _what(error), b""
    finally:
        request.install_opener(None)


def _opener(server: str | None, most: int) -> request.OpenerDirector:
    """Opens http and https only: an answer may name the address of the next request, but not a file of this machine."""
    opener = request.OpenerDirector()
    for handler in (
        _Bounds(server, most), request.ProxyHandler(), request.HTTPHandler(), request.HTTPSHandler(),
        request.HTTPDefaultErrorHandler(), request.HTTPRedirectHandler(), request.HTTPErrorProcessor(), request.UnknownHandler(),
    ):  # fmt: skip
        opener.add_handler(handler)
    return opener


def _table(wish: dict[str, Any], home: str, mark: Path) -> bytes:
    # scikit-learn 1.9.1's quicker parser fails on classes that are numbers (scikit-learn/scikit-learn#34892).
    frame = fetch_openml(**wish, data_home=home, as_frame=True, parser="liac-arff", n_retries=1).frame
    frame = frame.astype({name: frame[name].cat.categories.dtype for name in frame.select_dtypes("category")})
    sink = io.BytesIO()
    frame.to_feather(sink)
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()
    return sink.getvalue()


def _what(error: Exception) -> str:
    """One word for what went wrong."""
    reason = error.reason if isinstance(error, URLError) else error
    if isinstance(error, HTTPError):
        return "failing"
    if isinstance(reason, TimeoutError):
        return "slow"
    if isinstance(error, URLError):
        return "unreachable"
    if isinstance(error, MemoryError):
        return "large"
    if isinstance(error, OSError) and error.errno and not isinstance(error, ConnectionError):  # no errno: gzip's own
        return "disk"
    return "broken"


def _bound(seconds: int, megabytes: int) -> None:
    """Let this process take no more time and memory."""

    def end(*_: object) -> None:
        raise _Wrong("slow")

    socket.setdefaulttimeout(min(_STALL, seconds))
    with contextlib.suppress(ImportError, AttributeError):  # Windows has neither; there, the one who asks keeps the time
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (megabytes * 1_000_000,) * 2)
        signal.signal(signal.SIGALRM, end)
        signal.alarm(seconds)


def _main() -> None:
    asked = json.load(sys.stdin.buffer)
    _bound(asked["seconds"], asked["memory"])
    wrong, table = fetched(asked)
    sys.stdout.buffer.write(wrong.encode() + b"\n" + table)


if __name__ == "__main__":
    _main()

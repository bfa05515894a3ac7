"""The process that fetches one dataset, so that a server that hangs, floods or sends nonsense cannot affect the app.

``python -m tsk_core.data.gallery.fetch`` reads a line of JSON from standard input: {"arguments": arguments of scikit-learn's
``fetch_openml``, "home": its data folder, "marker": a file to create when the download is complete, "server": the address of
another server or null, "seconds", "megabytes" of a download, "memory" in megabytes}. It writes one line, empty or the kind of
failure, and then the table in Feather format.
"""

import _thread
import io
import json
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from http.client import HTTPResponse
from pathlib import Path
from typing import Any
from urllib import request
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from sklearn.datasets import fetch_openml

from tsk_core.runtime.child_process import limit_memory, requests

_STALL = 15  # seconds without a byte, after which a connection is closed


class _Failure(BaseException):  # noqa: N818 - not an Exception: scikit-learn retries after those
    """A failure, in one word, for which a retry would not help."""


class _BoundedHandler(request.BaseHandler):
    """Sends each request to the configured server, and limits the size of the answers."""

    handler_order = 100  # before the handlers that write the Host header

    def __init__(self, server: str | None, most: int) -> None:
        self.server, self.most = server, most

    def http_request(self, message: request.Request) -> request.Request:
        if ".." in message.full_url:  # scikit-learn names its cache file after the address
            raise _Failure("broken")
        if self.server:
            message.full_url = self.server + urlsplit(message.full_url)._replace(scheme="", netloc="").geturl()
        return message

    https_request = http_request

    def http_response(self, message: request.Request, response: HTTPResponse) -> HTTPResponse:
        if response.status in (404, 410, 412):  # 412 is OpenML's own "no such dataset"
            raise _Failure("missing")
        response.read = _bounded(response.read, self.most)  # type: ignore[method-assign]  # the reader of this one response
        return response

    https_response = http_response


def _bounded(read: Callable[..., bytes], most: int) -> Callable[..., bytes]:
    left = most

    def bounded(amount: int | None = None) -> bytes:
        nonlocal left
        piece = read(left + 1 if amount is None else amount)
        left -= len(piece)
        if left < 0:
            raise _Failure("large")
        return piece

    return bounded


def fetch_table(job: dict[str, Any]) -> tuple[str, bytes]:
    """The kind of failure and b"", or "" and the table. job: as above; its bounds of time and memory are not applied."""
    request.install_opener(_opener(job["server"], int(job["megabytes"] * 1e6)))
    began = time.time()
    try:
        return "", _table(job["arguments"], job["home"], Path(job["marker"]))
    except _Failure as failure:
        return str(failure), b""
    except Exception as error:  # including whatever a parser raises for damaged input
        _forget(Path(job["home"]), began)
        return _failure_kind(error), b""
    finally:
        request.install_opener(None)


def _forget(home: Path, since: float) -> None:
    """Remove what was downloaded: before 1.9, scikit-learn keeps a file that was cut off, and reads it again the next time."""
    for path in (home / "openml").rglob("*.gz"):
        if path.stat().st_mtime >= since - 1:  # clocks of file systems are coarse
            path.unlink(missing_ok=True)


def _opener(server: str | None, most: int) -> request.OpenerDirector:
    """Opens http and https only: an answer may redirect to another address, but not to a file of this machine."""
    opener = request.OpenerDirector()
    for handler in (
        _BoundedHandler(server, most), request.ProxyHandler(), request.HTTPHandler(), request.HTTPSHandler(),
        request.HTTPDefaultErrorHandler(), request.HTTPRedirectHandler(), request.HTTPErrorProcessor(), request.UnknownHandler(),
    ):  # fmt: skip
        opener.add_handler(handler)
    return opener


def _table(arguments: dict[str, Any], home: str, marker: Path) -> bytes:
    # The faster parser of scikit-learn 1.9.1 fails on classes that are numbers (scikit-learn/scikit-learn#34892).
    frame = fetch_openml(**arguments, data_home=home, as_frame=True, parser="liac-arff", n_retries=1).frame
    frame = frame.astype({name: frame[name].cat.categories.dtype for name in frame.select_dtypes("category")})
    sink = io.BytesIO()
    frame.to_feather(sink)
    marker.parent.mkdir(parents=True, exist_ok=True)
    marker.touch()
    return sink.getvalue()


def _failure_kind(error: Exception) -> str:
    """The kind of a failure, one word."""
    reason = error.reason if isinstance(error, URLError) else error
    if isinstance(error, HTTPError):
        error.close()  # it holds the answer, and warns where nobody closes it
        return "failing"
    if isinstance(reason, TimeoutError):
        return "slow"
    if isinstance(error, URLError):
        return "unreachable"
    if isinstance(error, MemoryError):
        return "large"
    if isinstance(error, OSError) and error.errno and not isinstance(error, ConnectionError):  # errors of gzip have no errno
        return "disk"
    return "broken"


def _bound(seconds: int, megabytes: int) -> None:
    """Limit the time and memory of this process."""

    def end(*_: object) -> None:
        raise _Failure("slow")

    socket.setdefaulttimeout(min(_STALL, seconds))
    limit_memory(megabytes)
    if hasattr(signal, "alarm"):
        signal.signal(signal.SIGALRM, end)
        signal.alarm(seconds)
        return
    signal.signal(signal.SIGINT, end)  # as Python itself is able to raise it: after a system call at the latest
    timer = threading.Timer(seconds, _thread.interrupt_main)
    timer.daemon = True
    timer.start()


def _main() -> None:
    job = json.loads(next(requests()))
    _bound(job["seconds"], job["memory"])
    failure, table = fetch_table(job)
    sys.stdout.buffer.write(failure.encode() + b"\n" + table)


if __name__ == "__main__":
    _main()

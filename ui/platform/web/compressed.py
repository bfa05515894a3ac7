"""Files that browsers fetch as they are go compressed, each compressed once.

Streamlit sends its own files as they lie on the disk, 4 MB for a first page, and compresses ours again for each visitor: Plotly
alone takes a tenth of a second of the event loop, for each of a full lecture hall.
"""

import asyncio
import gzip

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["CompressedFiles"]

_FOLDER = "/static/"  # of Streamlit's files, and of ours in "/app/static/"
_KINDS = ("javascript", "css", "json", "svg", "html")  # fonts and images are compressed already
_LEAST = 1000  # bytes


class CompressedFiles:
    """Answers requests for files whose browser takes gzip; one copy of each file stays in memory, by its ETag."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._copies: dict[str, asyncio.Task[bytes]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        asked = Headers(scope=scope) if scope["type"] == "http" else {}
        plain = scope.get("method") != "GET" or _FOLDER not in scope["path"] or "gzip" not in asked.get("accept-encoding", "")
        if plain or "range" in asked:
            await self._app(scope, receive, send)
            return
        uncompressed = _without_encoding(scope)
        start, _ = await self._answer({**uncompressed, "method": "HEAD"})
        headers = MutableHeaders(raw=list(start["headers"]))
        if start["status"] != 200 or not _worth_it(headers):
            await self._app(uncompressed, receive, send)
            return
        name = headers["etag"]
        if name not in self._copies:  # those who ask meanwhile wait for the same copy
            self._copies[name] = asyncio.create_task(self._compress(uncompressed))
        try:
            body = await asyncio.shield(self._copies[name])
        except Exception:
            del self._copies[name]
            raise
        headers.update({"Content-Encoding": "gzip", "Content-Length": str(len(body)), "ETag": f"W/{name.removeprefix('W/')}"})
        headers.add_vary_header("Accept-Encoding")
        await send({"type": "http.response.start", "status": 200, "headers": headers.raw})
        await send({"type": "http.response.body", "body": body})

    async def _compress(self, scope: Scope) -> bytes:
        _, body = await self._answer(scope)
        return await asyncio.to_thread(gzip.compress, body, 6, mtime=0)

    async def _answer(self, scope: Scope) -> tuple[Message, bytes]:
        """How Streamlit answers: the message with status and headers, and the body."""
        messages: list[Message] = []

        async def keep(message: Message) -> None:
            messages.append(message)

        await self._app(scope, _nobody, keep)
        return messages[0], b"".join(message.get("body", b"") for message in messages[1:])


async def _nobody() -> Message:
    """What arrives from a browser that says nothing and stays: a copy is made to its end, also where the first to ask leaves."""
    return await asyncio.get_running_loop().create_future()


def _without_encoding(scope: Scope) -> Scope:
    return {**scope, "headers": [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]}


def _worth_it(headers: Headers) -> bool:
    """Whether the file is text of some length, and has a name for its copy."""
    kind, length = headers.get("content-type", ""), int(headers.get("content-length", "0"))
    return "etag" in headers and length >= _LEAST and any(part in kind for part in _KINDS)

"""What browsers fetch besides data: files of the app, the documentation site, and the page itself.

**Files** go compressed as they are, each compressed once. Streamlit sends its own files as they lie on the disk, 4 MB for a
first page, and compresses ours again for each visitor, as Starlette's middleware does: Plotly alone takes a tenth of a second,
for each of a full lecture hall.

**The documentation** is at ``/docs``, as ``make docs`` builds it.

**The page** is told where its server is. Streamlit's JavaScript looks for the server below the address of the page first, and
only then above it: on each page but the first two requests fail, the console has two errors, and the page begins a moment
later.
"""

import asyncio
import gzip
import posixpath
import re
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urljoin

import brotli
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.platform.assets import STATIC
from ui.platform.streamlit_internals import config
from ui.platform.web.origins import without

# Files.

_ENCODINGS: dict[str, Callable[[bytes], bytes]] = {  # best first; browsers take Brotli over HTTPS and from their own machine
    "br": lambda body: brotli.compress(body, quality=7),
    "gzip": lambda body: gzip.compress(body, 6, mtime=0),
}
_REFUSED = re.compile(r"\s*q=0(\.0*)?\s*")  # the weight of an encoding that a browser does not take
_KINDS = ("javascript", "css", "json", "svg", "html")  # fonts and images are compressed already
_FOLDER = "/static/"  # of Streamlit's files, and of ours in "/app/static/"
_LEAST = 1000  # bytes
_MOST = 48_000_000  # bytes of all copies; those of a version of the app are some 10 MB


class CompressedFiles:
    """Answers requests for files by browsers that take Brotli or gzip; the last copy of each stays in memory.

    A file has many paths, of which a stranger may make up any number, so a copy is known by the file's name and ETag.
    most: bytes of all copies.
    """

    def __init__(self, app: ASGIApp, most: int = _MOST) -> None:
        self._app, self._most = app, most
        self._copies: OrderedDict[tuple[str, str, str], asyncio.Task[bytes]] = OrderedDict()  # by encoding, name and ETag

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or _FOLDER not in scope["path"]:
            await self._app(scope, receive, send)
            return
        asked = Headers(scope=scope)
        encoding = _encoding(asked.get("accept-encoding", ""))
        uncompressed = without(scope, "accept-encoding")
        if not encoding or scope["method"] != "GET" or "range" in asked:
            await self._app(uncompressed, receive, _varying(send))
            return
        start, _ = await self._answer({**uncompressed, "method": "HEAD"})
        headers = MutableHeaders(raw=list(start["headers"]))
        if start["status"] != 200 or not _worth_it(headers):
            await self._app(uncompressed, receive, _varying(send))
            return
        etag = headers["etag"]
        key = encoding, posixpath.basename(posixpath.normpath(scope["path"])), etag
        if key not in self._copies:  # those who ask meanwhile wait for the same copy
            self._copies[key] = asyncio.create_task(self._compress(uncompressed, encoding))
        self._copies.move_to_end(key)
        copy = self._copies[key]
        try:
            body = await asyncio.shield(copy)
        except Exception:
            if self._copies.get(key) is copy:
                del self._copies[key]
            raise
        self._forget_oldest()
        headers.update({"Content-Encoding": encoding, "Content-Length": str(len(body)), "ETag": f"W/{etag.removeprefix('W/')}"})
        headers.add_vary_header("Accept-Encoding")
        await send({"type": "http.response.start", "status": 200, "headers": headers.raw})
        await send({"type": "http.response.body", "body": body})

    def _forget_oldest(self) -> None:
        """Let copies go that were asked for longest ago, until the others are small enough together."""
        done = [(key, len(copy.result())) for key, copy in self._copies.items() if copy.done() and not copy.exception()]
        excess = sum(size for _, size in done) - self._most
        for key, size in done:
            if excess <= 0:
                break
            excess -= size
            del self._copies[key]

    async def _compress(self, scope: Scope, encoding: str) -> bytes:
        _, body = await self._answer(scope)
        return await asyncio.to_thread(_ENCODINGS[encoding], body)

    async def _answer(self, scope: Scope) -> tuple[Message, bytes]:
        """How Streamlit answers: the message with status and headers, and the body."""
        messages: list[Message] = []

        async def keep(message: Message) -> None:
            messages.append(message)

        await self._app(scope, _nobody, keep)
        return messages[0], b"".join(message.get("body", b"") for message in messages[1:])


def _varying(send: Send) -> Send:
    """Sends a file as it is; caches between here and the browsers are told that others get it compressed."""

    async def send_varying(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=list(message["headers"]))
            if _is_text(headers):
                headers.add_vary_header("Accept-Encoding")
                message = {**message, "headers": headers.raw}
        await send(message)

    return send_varying


async def _nobody() -> Message:
    """What arrives from a browser that says nothing and stays: a copy is made to its end, also where the first to ask leaves."""
    return await asyncio.get_running_loop().create_future()


def _encoding(accepted: str) -> str | None:
    """The best encoding of a header Accept-Encoding; None where it names none of ours."""
    parts = (part.lower().partition(";") for part in accepted.split(","))
    named = {name.strip() for name, _, weight in parts if not _REFUSED.fullmatch(weight)}
    return next((encoding for encoding in _ENCODINGS if encoding in named), None)


def _worth_it(headers: Headers) -> bool:
    """Whether the file is text of some length, and has a name for its copy."""
    return "etag" in headers and int(headers.get("content-length", "0")) >= _LEAST and _is_text(headers)


def _is_text(headers: Headers) -> bool:
    return any(part in headers.get("content-type", "") for part in _KINDS)


# The documentation.

SITE = STATIC / "docs"
_NOT_BUILT = "The documentation is not built on this server; `make docs` in the project's folder builds it."
_NO_PAGE = "The documentation has no such page. Its first page is at {}."


def documentation_routes(site: Path = SITE) -> list[BaseRoute]:
    """What ``st.App`` serves below ``/docs``. site: its folder, which need not exist."""
    root = path_of("docs")
    return [Route(root, _to_folder), Mount(root, _Site(directory=site, html=True, check_dir=False))]


def opens_no_session(path: str) -> bool:
    """Whether a path is one of the site, or the page of watchers: these need no cookie and no address of a server."""
    return f"{path}/".startswith((f"{path_of('docs')}/", f"{path_of('watch')}/"))


def documentation_address(page: str) -> str:
    """Where the site is, absolute. page: the address of a page of the app, absolute."""
    return urljoin(page, "docs/")


class _Site(StaticFiles):
    """Files of a folder; what is none of them is refused with a sentence. Streamlit's middleware compresses them."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self.check_config()
        except RuntimeError:  # the folder does not exist
            await PlainTextResponse(_NOT_BUILT, 404)(scope, receive, send)
            return
        try:
            await super().__call__(scope, receive, send)
        except HTTPException as refused:
            await PlainTextResponse(_NO_PAGE.format(f"{path_of('docs')}/"), refused.status_code)(scope, receive, send)


async def _to_folder(_: Request) -> Response:
    return RedirectResponse("docs/")  # the links of a page are relative to its folder


def path_of(name: str) -> str:
    """The path of what is served beside Streamlit's pages, such as "/docs"."""
    return "/".join(["", *filter(None, [config.get_option("server.baseUrlPath").strip("/")]), name])


# The page.

_HEAD = b"<head>"
_SCRIPT = b'<script>window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href };</script>'


class ServerAddress:
    """Writes the address into each HTML page: the folder of the page's own address, whatever prefix a proxy gives it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        asked = scope["type"] == "http" and scope["method"] == "GET" and "text/html" in Headers(scope=scope).get("accept", "")
        if not asked or opens_no_session(scope["path"]):
            await self._app(scope, receive, send)
            return
        start: Message | None = None

        async def send_with_address(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message  # until it is known how long the body is
                return
            if start is not None:
                message = _written(start, message)
                await send(start)
                start = None
            await send(message)

        await self._app(without(scope, "accept-encoding"), receive, send_with_address)


def _written(start: Message, body: Message) -> Message:
    """The first part of the body with the script, where it is that of a page; sets the new length in ``start``."""
    headers, content = MutableHeaders(scope=start), body.get("body", b"")
    if not headers.get("content-type", "").startswith("text/html") or _HEAD not in content:
        return body
    if "content-length" in headers:
        headers["content-length"] = str(int(headers["content-length"]) + len(_SCRIPT))
    return {**body, "body": content.replace(_HEAD, _HEAD + _SCRIPT, 1)}

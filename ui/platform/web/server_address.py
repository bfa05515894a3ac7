"""Tells a page where its server is.

Streamlit's JavaScript looks for the server below the address of the page first, and only then above it: on each page but the
first two requests fail, the console has two errors, and the page begins a moment later.
"""

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.platform.web.documentation import is_documentation
from ui.platform.web.scopes import without

__all__ = ["ServerAddress"]

_HEAD = b"<head>"
_SCRIPT = b'<script>window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href };</script>'


class ServerAddress:
    """Writes the address into each HTML page: the folder of the page's own address, whatever prefix a proxy gives it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        asked = scope["type"] == "http" and scope["method"] == "GET" and "text/html" in Headers(scope=scope).get("accept", "")
        if not asked or is_documentation(scope["path"]):
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

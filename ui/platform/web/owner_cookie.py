"""The owner's cookie: a random id that a browser gets with the first page it asks for, so that all its tabs have the same runs.

It comes with the page, before any websocket opens, so two first tabs opened together have one owner. No script can read it. Where
a course's page may show the app in its frame (TSK_FRAME_ANCESTORS), it is sent there too, which browsers allow over HTTPS alone.
"""

import re
import secrets
from http.cookies import SimpleCookie

from starlette.datastructures import MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.platform.web.headers import frame_ancestors

__all__ = ["COOKIE", "OwnerCookie", "owner_of"]

COOKIE = "tsk_owner"
SECONDS = 365 * 24 * 3600
_CONDITIONS = (b"if-none-match", b"if-modified-since")
_ID = re.compile(r"[0-9a-f]{32}")


def owner_of(cookies: dict[str, str]) -> str | None:
    """The owner that the cookies of a request name; None without a valid one."""
    known = str(cookies.get(COOKIE, ""))
    return known if _ID.fullmatch(known) else None


class OwnerCookie:
    """Sets the cookie with each page; a browser that has one keeps its id for another year."""

    def __init__(self, app: ASGIApp) -> None:
        self._app, self._in_frames = app, bool(frame_ancestors())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        owner = owner_of(_cookies(scope))

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.append("Set-Cookie", self._cookie(owner or secrets.token_hex(16), scope["scheme"] == "https"))
            await send(message)

        if owner is None:  # a page in the browser's cache would not be sent again, and so bring no cookie
            scope = {**scope, "headers": [header for header in scope["headers"] if header[0] not in _CONDITIONS]}
        await self._app(scope, receive, send_with_cookie)

    def _cookie(self, owner: str, secure: bool) -> str:
        in_frames = secure and self._in_frames
        cookie = SimpleCookie({COOKIE: owner})[COOKIE]
        site = "None" if in_frames else "Lax"
        cookie.update({"path": "/", "max-age": SECONDS, "httponly": True, "secure": secure, "samesite": site})
        return cookie.OutputString() + ("; Partitioned" if in_frames else "")  # http.cookies knows that one from Python 3.14 on


def _cookies(scope: Scope) -> dict[str, str]:
    return cookie_parser(b"; ".join(value for name, value in scope["headers"] if name == b"cookie").decode("latin-1"))

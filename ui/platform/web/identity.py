"""Who asks: the network address of a visitor, and the owner in the cookie of its browser.

**The address**, for the shares of an address. What a request says about it itself (X-Forwarded-For, X-Forwarded-Proto) is
believed of a proxy alone. A proxy on this machine cannot be told from any other account here by its address, so by default
nobody is believed. TSK_PROXY_SECRET is a text that the proxy sends with each request as ``X-TSK-Proxy-Secret``; a proxy on
another machine may be named by uvicorn's variable FORWARDED_ALLOW_IPS instead. The server itself therefore believes no such
header (``proxy_headers`` of uvicorn).

**The cookie**: a random id that a browser gets with the first page it asks for, so that all its tabs have the same runs. It
comes with the page, before any websocket opens, so two first tabs opened together have one owner. No script can read it. Where
a course's page may show the app in its frame (TSK_FRAME_ANCESTORS), it is sent there too, which browsers allow over HTTPS
alone.

Its value is the id with this server's signature: whoever learns an id, from a copy of the ledger or a log, is not its owner.
Over HTTPS its name begins with ``__Host-``: then neither a page of a neighbouring name nor one without HTTPS can overwrite it.

The address of ``forget_address`` deletes the cookie. It has a key that no other page knows, so that no foreign link can do it.
"""

import hmac
import ipaddress
import logging
import os
import re
import secrets
from functools import cache
from http.cookies import SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from tsk_core.classroom import Classroom, Secret
from tsk_core.errors import TSKError
from ui.platform.visitor import COOKIE
from ui.platform.web.files import opens_no_session
from ui.platform.web.origins import frame_ancestors, without

# The address.

SECRET, _ALLOWED = "TSK_PROXY_SECRET", "FORWARDED_ALLOW_IPS"
_HEADER = "x-tsk-proxy-secret"
_SCHEMES = {"http": "http", "https": "https", "ws": "http", "wss": "https"}
_log = logging.getLogger("tsk_explorer")


class VisitorAddress:
    """Sets the client and the scheme of a request: as its proxy says, or else as the connection is."""

    def __init__(self, app: ASGIApp) -> None:
        self._app, self._secret = app, os.environ.get(SECRET, "")
        allowed = os.environ.get(_ALLOWED, "")
        self._believes = bool(self._secret or allowed)
        self._entry: ASGIApp = self._enter
        if allowed and not self._secret:
            self._entry = ProxyHeadersMiddleware(self._enter, allowed)  # type: ignore[arg-type,assignment]  # uvicorn's own ASGI types
        self._warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        await (self._entry if scope["type"] in ("http", "websocket") else self._app)(scope, receive, send)

    async def _enter(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        if self._secret and hmac.compare_digest(headers.get(_HEADER, "").encode(), self._secret.encode()):
            self._forwarded(scope, headers)
        elif "x-forwarded-for" in headers and not self._believes and not self._warned:
            self._warned = True
            _log.warning(
                "A proxy sends X-Forwarded-For and is not believed, so that all its visitors share the limits of one address; set"
                " %s here and in the proxy, as docs/running.md says.",
                SECRET,
            )
        scope["headers"] = [header for header in scope["headers"] if header[0] != _HEADER.encode()]
        host, port = scope.get("client") or ("", 0)
        scope["client"] = network_of(host), port
        await self._app(scope, receive, send)

    def _forwarded(self, scope: Scope, headers: Headers) -> None:
        """The last address is the one that our proxy has seen; those before it are what its visitor claims."""
        if last := ",".join(headers.getlist("x-forwarded-for")).rpartition(",")[2].strip():
            scope["client"] = last, 0
        if scheme := _SCHEMES.get(headers.get("x-forwarded-proto", "")):
            scope["scheme"] = scheme if scope["type"] == "http" else scheme.replace("http", "ws")


def network_of(host: str) -> str:
    """What counts as one address: an IPv4 address, or the /64 of an IPv6 one, since a household or a machine has all of that."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(address) if address.is_loopback else str(ipaddress.ip_network((address, 64), strict=False))


# The cookie.

SECURE_COOKIE = f"__Host-{COOKIE}"
FORGET = "/forget"
SECONDS = 365 * 24 * 3600
_CONDITIONS = ("if-none-match", "if-modified-since")
_OF_THIS_PROCESS = Secret(secrets.token_bytes(32))
_SIGNED = re.compile(r"([0-9a-f]{32})\.([0-9a-f]{32})")


class OwnerCookie:
    """Sets the cookie with each page that opens a session; a browser that has one keeps its id for another year.

    A session sees the id without its signature, and none that this server did not sign.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app, self._in_frames = app, bool(frame_ancestors())
        _secret()  # reads a file, which nothing may wait for once requests are served

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        secure = scope["type"] in ("http", "websocket") and scope["scheme"] in ("https", "wss")
        if scope["type"] == "websocket":
            await self._app(_for_session(scope, _verified(_cookies(scope), secure=secure)), receive, send)
            return
        if scope["type"] != "http" or scope["method"] != "GET" or opens_no_session(scope["path"]):
            await self._app(scope, receive, send)
            return
        owner = _verified(_cookies(scope), secure=secure)
        if scope["path"].endswith(FORGET) and owner and _asks_to_forget(scope, owner):
            response = RedirectResponse(scope["path"].removesuffix(FORGET) + "/", 303, {"Cache-Control": "no-store"})
            response.headers.append("Set-Cookie", self._cookie(owner, secure, seconds=0))
            await response(scope, receive, send)
            return

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.append("Set-Cookie", self._cookie(owner or secrets.token_hex(16), secure))
            await send(message)

        if owner is None:  # a page in the browser's cache would not be sent again, and so bring no cookie
            scope = without(scope, *_CONDITIONS)
        await self._app(scope, receive, send_with_cookie)

    def _cookie(self, owner: str, secure: bool, seconds: int = SECONDS) -> str:
        """The header. seconds: how long the browser keeps it; 0 deletes it."""
        in_frames = secure and self._in_frames
        name = SECURE_COOKIE if secure else COOKIE
        cookie = SimpleCookie({name: f"{owner}.{_signature(owner)}"})[name]
        site = "None" if in_frames else "Lax"
        cookie["path"], cookie["max-age"], cookie["samesite"] = "/", seconds, site
        cookie["httponly"], cookie["secure"] = True, secure
        return cookie.OutputString() + ("; Partitioned" if in_frames else "")  # http.cookies knows that one from Python 3.14 on


def forget_address(owner: str) -> str:
    """The address, on this server, that deletes the cookie of this owner's browser."""
    return f"{FORGET}?key={_key_to_forget(owner)}"


def _asks_to_forget(scope: Scope, owner: str) -> bool:
    (key,) = parse_qs(scope["query_string"].decode("latin-1")).get("key", [""])[:1]
    return secrets.compare_digest(key.encode(), _key_to_forget(owner).encode())


def _key_to_forget(owner: str) -> str:
    return signature_of(f"forget:{owner}")


def _cookies(scope: Scope) -> dict[str, str]:
    return cookie_parser(b"; ".join(value for name, value in scope["headers"] if name == b"cookie").decode("latin-1"))


def _verified(cookies: dict[str, str], *, secure: bool) -> str | None:
    """The owner that the cookie of a request names; None where this server did not sign it."""
    found = _SIGNED.fullmatch(cookies.get(SECURE_COOKIE if secure else COOKIE, ""))
    return found[1] if found and secrets.compare_digest(found[2], _signature(found[1])) else None


def _for_session(scope: Scope, owner: str | None) -> Scope:
    """The connection with the owner's id in the place of the cookies that name one."""
    others = {name: value for name, value in _cookies(scope).items() if name not in (COOKIE, SECURE_COOKIE)}
    cookies = others | ({COOKIE: owner} if owner else {})
    text = "; ".join(f"{name}={value}" for name, value in cookies.items()).encode("latin-1", "replace")
    scope = without(scope, "cookie")
    if text:
        scope["headers"].append((b"cookie", text))
    return scope


def _signature(owner: str) -> str:
    return signature_of(f"owner:{owner}")


def signature_of(text: str) -> str:
    """32 hexadecimal digits that only this server can make of the text, also after it was started again."""
    return _secret().signature(text)[:32]


def _secret() -> Secret:
    """The key of this server, which all its processes have; as long as its folder cannot be used, one of this process alone."""
    try:
        return _kept_secret()
    except TSKError:  # the page says what is wrong
        return _OF_THIS_PROCESS


@cache
def _kept_secret() -> Secret:
    return Classroom().secret

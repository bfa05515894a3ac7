"""Where a visitor comes from, for the shares of an address.

What a request says about that itself (X-Forwarded-For, X-Forwarded-Proto) is believed of a proxy alone. A proxy on this machine
cannot be told from any other account here by its address, so by default nobody is believed. TSK_PROXY_SECRET is a text that the
proxy sends with each request as ``X-TSK-Proxy-Secret``; a proxy on another machine may be named by uvicorn's variable
FORWARDED_ALLOW_IPS instead. The server itself therefore believes no such header (``proxy_headers`` of uvicorn).
"""

import hmac
import ipaddress
import logging
import os

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

__all__ = ["SECRET", "VisitorAddress", "network_of"]

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
        self._entry: ASGIApp = ProxyHeadersMiddleware(self._enter, allowed) if allowed and not self._secret else self._enter
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

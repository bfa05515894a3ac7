"""Which hosts this server answers for, which pages may talk to it, and what other pages may do with ours.

Host: a page whose name its owner lets point to this machine (DNS rebinding) would share our origin, so names are listed. An
address of digits cannot be rebound. Origin: a browser says which page opens a websocket or sends a file, and only our own pages
may, or those of ``server.corsAllowedOrigins``. Frames: TSK_FRAME_ANCESTORS names the origins whose pages may show the app in a
frame, such as "https://moodle.example.edu", separated by spaces; our own pages always may.

Streamlit checks origins too, but for one it does not know it asks the internet for this server's address, in its event loop and
again each time: where outgoing requests are dropped, each foreign page would stop the server for seconds. So it never sees one.
"""

import ipaddress
import os
import re
import socket
from functools import cache
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tsk_core.errors import SettingError
from ui.platform.streamlit_internals import config


def without(scope: Scope, *names: str) -> Scope:
    """A copy without the headers of these names, which are in small letters."""
    left_out = {name.encode("latin-1") for name in names}
    return {**scope, "headers": [(name, value) for name, value in scope["headers"] if name not in left_out]}


_listed: list[str] = []  # the names of ``server.allowedHosts``
_SAFE = ("GET", "HEAD", "OPTIONS")
_WRONG_HOST = (
    "This server does not answer for the host {!r}. Whoever runs it can add the name to the option server.allowedHosts"
    " (STREAMLIT_SERVER_ALLOWED_HOSTS)."
)
_WRONG_ORIGIN = (
    "A page of {!r} may not use this server. Whoever runs it can add that origin to the option server.corsAllowedOrigins"
    " (STREAMLIT_SERVER_CORS_ALLOWED_ORIGINS)."
)


class SameOrigin:
    """Refuses requests for foreign hosts and from foreign pages; to Streamlit, a websocket always comes from one of our own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if not is_host_allowed(host):
            await PlainTextResponse(_WRONG_HOST.format(host[:100]), status_code=421)(scope, receive, send)
        elif origin is None:
            await self._app(scope, receive, send)
        elif is_origin_allowed(origin, host):
            seen = _own_origin(scope, host) if scope["type"] == "websocket" else origin  # an answer's CORS header names the page
            scope = without(scope, "origin")
            scope["headers"].append((b"origin", seen.encode("latin-1")))
            await self._app(scope, receive, send)
        elif scope["type"] == "http" and scope["method"] in _SAFE:  # a page may ask; without permission it cannot read the answer
            await self._app(without(scope, "origin"), receive, send)
        else:
            await PlainTextResponse(_WRONG_ORIGIN.format(origin[:100]), status_code=403)(scope, receive, send)


def check_hosts_here() -> None:
    """Take ``server.allowedHosts`` from Streamlit, once: where names are listed, its own check refuses addresses of digits."""
    if listed := config.get_option("server.allowedHosts"):
        _listed[:] = [pattern.strip().lower().rstrip(".") for pattern in listed]
        config.set_option("server.allowedHosts", [])


def is_host_allowed(host: str) -> bool:
    """Whether a Host header names this server: an IP address, this machine, or a name of ``server.allowedHosts``."""
    try:
        place = urlsplit(f"//{host}")
        name = (place.hostname or "").rstrip(".")
    except ValueError:
        return False
    if place.netloc != host or "@" in host:  # a path, a user's name
        return False
    if "*" in _listed or name in _listed or name in _own_names():
        return True
    return _is_address(name) or any(pattern.startswith("*.") and name.endswith(pattern[1:]) for pattern in _listed)


def is_origin_allowed(origin: str, host: str) -> bool:
    """Whether a page of ``origin`` may talk to the server under this Host header."""
    try:
        place = urlsplit(origin).netloc
    except ValueError:
        return False
    return bool(place) and (place.lower() == host.lower() or origin in config.get_option("server.corsAllowedOrigins"))


@cache
def _own_names() -> frozenset[str]:
    """The names of this machine that no stranger's name server answers for."""
    name, shown = socket.gethostname().lower(), str(config.get_option("browser.serverAddress") or "").lower()
    return frozenset({"localhost", name, f"{name}.local", shown} - {"", ".local"})


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _own_origin(scope: Scope, host: str) -> str:
    secure = scope["scheme"] in ("https", "wss")
    return f"{'https' if secure else 'http'}://{host}"


# What other pages may do with ours.

_FRAMES = "TSK_FRAME_ANCESTORS"
_ORIGIN = re.compile(r"\*|https?:|https?://[\w.*\[\]:-]+")


def frame_ancestors() -> list[str]:
    """The foreign origins of TSK_FRAME_ANCESTORS; SettingError where one is not an origin."""
    origins = os.environ.get(_FRAMES, "").split()
    for origin in origins:
        if not _ORIGIN.fullmatch(origin):
            raise SettingError(
                f"The environment variable {_FRAMES} has {origin!r}; give origins such as https://moodle.example.edu, separated"
                " by spaces."
            )
    return origins


class SecurityHeaders:
    """Adds the headers to each answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._headers = {
            "Content-Security-Policy": " ".join(["frame-ancestors 'self'", *frame_ancestors()]),
            "Referrer-Policy": "same-origin",  # the address of a page names its run
            "X-Content-Type-Options": "nosniff",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)


# Routes of Streamlit that no visitor needs.

# How much memory and how many sessions there are is for whoever runs the server; the agent API answers questions about the app.
CLOSED = ("/_stcore/metrics", "/_stcore/agent", "/_stcore/script-health-check")


class ClosedRoutes:
    """Answers 404 for what is closed."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        path = scope.get("path", "")
        if scope["type"] in ("http", "websocket") and any(closed in path for closed in CLOSED):
            await PlainTextResponse("Not found.", status_code=404)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

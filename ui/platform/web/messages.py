"""Which messages of Streamlit's protocol pass between a browser and the app.

In: what our pages send, of a size and as often as pages send it. Others act on the whole server, such as the one that clears the
caches of all sessions. Out: all, but the first one of a session without the script's path, the versions and the id of this
installation, which only help an attacker.
"""

import asyncio
import time
from collections import Counter

import streamlit
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tsk_core import limits
from ui.platform.streamlit_internals import BackMsg, ForwardMsg

__all__ = ["ALLOWED", "MessageFilter"]

ALLOWED = frozenset({"rerun_script", "stop_script", "file_urls_request", "app_heartbeat", "deferred_file", "dataframe_chunk"})
RATE, BURST = 30.0, 100  # messages a second that one page may send for long, and at once
_OPERATION = "backend_operation_request"  # several kinds in one message; some write into the server's folder
_VERSION = streamlit.__version__.encode()  # found in each first message, and in few others: those alone are read
_TOO_BIG, _TRIES_LATER = 1009, 429


class MessageFilter:
    """Drops what is not allowed, and hides what need not be known. An address has a limited number of websockets."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._open: Counter[str] = Counter()  # websockets by address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        address = (scope.get("client") or ("",))[0]
        if self._open[address] >= limits.value("pages_per_address"):
            text = f"Your network address has {self._open[address]:,} pages open here; close one, or raise"
            refusal = PlainTextResponse(f"{text} {limits.LIMITS['pages_per_address'].variable}.", _TRIES_LATER)
            await refusal(scope, receive, send)
            return
        self._open[address] += 1
        try:
            await self._filter(scope, receive, send)
        finally:
            self._open[address] -= 1
            self._open += Counter()  # without those that have none left

    async def _filter(self, scope: Scope, receive: Receive, send: Send) -> None:
        pace = _Pace()

        async def receive_allowed() -> Message:
            while True:
                message = await receive()
                if message["type"] != "websocket.receive":
                    return message
                await pace.wait()
                kind, states = _content(message)
                if states > limits.value("widget_states"):
                    await send({"type": "websocket.close", "code": _TOO_BIG})
                    return {"type": "websocket.disconnect", "code": _TOO_BIG}
                if kind in ALLOWED:
                    return message

        async def send_hidden(message: Message) -> None:
            data = message.get("bytes")
            if data and _VERSION in data:
                message = {**message, "bytes": _hidden(data)}
            await send(message)

        await self._app(scope, receive_allowed, send_hidden)


class _Pace:
    """Lets ``BURST`` messages through at once, and ``RATE`` a second afterwards; meanwhile no more is read from the network."""

    def __init__(self) -> None:
        self._left, self._at = float(BURST), time.monotonic()

    async def wait(self) -> None:
        now = time.monotonic()
        self._left, self._at = min(BURST, self._left + (now - self._at) * RATE) - 1, now
        if self._left < 0:
            await asyncio.sleep(-self._left / RATE)


def _content(message: Message) -> tuple[str | None, int]:
    """The kind of a message, None where it is none of the protocol, and the number of widgets whose values it brings."""
    try:
        sent = BackMsg.FromString(message.get("bytes") or b"")
    except Exception:
        return None, 0
    kind = sent.WhichOneof("type")
    if kind == _OPERATION:
        kind = sent.backend_operation_request.WhichOneof("payload")
    return kind, len(sent.rerun_script.widget_states.widgets) if kind == "rerun_script" else 0


def _hidden(data: bytes) -> bytes:
    message = ForwardMsg.FromString(data)
    if message.WhichOneof("type") != "new_session":
        return data
    first = message.new_session
    first.main_script_path = "app.py"
    first.initialize.environment_info.Clear()
    first.initialize.user_info.Clear()
    return message.SerializeToString()

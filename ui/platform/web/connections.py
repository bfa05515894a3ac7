"""What a connection may hold before Streamlit sees any of it: bytes of a message that has not ended, and time.

uvicorn bounds neither, so a client without a cookie could fill the memory with messages that never end, or take all descriptors
of this process with requests that never begin. So its protocols are told here to count: connections by network address, and the
bytes of unfinished messages by connection, by address and in all. Streamlit's own option for the size of a message counts for
both directions, and pages are larger than anything that a browser sends.

A proxy in front is one address here; it bounds its visitors itself (docs/nginx.conf). ``pages_per_address`` counts by visitor.
"""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tsk_core import limits
from ui.platform.web.visitor_address import PEER, network_of

__all__ = ["bound_connections"]

HEADER_SECONDS = 10.0  # from the opening of a connection, or the first byte of a request, to the end of its headers
SILENT_SECONDS = 30.0  # without a byte of the body that a request announced
BODY_SECONDS = 600.0  # for a whole body
MESSAGE_SECONDS = 20.0  # for one message of a websocket
_LOOK = 2.0  # seconds between looks at the times above
_PIECE = 1 << 14  # bytes that are parsed before the counts are looked at
_FRAME = 200  # bytes of memory that a frame takes besides its content
_SMALL = 1 << 16  # bytes of an unfinished message that are never too many
_FRAMES = 1_000  # frames that are no message: parts of one, pings
_WAITING = 100  # messages that the app has not taken yet; a browser sends few at a time
_DESCRIPTORS = 512  # that files, pipes and sockets of our own need


@dataclass(eq=False)
class _Connection:
    """A connection. begun: since when headers, a body or a message are unfinished, in steady seconds; 0 where nothing is."""

    protocol: Any
    address: str
    begun: float
    heard: float
    has_headers: bool = False  # what is unfinished is a body
    pending: int = 0  # bytes of a message that has not ended
    frames: int = 0  # since the last message began


@dataclass
class _Connections:
    """All connections of this server, by their transports."""

    known: dict[Any, _Connection] = field(default_factory=dict)
    by_address: Counter[str] = field(default_factory=Counter)
    pending: Counter[str] = field(default_factory=Counter)  # bytes of unfinished messages by address
    looks: bool = False

    def add(self, protocol: Any) -> None:
        """A connection was opened, or has become a websocket; aborts it where there are too many."""
        transport, now = protocol.transport, time.monotonic()
        if transport in self.known:
            self.known[transport].protocol, self.known[transport].begun = protocol, 0.0
            return
        address = network_of((protocol.client or ("",))[0])
        if len(self.known) >= most_connections() or self.by_address[address] >= most_connections(address):
            transport.abort()
            return
        self.known[transport] = _Connection(protocol, address, now, now)
        self.by_address[address] += 1
        if not self.looks:
            self.looks = True
            asyncio.get_running_loop().call_later(_LOOK, self._look)

    def remove(self, protocol: Any) -> None:
        """A connection was closed."""
        connection = self.known.pop(protocol.transport, None)
        if connection is not None:
            self._hold(connection, 0)
            self.by_address[connection.address] -= 1
            self.by_address += Counter()  # without those that have none left
            self.pending += Counter()

    def heard(self, protocol: Any) -> bool:
        """Bytes came in and were parsed; whether the connection may go on."""
        connection = self.known.get(protocol.transport)
        if connection is None:
            return False
        if connection.protocol is not protocol:  # it has just become a websocket, which was asked already
            return True
        now = connection.heard = time.monotonic()
        if isinstance(protocol, WebSocketsSansIOProtocol):
            return self._heard_frames(connection, protocol, now)
        if not _is_coming(protocol):
            connection.begun = 0.0
        elif not connection.begun or connection.has_headers != _is_asking(protocol):
            connection.begun, connection.has_headers = now, _is_asking(protocol)
        return True

    def _heard_frames(self, connection: _Connection, protocol: Any, now: float) -> bool:
        parsed, frames = protocol.conn, protocol.frames
        self._hold(connection, len(parsed.reader.buffer) + (parsed.current_size or 0) + _FRAME * len(frames))
        connection.begun = (connection.begun or now) if connection.pending else 0.0
        if connection.frames > _FRAMES or protocol.queue.qsize() > _WAITING:
            return False
        if connection.pending > limits.value("message_kb") * 1000:
            return False
        most = limits.value("unfinished_mb") * 1_000_000
        fits = self.pending[connection.address] <= most // 2 and self.pending.total() <= most
        return fits or connection.pending <= _SMALL

    def _hold(self, connection: _Connection, pending: int) -> None:
        self.pending[connection.address] += pending - connection.pending
        connection.pending = pending

    def _look(self) -> None:
        """Abort what takes too long."""
        now = time.monotonic()
        for transport, connection in list(self.known.items()):
            if connection.begun and self._is_late(connection, now):
                transport.abort()
        self.looks = bool(self.known)
        if self.looks:
            asyncio.get_running_loop().call_later(_LOOK, self._look)

    @staticmethod
    def _is_late(connection: _Connection, now: float) -> bool:
        if isinstance(connection.protocol, WebSocketsSansIOProtocol):
            return now - connection.begun > MESSAGE_SECONDS
        if not _is_coming(connection.protocol):  # its answer is under way, or the next request has not begun
            connection.begun = 0.0
            return False
        if not _is_asking(connection.protocol):
            return now - connection.begun > HEADER_SECONDS
        return now - connection.heard > SILENT_SECONDS or now - connection.begun > BODY_SECONDS


_connections = _Connections()


def bound_connections() -> None:
    """Change uvicorn's protocols, once, before the server opens its port; and let this process open what the system allows."""
    raise_descriptor_limit()
    if hasattr(AutoHTTPProtocol, "bounded"):
        return
    AutoHTTPProtocol.bounded = True
    for kind in (AutoHTTPProtocol, WebSocketsSansIOProtocol):
        kind.connection_made = _made(kind.connection_made)
        kind.connection_lost = _lost(kind.connection_lost)
        kind.data_received = _received(kind.data_received)
    for name in ("handle_cont", "handle_ping", "handle_pong"):
        setattr(WebSocketsSansIOProtocol, name, _counted(getattr(WebSocketsSansIOProtocol, name)))
    for name in ("handle_text", "handle_bytes"):
        setattr(WebSocketsSansIOProtocol, name, _counted(getattr(WebSocketsSansIOProtocol, name), afresh=True))


def raise_descriptor_limit() -> None:
    """Let this process open as many files and sockets as its account may."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def most_connections(address: str = "") -> int:
    """How many connections may be open: of one address, or of all without it. Files of this process always find descriptors."""
    most = limits.value("connections")
    with contextlib.suppress(ImportError, OSError):
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY:
            most = min(most, max(soft - _DESCRIPTORS, soft // 2))
    return min(limits.value("connections_per_address"), most // 2) if address else most


def _is_asking(protocol: Any) -> bool:
    """Whether a request has begun whose answer has not ended."""
    return protocol.cycle is not None and not protocol.cycle.response_complete


def _is_coming(protocol: Any) -> bool:
    """Whether headers or a body are to come; not in the pause after an answer, which uvicorn bounds itself."""
    return protocol.cycle.more_body if _is_asking(protocol) else protocol.timeout_keep_alive_task is None


def _made(original: Callable) -> Callable:
    @wraps(original)
    def connection_made(self: Any, transport: Any) -> None:
        original(self, transport)
        self.app_state = {**self.app_state, PEER: (self.client, self.scheme)}
        if isinstance(self, WebSocketsSansIOProtocol):
            self.conn.max_message_size = limits.value("message_kb") * 1000
        else:  # which program serves is nobody's business
            self.config.encoded_headers = _unnamed(self.config.encoded_headers)
            self.server_state.default_headers = _unnamed(self.server_state.default_headers)
        _connections.add(self)

    return connection_made


def _unnamed(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    return [header for header in headers if header[0] != b"server"]


def _lost(original: Callable) -> Callable:
    @wraps(original)
    def connection_lost(self: Any, error: Exception | None) -> None:
        _connections.remove(self)
        original(self, error)

    return connection_lost


def _received(original: Callable) -> Callable:
    @wraps(original)
    def data_received(self: Any, data: bytes) -> None:
        is_websocket = isinstance(self, WebSocketsSansIOProtocol)
        for piece in _pieces(data) if is_websocket else [data]:
            if self.transport.is_closing():
                return
            original(self, piece)
            if not _connections.heard(self):
                self.transport.abort()
                while is_websocket and not self.queue.empty():
                    self.queue.get_nowait()  # else they are taken at their pace, and the server cannot end meanwhile

    return data_received


def _pieces(data: bytes) -> Iterator[bytes]:
    return (data[at : at + _PIECE] for at in range(0, len(data), _PIECE))


def _counted(original: Callable, afresh: bool = False) -> Callable:
    """A handler of frames that counts them; afresh: it begins a message."""

    @wraps(original)
    def handle(self: Any, *frame: Any) -> None:
        connection = _connections.known.get(self.transport)
        if connection is not None:
            connection.frames = 0 if afresh else connection.frames + 1
        original(self, *frame)

    return handle

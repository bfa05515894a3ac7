"""What a connection may hold before Streamlit sees any of it: bytes of a message that has not ended, and time.

uvicorn bounds neither, so a client without a cookie could fill the memory with messages that never end, or take all descriptors
of this process with requests that never begin. So the server gets these two protocols, which count: connections by network
address, and the bytes of unfinished messages by connection, by address and in all.

A proxy in front is one address here; it bounds its visitors itself (docs/nginx.conf). ``pages_per_address`` counts by visitor.
"""

import asyncio
import contextlib
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tsk_core import limits
from ui.platform.web.identity import network_of

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

    protocol: "_Bounded"
    address: str
    begun: float
    heard: float
    has_headers: bool = False  # what is unfinished is a body
    pending: int = 0  # bytes of a message that has not ended


@dataclass
class _Connections:
    """All connections of this server, by their transports."""

    known: dict[Any, _Connection] = field(default_factory=dict)
    by_address: Counter[str] = field(default_factory=Counter)
    pending: Counter[str] = field(default_factory=Counter)  # bytes of unfinished messages by address
    looks: bool = False
    applied: bool = False  # whether the server has the protocols below

    def add(self, protocol: "_Bounded") -> None:
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

    def remove(self, protocol: "_Bounded") -> None:
        """A connection was closed."""
        connection = self.known.pop(protocol.transport, None)
        if connection is not None:
            self.hold(connection, 0)
            self.by_address[connection.address] -= 1
            self.by_address += Counter()  # without those that have none left
            self.pending += Counter()

    def heard(self, protocol: "_Bounded") -> bool:
        """Bytes came in and were parsed; whether the connection may go on."""
        connection = self.known.get(protocol.transport)
        if connection is None:
            return False
        if connection.protocol is not protocol:  # it has just become a websocket, which was asked already
            return True
        connection.heard = time.monotonic()
        return protocol.is_within_bounds(connection)

    def hold(self, connection: _Connection, pending: int) -> None:
        """So many bytes of the connection belong to a message that has not ended."""
        self.pending[connection.address] += pending - connection.pending
        connection.pending = pending

    def has_room(self, connection: _Connection) -> bool:
        """Whether the unfinished messages of its address, and of all, are small enough for this one to go on."""
        most = limits.value("unfinished_mb") * 1_000_000
        fits = self.pending[connection.address] <= most // 2 and self.pending.total() <= most
        return fits or connection.pending <= _SMALL

    def _look(self) -> None:
        """Abort what takes too long."""
        now = time.monotonic()
        for transport, connection in list(self.known.items()):
            if connection.begun and connection.protocol.is_late(connection, now):
                transport.abort()
        self.looks = bool(self.known)
        if self.looks:
            asyncio.get_running_loop().call_later(_LOOK, self._look)


_connections = _Connections()


class _Bounded(asyncio.Protocol):
    """A protocol of uvicorn whose connections are counted. transport, client: as uvicorn sets them."""

    transport: Any
    client: tuple[str, int] | None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        _connections.add(self)

    def connection_lost(self, error: Exception | None) -> None:
        _connections.remove(self)
        super().connection_lost(error)

    def is_within_bounds(self, connection: _Connection) -> bool:
        """Whether the connection may go on after what was parsed last."""
        raise NotImplementedError

    def is_late(self, connection: _Connection, now: float) -> bool:
        """Whether what is unfinished has taken too long."""
        raise NotImplementedError


class BoundedHTTP(_Bounded, AutoHTTPProtocol):  # type: ignore[misc,valid-type]  # uvicorn chooses it when it is imported
    """HTTP as uvicorn has it; headers and bodies that do not end in time end their connection."""

    def data_received(self, data: bytes) -> None:
        """Parse what arrived, then look whether the connection may go on."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        if not _connections.heard(self):
            self.transport.abort()

    def is_within_bounds(self, connection: _Connection) -> bool:
        """Always, until ``is_late``; notes since when something is unfinished."""
        if not self._is_coming():
            connection.begun = 0.0
        elif not connection.begun or connection.has_headers != self._is_asking():
            connection.begun, connection.has_headers = connection.heard, self._is_asking()
        return True

    def is_late(self, connection: _Connection, now: float) -> bool:
        """Whether headers or a body take too long."""
        if not self._is_coming():  # its answer is under way, or the next request has not begun
            connection.begun = 0.0
            return False
        if not self._is_asking():
            return now - connection.begun > HEADER_SECONDS
        return now - connection.heard > SILENT_SECONDS or now - connection.begun > BODY_SECONDS

    def _is_asking(self) -> bool:
        """Whether a request has begun whose answer has not ended."""
        return self.cycle is not None and not self.cycle.response_complete

    def _is_coming(self) -> bool:
        """Whether headers or a body are to come; not in the pause after an answer, which uvicorn bounds itself."""
        return self.cycle.more_body if self._is_asking() else self.timeout_keep_alive_task is None


class BoundedWebSocket(_Bounded, WebSocketsSansIOProtocol):
    """Websockets as uvicorn has them; messages that do not end, and frames that are none, end their connection."""

    _frames = 0  # that are no message, since the last one

    def data_received(self, data: bytes) -> None:
        """Parse what arrived in pieces, and look after each whether the connection may go on."""
        for at in range(0, len(data), _PIECE):
            if self.transport.is_closing():
                return
            super().data_received(data[at : at + _PIECE])
            if not _connections.heard(self):
                self.transport.abort()
                while not self.queue.empty():
                    self.queue.get_nowait()  # else they are taken at their pace, and the server cannot end meanwhile

    def handle_cont(self, event: Any) -> None:
        """A part of a message."""
        self._frames += 1
        super().handle_cont(event)

    def handle_ping(self) -> None:
        """A question whether somebody is there."""
        self._frames += 1
        super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        """The answer to one."""
        self._frames += 1
        super().handle_pong(event)

    def send_receive_event_to_app(self) -> None:
        """A message has ended."""
        self._frames = 0
        super().send_receive_event_to_app()

    def is_within_bounds(self, connection: _Connection) -> bool:
        """Whether frames, waiting messages and bytes of an unfinished one are few enough."""
        parsed = self.conn
        _connections.hold(connection, len(parsed.reader.buffer) + (parsed.current_size or 0) + _FRAME * len(self.frames))
        connection.begun = (connection.begun or connection.heard) if connection.pending else 0.0
        if self._frames > _FRAMES or self.queue.qsize() > _WAITING:
            return False
        return connection.pending <= limits.value("message_kb") * 1000 and _connections.has_room(connection)

    def is_late(self, connection: _Connection, now: float) -> bool:
        """Whether one message takes too long."""
        return now - connection.begun > MESSAGE_SECONDS


def apply_bounds() -> None:
    """For the server that has these protocols, before it starts: let it open as many files and sockets as its account may."""
    _connections.applied = True
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def are_bounds_applied() -> bool:
    """Whether the server of this process has these protocols."""
    return _connections.applied


def most_connections(address: str = "") -> int:
    """How many connections may be open: of one address, or of all without it. Files of this process always find descriptors."""
    most = limits.value("connections")
    with contextlib.suppress(ImportError, OSError):
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY:
            most = min(most, max(soft - _DESCRIPTORS, soft // 2))
    return min(limits.value("connections_per_address"), most // 2) if address else most

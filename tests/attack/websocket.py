"""A websocket of plain bytes, for messages that no client library would send."""

import socket
import struct
from urllib.parse import urlsplit

MORE, BINARY, CLOSE, PING = 0, 2, 8, 9  # opcodes


def opened(address: str, path: str = "/_stcore/stream") -> socket.socket:
    """A connection to the app after its handshake; without cookies."""
    place = urlsplit(address)
    line = socket.create_connection((place.hostname, place.port), timeout=20)
    headers = {
        "Host": place.netloc, "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "streamlit",
    }  # fmt: skip
    line.sendall("\r\n".join([f"GET {path} HTTP/1.1", *map(": ".join, headers.items()), "", ""]).encode())
    head = b""
    while b"\r\n\r\n" not in head:
        head += line.recv(1)
    assert head.startswith(b"HTTP/1.1 101"), head
    return line


def frame(opcode: int, payload: bytes, last: bool = True) -> bytes:
    """One frame from a client, masked with zeros. last: the message ends with it."""
    size = len(payload)
    if size < 126:
        length = bytes([0x80 | size])
    else:
        length = b"\xfe" + struct.pack(">H", size) if size < 1 << 16 else b"\xff" + struct.pack(">Q", size)
    return bytes([opcode | 0x80 * last]) + length + bytes(4) + payload


def ended(line: socket.socket, seconds: float = 10) -> bool:
    """Whether the server ends the connection within so many seconds; it is closed in either case."""
    line.settimeout(seconds)
    with line:
        try:
            while line.recv(1 << 16):
                pass
        except TimeoutError:
            return False
        except OSError:
            return True
    return True

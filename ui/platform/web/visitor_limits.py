"""What a visitor may send: messages of a page, files, and what of it reaches the log.

**Messages** of Streamlit's protocol pass, of a size and as often as pages send them. Others act on the whole server, such as
the one that clears the caches of all sessions. Out go all, but the first one of a session without the script's path, the
versions and the id of this installation, which only help an attacker.

**Files.** Streamlit bounds each file, and here are the bytes of a session, of an address and of all. It keeps each file in
memory under an id that the browser makes up, so a client that makes up many of them fills it. What is held is asked of
Streamlit for each request: a file that was removed, or whose session ended, no longer counts.

**The log.** Streamlit logs each value that no widget has with the whole stack, 4 kB and more, so a visitor who sends many would
fill the disk. Errors take a few lines each.
"""

import asyncio
import logging
import re
import time
import traceback
from collections import Counter
from dataclasses import dataclass
from typing import Any

import streamlit
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tsk_core import limits
from ui.platform.streamlit_internals import BackMsg, ForwardMsg, config, runtime
from ui.platform.visitor import is_known
from ui.platform.web.files import path_of

# Messages.

ALLOWED = frozenset({"rerun_script", "stop_script", "file_urls_request", "app_heartbeat", "deferred_file", "dataframe_chunk"})
RATE, BURST = 30.0, 100  # messages a second that one page may send for long, and at once
_OPERATION = "backend_operation_request"  # several kinds in one message; some write into the server's folder
_VERSION = streamlit.__version__.encode()  # found in each first message, and in few others: those alone are read
_TOO_BIG, _TRIES_LATER = 1009, 429


def live_path() -> str:
    """The path of the live route (``ui.live.route``), whose websockets are not of Streamlit's protocol."""
    return path_of("live")


class MessageFilter:
    """Drops what is not allowed, and hides what need not be known. An address has a limited number of websockets of each kind."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._open: Counter[tuple[str, bool]] = Counter()  # websockets by address, and by whether they are of the live route

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        address, live = (scope.get("client") or ("",))[0], scope.get("path") == live_path()
        if self._open[address, live] >= limits.value("pages_per_address"):
            text = f"Your network address has {self._open[address, live]:,} pages open here; close one, or raise"
            refusal = PlainTextResponse(f"{text} {limits.LIMITS['pages_per_address'].variable}.", _TRIES_LATER)
            await refusal(scope, receive, send)
            return
        self._open[address, live] += 1
        try:
            await self._filter(scope, receive, send, live)
        finally:
            self._open[address, live] -= 1
            self._open += Counter()  # without those that have none left

    async def _filter(self, scope: Scope, receive: Receive, send: Send, live: bool) -> None:
        pace = _Pace()

        async def receive_allowed() -> Message:
            while True:
                message = await receive()
                if message["type"] != "websocket.receive":
                    return message
                await pace.wait()
                if live:
                    return message
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


# Files.

_UPLOAD = re.compile(r".*/_stcore/upload_file/([^/]+)/([^/]+)/?")
_FORBIDDEN, _TRIES_LATER, _TOO_LARGE = 403, 429, 413
_addresses: dict[tuple[str, str], str] = {}  # session and id of a file -> the address that it came from


def bound_files() -> None:
    """Tell Streamlit, whose own limit is in config.toml, how large a file may be; once, as the server starts."""
    config.set_option("server.maxUploadSize", limits.value("upload_mb"))


@dataclass(eq=False)
class _Upload:
    """A file that is coming in. size: bytes of it so far."""

    session: str
    file: str
    address: str
    size: int = 0


class UploadLimits:
    """Refuses files above the limits ``files…`` with a sentence, and stops reading one as soon as it is above them.

    held: () -> {(session, file id): bytes}, what the app has; of Streamlit's runtime where not given.
    """

    def __init__(self, app: ASGIApp, held: Any = None) -> None:
        self._app, self._held = app, held or _held
        self._coming: set[_Upload] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        match = _UPLOAD.fullmatch(scope.get("path", "")) if scope["type"] == "http" else None
        if match is None or scope["method"] not in ("PUT", "POST"):
            await self._app(scope, receive, send)
            return
        if not is_known(match[1]):
            await PlainTextResponse("Log in first.", _FORBIDDEN, {"Connection": "close"})(scope, receive, send)
            return
        upload = _Upload(match[1], match[2], (scope.get("client") or ("",))[0])
        refusal = self._refusal(upload, _declared(scope))
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        self._coming.add(upload)
        try:
            await self._read(upload, scope, receive, send)
        finally:
            self._coming.discard(upload)

    async def _read(self, upload: _Upload, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = None

        async def receive_counted() -> Message:
            nonlocal refusal
            message = await receive()
            upload.size += len(message.get("body", b""))
            if refusal is None:
                refusal = self._refusal(upload, 0)
            # The app drops a request whose client has gone.
            return message if refusal is None else {"type": "http.disconnect"}

        async def send_unless_refused(message: Message) -> None:
            if refusal is None:
                if message["type"] == "http.response.start" and message["status"] < 300:
                    _addresses[upload.session, upload.file] = upload.address
                await send(message)

        try:
            await self._app(scope, receive_counted, send_unless_refused)
        except Exception:
            if refusal is None:
                raise
        if refusal is not None:
            await refusal(scope, receive, send)

    def _refusal(self, upload: _Upload, declared: int) -> PlainTextResponse | None:
        """The answer that refuses a file of which ``declared`` more bytes are expected; None where it fits."""
        held = self._held()
        for known in _addresses.keys() - held.keys():
            del _addresses[known]
        files = Counter({file: size for file, size in held.items() if file != (upload.session, upload.file)})
        files.update({(other.session, other.file): other.size for other in self._coming if other is not upload})
        new = upload.size + declared
        mine = [file for file in files if file[0] == upload.session]
        if len(mine) >= limits.value("files_per_session"):
            return _refused(_TRIES_LATER, f"This page has {len(mine)} files on the server already", "files_per_session")
        shares = {
            "files_mb_per_session": ("This page has", sum(files[file] for file in mine)),
            "files_mb_per_address": ("Your network address has", self._of_address(upload, files)),
            "files_mb": ("The visitors of this server have", sum(files.values())),
        }
        for name, (who, size) in shares.items():
            if size + new > limits.value(name) * 1e6:
                code = _TOO_LARGE if new > limits.value(name) * 1e6 else _TRIES_LATER
                return _refused(code, f"{who} files of {size / 1e6:,.0f} MB here, of {limits.value(name):,} MB at most", name)
        return None

    def _of_address(self, upload: _Upload, files: Counter[tuple[str, str]]) -> int:
        coming = {(other.session, other.file): other.address for other in self._coming}
        return sum(size for file, size in files.items() if upload.address in (_addresses.get(file), coming.get(file)))


def uploading_sessions() -> set[str]:
    """The sessions that have files on the server."""
    return {session for session, _ in _held()}


def _held() -> dict[tuple[str, str], int]:
    """The size of each file that Streamlit holds, by session and file id."""
    if not runtime.exists():
        return {}
    storage = dict(getattr(runtime.get_instance().uploaded_file_mgr, "file_storage", {}))
    return {(session, name): len(file.data) for session, files in storage.items() for name, file in dict(files).items()}


def _declared(scope: Scope) -> int:
    length = dict(scope["headers"]).get(b"content-length", b"")
    return int(length) if length.isdigit() and len(length) < 19 else 0


def _refused(status: int, found: str, limit: str) -> PlainTextResponse:
    text = f"{found}; remove one, reload the page, or raise {limits.LIMITS[limit].variable}."
    return PlainTextResponse(text, status, {"Connection": "close"})


# The log.

FRAMES, LETTERS = 6, 2_000  # of a traceback, innermost first; of a record's message, and of its traceback

_make = logging.getLogRecordFactory()


def keep_log_short() -> None:
    """Shorten what this process logs from now on; calling it again does nothing."""
    logging.setLogRecordFactory(_short_record)


def _short_record(*args: Any, **named: Any) -> logging.LogRecord:
    record = _make(*args, **named)
    record.stack_info = None
    if record.exc_info and record.exc_info[1] is not None:
        text = "".join(traceback.format_exception(*record.exc_info, limit=-FRAMES)).rstrip()
        record.exc_text, record.exc_info = _shortened(text), None
    if len(message := record.getMessage()) > LETTERS:
        record.msg, record.args = _shortened(message), ()
    return record


def _shortened(text: str) -> str:
    """Its beginning and its end."""
    return text if len(text) <= LETTERS else f"{text[: LETTERS // 2]} … {text[-LETTERS // 2 :]}"

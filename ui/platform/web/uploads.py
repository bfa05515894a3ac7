"""How many bytes visitors may upload: Streamlit bounds each file, and here are those of a session, of an address and of all.

Streamlit keeps each file in memory under an id that the browser makes up, so a client that makes up many of them fills it. What
is held is asked of Streamlit for each request: a file that was removed, or whose session ended, no longer counts.
"""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tsk_core import limits
from ui.platform.account import is_known
from ui.platform.streamlit_internals import config, runtime

__all__ = ["UploadLimits", "bound_files", "uploading_sessions"]

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

    def _of_address(self, upload: _Upload, files: Counter) -> int:
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

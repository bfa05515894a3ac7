"""Which messages of Streamlit's protocol pass between a browser and the app.

In: what our pages send. Others act on the whole server, such as the one that clears the caches of all sessions. Out: all, but the
first one of a session without the script's path, the versions and the id of this installation, which only help an attacker.
"""

import streamlit
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.platform.streamlit_internals import BackMsg, ForwardMsg

__all__ = ["ALLOWED", "MessageFilter"]

ALLOWED = frozenset({"rerun_script", "stop_script", "file_urls_request", "app_heartbeat", "deferred_file", "dataframe_chunk"})
_OPERATION = "backend_operation_request"  # several kinds in one message; some write into the server's folder
_VERSION = streamlit.__version__.encode()  # found in each first message, and in few others: those alone are read


class MessageFilter:
    """Drops what is not allowed, and hides what need not be known."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return

        async def receive_allowed() -> Message:
            while not _is_allowed(message := await receive()):
                pass
            return message

        async def send_hidden(message: Message) -> None:
            data = message.get("bytes")
            if data and _VERSION in data:
                message = {**message, "bytes": _hidden(data)}
            await send(message)

        await self._app(scope, receive_allowed, send_hidden)


def _is_allowed(message: Message) -> bool:
    """Whether the app may get it; what is no message of the protocol passes, and Streamlit closes the connection."""
    data = message.get("bytes")
    if message["type"] != "websocket.receive" or not data:
        return True
    try:
        sent = BackMsg.FromString(data)
    except Exception:
        return True
    kind = sent.WhichOneof("type")
    if kind == _OPERATION:
        kind = sent.backend_operation_request.WhichOneof("payload")
    return kind is None or kind in ALLOWED


def _hidden(data: bytes) -> bytes:
    message = ForwardMsg.FromString(data)
    if message.WhichOneof("type") != "new_session":
        return data
    first = message.new_session
    first.main_script_path = "app.py"
    first.initialize.environment_info.Clear()
    first.initialize.user_info.Clear()
    return message.SerializeToString()

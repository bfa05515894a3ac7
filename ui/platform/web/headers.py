"""Headers that tell browsers what other pages may do with ours.

TSK_FRAME_ANCESTORS: the origins whose pages may show the app in a frame, such as "https://moodle.example.edu", separated by
spaces; our own pages always may.
"""

import os
import re

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tsk_core.errors import SettingError

__all__ = ["SecurityHeaders", "frame_ancestors"]

VARIABLE = "TSK_FRAME_ANCESTORS"
_ORIGIN = re.compile(r"\*|https?:|https?://[\w.*\[\]:-]+")


def frame_ancestors() -> list[str]:
    """The foreign origins of TSK_FRAME_ANCESTORS; SettingError where one is not an origin."""
    origins = os.environ.get(VARIABLE, "").split()
    for origin in origins:
        if not _ORIGIN.fullmatch(origin):
            raise SettingError(
                f"The environment variable {VARIABLE} has {origin!r}; give origins such as https://moodle.example.edu, separated"
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

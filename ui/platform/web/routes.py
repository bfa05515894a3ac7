"""Routes of Streamlit that no visitor needs."""

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["CLOSED", "ClosedRoutes"]

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

"""What stands between the network and Streamlit: ASGI middleware, each with one subject.

It runs before Streamlit's own routes, in the server's event loop, so nothing here waits or opens a file.
"""

from starlette.middleware import Middleware

from ui.web.headers import SecurityHeaders
from ui.web.messages import MessageFilter
from ui.web.origins import SameOrigin
from ui.web.owner_cookie import OwnerCookie
from ui.web.routes import ClosedRoutes
from ui.web.session_ends import SessionEnds
from ui.web.uploads import UploadLimits

__all__ = ["middleware"]


def middleware() -> list[Middleware]:
    """The middleware of the app, outermost first."""
    parts = (SecurityHeaders, SameOrigin, ClosedRoutes, OwnerCookie, MessageFilter, UploadLimits, SessionEnds)
    return [Middleware(part) for part in parts]

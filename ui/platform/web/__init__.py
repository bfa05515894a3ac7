"""What stands between the network and Streamlit: ASGI middleware, each with one subject.

It runs before Streamlit's own routes, in the server's event loop, so nothing here waits or opens a file.
"""

import logging

from starlette.middleware import Middleware

from tsk_core import limits
from ui.platform.short_log import keep_log_short
from ui.platform.streamlit_internals import replace
from ui.platform.web.compressed import CompressedFiles
from ui.platform.web.downloads import Downloads
from ui.platform.web.headers import SecurityHeaders
from ui.platform.web.messages import MessageFilter
from ui.platform.web.origins import SameOrigin, check_hosts_here
from ui.platform.web.owner_cookie import OwnerCookie
from ui.platform.web.protocols import are_bounds_applied
from ui.platform.web.routes import ClosedRoutes
from ui.platform.web.server_address import ServerAddress
from ui.platform.web.session_ends import SessionEnds
from ui.platform.web.uploads import UploadLimits, bound_files
from ui.platform.web.visitor_address import VisitorAddress

__all__ = ["middleware"]

_log = logging.getLogger("tsk_explorer")


def middleware() -> list[Middleware]:
    """The middleware of the app, outermost first; once, as the server starts."""
    limits.check_environment()
    keep_log_short()
    if not are_bounds_applied():
        _log.warning("This server bounds no connections; start it with tsk-explorer, or python -m tsk_core serve.")
    bound_files()
    check_hosts_here()
    replace(Downloads)
    access = (VisitorAddress, SecurityHeaders, SameOrigin, ClosedRoutes, OwnerCookie)
    parts = (*access, MessageFilter, UploadLimits, SessionEnds, ServerAddress, CompressedFiles)
    return [Middleware(part) for part in parts]

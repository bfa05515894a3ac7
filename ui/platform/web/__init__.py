"""What stands between the network and Streamlit: ASGI middleware, each with one subject.

It runs before Streamlit's own routes, in the server's event loop, so nothing here waits or opens a file.
"""

import logging

from starlette.middleware import Middleware

from tsk_core import limits
from ui.platform.streamlit_internals import replace
from ui.platform.web.files import CompressedFiles, ServerAddress
from ui.platform.web.identity import OwnerCookie, VisitorAddress
from ui.platform.web.origins import ClosedRoutes, SameOrigin, SecurityHeaders, check_hosts_here
from ui.platform.web.protocols import are_bounds_applied
from ui.platform.web.sessions import Downloads, SessionEnds
from ui.platform.web.visitor_limits import MessageFilter, UploadLimits, bound_files, keep_log_short

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

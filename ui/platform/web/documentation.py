"""The documentation site, as ``make docs`` builds it, at ``/docs``."""

from pathlib import Path
from urllib.parse import urljoin

from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.platform.assets import STATIC
from ui.platform.streamlit_internals import config
from ui.platform.web.compressed import CompressedFiles

__all__ = ["SITE", "Documentation", "documentation_address"]

SITE = STATIC / "docs"
_NOT_BUILT = "The documentation is not built on this server; `make docs` in the project's folder builds it."
_NO_PAGE = "The documentation has no such page. Its first page is at {}."


class Documentation:
    """Serves the site below ``/docs``; everything else goes on to the app. site: its folder, which need not exist."""

    def __init__(self, app: ASGIApp, site: Path = SITE) -> None:
        self._app = app
        self._root = "/".join(["", *filter(None, [config.get_option("server.baseUrlPath").strip("/")]), "docs"])
        self._files = StaticFiles(directory=site, html=True, check_dir=False)
        self._compressed = CompressedFiles(self._files, folder="/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        path = scope.get("path", "")
        if scope["type"] != "http" or not f"{path}/".startswith(f"{self._root}/"):
            await self._app(scope, receive, send)
            return
        if path == self._root:  # the links of a page are relative to its folder
            await RedirectResponse("docs/")(scope, receive, send)
            return
        try:
            await self._files.check_config()
        except RuntimeError:  # the folder does not exist
            await PlainTextResponse(_NOT_BUILT, 404)(scope, receive, send)
            return
        try:
            await self._compressed({**scope, "root_path": self._root}, receive, send)
        except HTTPException as refused:
            await PlainTextResponse(_NO_PAGE.format(f"{self._root}/"), refused.status_code)(scope, receive, send)


def documentation_address(page: str) -> str:
    """Where the site is, absolute. page: the address of a page of the app, absolute."""
    return urljoin(page, "docs/")

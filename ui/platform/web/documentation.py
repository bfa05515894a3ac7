"""The documentation site, as ``make docs`` builds it, at ``/docs``."""

from pathlib import Path
from urllib.parse import urljoin

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from ui.platform.assets import STATIC
from ui.platform.streamlit_internals import config

__all__ = ["SITE", "documentation_address", "documentation_routes", "is_documentation"]

SITE = STATIC / "docs"
_NOT_BUILT = "The documentation is not built on this server; `make docs` in the project's folder builds it."
_NO_PAGE = "The documentation has no such page. Its first page is at {}."


def documentation_routes(site: Path = SITE) -> list[BaseRoute]:
    """What ``st.App`` serves below ``/docs``. site: its folder, which need not exist."""
    return [Route(_root(), _to_folder), Mount(_root(), _Site(directory=site, html=True, check_dir=False))]


def is_documentation(path: str) -> bool:
    """Whether a path is one of the site: its pages open no session, so they need no cookie and no address of a server."""
    return f"{path}/".startswith(f"{_root()}/")


def documentation_address(page: str) -> str:
    """Where the site is, absolute. page: the address of a page of the app, absolute."""
    return urljoin(page, "docs/")


class _Site(StaticFiles):
    """Files of a folder; what is none of them is refused with a sentence. Streamlit's middleware compresses them."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self.check_config()
        except RuntimeError:  # the folder does not exist
            await PlainTextResponse(_NOT_BUILT, 404)(scope, receive, send)
            return
        try:
            await super().__call__(scope, receive, send)
        except HTTPException as refused:
            await PlainTextResponse(_NO_PAGE.format(f"{_root()}/"), refused.status_code)(scope, receive, send)


async def _to_folder(_: Request) -> Response:
    return RedirectResponse("docs/")  # the links of a page are relative to its folder


def _root() -> str:
    return "/".join(["", *filter(None, [config.get_option("server.baseUrlPath").strip("/")]), "docs"])

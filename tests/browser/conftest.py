"""The app in a process of its own, and a browser that tells on it: no request may leave the machine, no error be logged."""

from contextlib import contextmanager
from types import MappingProxyType
from urllib.parse import urlsplit

import pytest

from tests.chromium import PATIENCE, browser
from tests.load.server import Server
from tests.trained import put_into
from tsk_core.jobs.control import Control

__all__ = ["browser", "folder", "page", "returning", "server", "serving", "trouble", "visit"]


LOCAL = ("127.0.0.1", "localhost")
FAILED = pytest.StashKey()
OF_A_PAGE = {"viewport", "color_scheme", "reduced_motion"}  # what a page can be given, too, not only a browser's context


@pytest.fixture(scope="package")
def folder(tmp_path_factory):
    """Where the app keeps its runs, in ``runs``, with the trained ones, and its log."""
    folder = tmp_path_factory.mktemp("browser")
    put_into(folder / "runs")
    return folder


@pytest.fixture(scope="package")
def server(folder, browser):
    """The address of the app."""
    with serving(folder) as address:
        yield address


@contextmanager
def serving(folder, command=None, variables=MappingProxyType({})):
    """The address of the app; at the end it has to take all its processes along.

    folder: for its runs and its log. command: Python's arguments, but for the port; None as ``Server`` starts it. variables: of
    its environment.
    """
    with Server(folder, command=command, TSK_WORKERS="1", **variables) as server:
        yield server.address
        assert not server.end(), "the app left processes behind"
        assert "The page failed" not in (log := server.log.read_text()), log


class Trouble(list):
    """What a browser noticed that no visit may have."""

    def watch(self, visitor):
        """Note what happens in a browser's context from now on."""
        visitor.on("request", self._request)
        visitor.on("requestfailed", self._failure)
        visitor.on("response", self._response)
        visitor.on("console", self._message)
        visitor.on("dialog", self._dialog)
        visitor.on("weberror", lambda error: self.append(f"script: {error.error}"))

    def socket(self, socket):
        if urlsplit(socket.url).hostname not in LOCAL:
            self.append(f"left the machine: {socket.url}")

    def _request(self, request):
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob") and address.hostname not in LOCAL:
            self.append(f"left the machine: {request.url}")

    def _failure(self, request):
        if request.failure != "net::ERR_ABORTED":  # by the browser itself, where it leaves a page
            self.append(f"failed: {request.url} {request.failure}")

    def _response(self, response):
        if response.status >= 400:
            self.append(f"status {response.status}: {response.url}")

    def _message(self, message):
        if message.type == "error":
            self.append(f"console: {message.text} {message.location}")

    def _dialog(self, dialog):
        self.append(f"dialog: {dialog.message}")
        dialog.dismiss()


@pytest.fixture(scope="module")
def trouble():
    """What is noticed in the test that runs."""
    return Trouble()


@pytest.fixture(scope="module")
def returning(browser, server, trouble):
    """A browser's context that keeps the files it has fetched: a new one takes two seconds longer to show a page."""
    returning = _new_visitor(browser, server, trouble, {})
    yield returning
    returning.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Note for ``visit`` whether the test failed."""
    report = yield
    if call.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture
def visit(browser, server, returning, trouble, request):
    """A function that opens a path of the app as a visitor of its own; what the browser noticed is judged at the end."""
    visitors = []
    trouble.clear()

    def visit(path="/", **options):
        fresh = bool(visitors) or not options.keys() <= OF_A_PAGE
        visitor = _new_visitor(browser, server, trouble, options) if fresh else returning
        visitors.append(visitor)
        page = visitor.new_page()
        if not fresh:
            _clear_site_data(page, server)
            _set_page(page, **options)
        page.on("websocket", trouble.socket)
        page.goto(path)
        return page

    yield visit
    for visitor in visitors:
        if visitor is returning:
            for page in visitor.pages:
                page.close()
        else:
            visitor.close()
    if request.node.stash.get(FAILED, False):
        _stop_runs(request.getfixturevalue("folder") / "runs")
    assert not trouble


def _stop_runs(folder):
    """End what a test that failed left training: the next one, perhaps the same again, needs the only worker."""
    for file in folder.glob("*/config.json"):
        if not (file.parent / "ended.json").exists():
            Control(file.parent).stop()


def _new_visitor(browser, server, trouble, options):
    """A browser's context that knows nothing of the app."""
    visitor = browser.new_context(base_url=server, **options)
    visitor.set_default_timeout(PATIENCE)
    trouble.watch(visitor)
    return visitor


def _clear_site_data(page, server):
    """Let nothing of the visitor before be known to the app: cookies, storage and permissions go, only fetched files stay."""
    page.context.clear_cookies()
    page.context.clear_permissions()
    storage = page.context.new_cdp_session(page)
    storage.send("Storage.clearDataForOrigin", {"origin": server, "storageTypes": "local_storage,indexeddb,service_workers"})
    storage.detach()


def _set_page(page, viewport=None, **media):
    """Give a page what is otherwise given to a new context."""
    if viewport:
        page.set_viewport_size(viewport)
    if media:
        page.emulate_media(**media)


@pytest.fixture
def page(visit):
    """The app as a new visitor sees it."""
    return visit()

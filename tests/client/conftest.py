"""A blank page in a real browser that holds the JavaScript of ``ui/client``, and nothing of the app around it."""

import json
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.chromium import PATIENCE, browser
from ui.platform.assets import CLIENT, PLOTLY

__all__ = ["Client", "address", "browser", "client", "own_tab", "phone", "tab", "touch"]


STYLES = "".join(f"<link rel=stylesheet href=/client/{name}.css>" for name in ("client", "stage"))
BLANK = f"<!doctype html>{STYLES}<main id=place></main>"
SIZE, PHONE = {"width": 1280, "height": 720}, {"width": 390, "height": 844}
FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))"


class Files(SimpleHTTPRequestHandler):
    """The blank page, the modules, and Plotly; the browser keeps them, so that a page opens anew without asking again."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):  # noqa: N802
        path = self.path.partition("?")[0]
        if path == "/":
            return self._answer(200, BLANK.encode(), "text/html")
        file = PLOTLY.get(path[1:], CLIENT / path.removeprefix("/client/"))
        if ".." in path or not file.is_file():
            return self._answer(204, b"", "text/plain")  # such as an icon
        return self._answer(200, file.read_bytes(), self.guess_type(file))

    def _answer(self, status, body, kind):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=3600")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Say nothing."""


class Client:
    """The page, as ``page``. address: of its files. size: of its window once it is opened."""

    def __init__(self, page, address, size=SIZE):
        self.page, self.address, self.size = page, address, size

    def open(self):
        """Begin anew, with modules that know of nothing; the browser keeps the files, so that this takes a tenth of a second."""
        self.page.goto(self.address)
        self.page.set_viewport_size(self.size)
        return self

    def run(self, body, *given):
        """Run lines of JavaScript, which see ``given`` and can import from ``/client/``; what they return is JSON-ready."""
        return self.page.evaluate(f"async (given) => {{ {body} }}", list(given))

    def receive(self, message):
        """Let a message of the server arrive."""
        text = json.dumps(message, allow_nan=False)
        return self.run('return (await import("/client/client.js")).receive(JSON.parse(given[0]));', text)

    def select(self, index):
        """Select an epoch by its position, None for the newest; and let the page draw it."""
        self.run(f'(await import("/client/core/store.js")).selectEpoch(given[0]); await {FRAMES};', index)

    def frames(self):
        """Let the page draw whatever it has to."""
        self.page.evaluate(FRAMES)


@pytest.fixture(scope="session")
def address():
    """Where a server has the files of the page, as long as the tests run."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Files) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextmanager
def own_tab(browser, address, **how):
    """A tab of a browser that has seen nothing yet, and a list of what its pages complained of."""
    trouble = []
    context = browser.new_context(**how)
    context.set_default_timeout(PATIENCE)
    context.on("weberror", lambda error: trouble.append(f"script: {error.error}"))
    context.on("console", lambda message: trouble.append(f"console: {message.text}") if message.type == "error" else None)
    own = (address, "data:", "blob:")
    context.on("request", lambda request: None if request.url.startswith(own) else trouble.append(request.url))
    yield context.new_page(), trouble
    context.close()


@pytest.fixture(scope="package")
def tab(browser, address):
    """One for all modules: a new one compiles the modules and Plotly anew, which takes seconds."""
    with own_tab(browser, address) as tab:
        yield tab


@pytest.fixture(scope="module")
def client(tab, address):
    """A Client for the tests of a module; whatever its page complained of fails them."""
    page, trouble = tab
    yield Client(page, address).open()
    assert not trouble


@pytest.fixture
def phone(client):
    """The page on a screen of 390 × 844 pixels."""
    client.size = PHONE
    yield client
    client.size = SIZE


@pytest.fixture
def touch(browser, address):
    """A phone with a screen to touch."""
    with own_tab(browser, address, has_touch=True, viewport=PHONE) as (page, trouble):
        yield Client(page, address, PHONE)
        assert not trouble

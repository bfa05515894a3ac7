"""A blank page in a real browser that holds the JavaScript of ``ui/client``, and nothing of the app around it."""

import json
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.chromium import PATIENCE, browser
from ui.platform.assets import CLIENT, PLOTLY

__all__ = ["Client", "address", "browser", "client", "own_tab", "phone", "tab"]

BLANK = "<!doctype html><link rel=stylesheet href=/client/client.css><main id=place></main>"

# A number that is none has no JSON; it would silently become null.
CALL = """async ([file, name, given]) => {
  const module = await import(`/client/${file}`);
  const value = await module[name](...JSON.parse(given));
  const finite = (key, part) => {
    if (typeof part === "number" && !Number.isFinite(part)) throw new Error(`${name}: ${key} is ${part}`);
    return part;
  };
  return JSON.stringify(value ?? null, finite);
}"""


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
    """The page, as ``page``, and what its modules export. address: of its files."""

    def __init__(self, page, address):
        self.page, self.address = page, address

    def open(self):
        """Begin anew: a blank page whose modules know of nothing."""
        self.page.goto(self.address)
        return self

    def call(self, file, name, *given):
        """What the function of this name in ``ui/client/<file>`` makes of JSON-ready values; fails on NaN and infinity."""
        return json.loads(self.page.evaluate(CALL, [file, name, json.dumps(given, allow_nan=False)]))

    def run(self, body, *given):
        """Run lines of JavaScript, which see ``given`` and can import from ``/client/``; what they return is JSON-ready."""
        return self.page.evaluate(f"async (given) => {{ {body} }}", list(given))


@pytest.fixture(scope="session")
def address():
    """Where a server has the files of the page, as long as the tests run."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Files) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextmanager
def own_tab(browser, address):
    """A tab of a browser that has seen nothing yet, and a list of what its pages complained of."""
    trouble = []
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    context.on("weberror", lambda error: trouble.append(f"script: {error.error}"))
    context.on("console", lambda message: trouble.append(f"console: {message.text}") if message.type == "error" else None)
    context.on("request", lambda request: trouble.append(request.url) if _elsewhere(request.url, address) else None)
    yield context.new_page(), trouble
    context.close()


@pytest.fixture(scope="package")
def tab(browser, address):
    """One for all modules: a new one compiles the modules and Plotly anew, which takes seconds."""
    with own_tab(browser, address) as tab:
        yield tab


@pytest.fixture(scope="module")
def client(tab, address):
    """A Client for the tests of a module, on a blank page; whatever its page complained of fails them."""
    page, trouble = tab
    page.set_viewport_size({"width": 1280, "height": 720})
    yield Client(page, address).open()
    assert not trouble


def _elsewhere(url, address):
    return not url.startswith((address, "data:", "blob:"))


@pytest.fixture
def phone(client):
    """The page on a screen of 390 × 844 pixels."""
    size = client.page.viewport_size
    client.page.set_viewport_size({"width": 390, "height": 844})
    yield client
    client.page.set_viewport_size(size)

"""A blank page in a real browser that holds the JavaScript of ``ui/client``, and nothing of the app around it."""

import json
from pathlib import Path
from urllib.parse import urlsplit

import plotly
import pytest

from tests.chromium import PATIENCE, browser
from ui.live import CLIENT

__all__ = ["Client", "browser", "client", "phone"]

HOST = "http://client.test"  # of no machine: every request is answered here
PLOTLY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
BLANK = "<!doctype html><link rel=stylesheet href=/client/client.css><main id=place></main>"
KINDS = {".js": "text/javascript", ".css": "text/css"}

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


class Client:
    """The page, as ``page``, and what its modules export."""

    def __init__(self, page):
        self.page = page

    def open(self):
        """Begin anew: a blank page whose modules know of nothing."""
        self.page.goto(HOST)
        return self

    def call(self, file, name, *given):
        """What the function of this name in ``ui/client/<file>`` makes of JSON-ready values; fails on NaN and infinity."""
        return json.loads(self.page.evaluate(CALL, [file, name, json.dumps(given, allow_nan=False)]))

    def run(self, body, *given):
        """Run lines of JavaScript, which see ``given`` and can import from ``/client/``; what they return is JSON-ready."""
        return self.page.evaluate(f"async (given) => {{ {body} }}", list(given))


@pytest.fixture(scope="module")
def client(browser):
    """A Client for the tests of a module; whatever its page complained of fails them."""
    trouble = []
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    context.on("weberror", lambda error: trouble.append(f"script: {error.error}"))
    context.on("console", lambda message: trouble.append(f"console: {message.text}") if message.type == "error" else None)
    context.route("**/*", _answer)
    yield Client(context.new_page()).open()
    context.close()
    assert not trouble


def _answer(route):
    path = urlsplit(route.request.url).path
    if path == "/":
        return route.fulfill(body=BLANK, content_type="text/html")
    file = PLOTLY if path == "/plotly.min.js" else CLIENT / path.removeprefix("/client/")
    if not route.request.url.startswith(HOST) or not file.is_file():
        return route.fulfill(status=204)  # such as an icon
    return route.fulfill(path=file, content_type=KINDS[file.suffix])


@pytest.fixture
def phone(client):
    """The page on a screen of 390 × 844 pixels."""
    size = client.page.viewport_size
    client.page.set_viewport_size({"width": 390, "height": 844})
    yield client
    client.page.set_viewport_size(size)

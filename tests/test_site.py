"""The documentation site: it builds without a warning and without the network, and no link of it leads nowhere."""

import re
import subprocess
import sys
import threading
import time
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import uvicorn
from playwright.sync_api import expect
from starlette.applications import Starlette
from starlette.middleware import Middleware

from tests.chromium import running
from tests.network import free_port
from tsk_core.data.gallery import GALLERY
from ui.platform.web.files import documentation_routes
from ui.platform.web.origins import SecurityHeaders

ROOT = Path(__file__).parents[1]
LOADS = {  # while a page is shown
    "script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "form": "action",
}  # fmt: skip


class Page(HTMLParser):
    """What a page of HTML has: ids, links, what it loads, and text."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads, self.text, self.formulas = set(), [], [], [], 0
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        has = dict(attrs)
        self.ids |= {has["id"]} if has.get("id") else set()
        self.formulas += tag == "math"
        if tag == "a" and has.get("href"):
            self.links.append(has["href"])
        if tag in LOADS and has.get(LOADS[tag]) and has.get("rel") not in ("index", "search", "next", "prev"):
            self.loads.append(has[LOADS[tag]])

    def handle_data(self, data):
        self.text.append(data)


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site, built in the same way as by ``make docs``, in a process that cannot reach the network."""
    out, doctrees = (tmp_path_factory.mktemp(name) for name in ("site", "doctrees"))
    offline = "import runpy, socket; socket.socket.connect = None; runpy.run_module('sphinx', None, '__main__', True)"
    (options,) = re.findall(r"-m sphinx (.*) --doctree-dir", (ROOT / "Makefile").read_text())
    command = [sys.executable, "-c", offline, *options.split(), "--doctree-dir", doctrees, "docs", out]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="module")
def pages(site):
    """Each page by its path."""
    return {path: Page(path) for path in site.rglob("*.html")}


def test_each_page_of_the_docs_is_on_the_site_and_each_table_in_its_gallery(site, pages):
    sources = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    assert sources <= {path.relative_to(site) for path in pages}
    assert {"changelog", "contributing", "security", "conduct"} <= {path.stem for path in (site / "project").iterdir()}
    assert "--fail-on-warning" in (ROOT / "Makefile").read_text()
    text = " ".join(pages[site / "gallery.html"].text)
    assert [name for name in GALLERY if f'load_dataset("{name}")' not in text] == []


def test_no_link_is_dead(pages):
    dead = []
    for path, page in pages.items():
        for link in {*page.links, *page.loads}:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists() or (parts.fragment and unquote(parts.fragment) not in pages[target].ids):
                dead.append(f"{path.name}: {link}")
    assert dead == []


def test_a_page_loads_nothing_from_elsewhere(site, pages):
    assert [load for page in pages.values() for load in page.loads if urlsplit(load).netloc] == []
    styles = [path.read_text(encoding="utf-8") for path in site.rglob("*.css")]
    named = [url for style in styles for url in re.findall(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)", style)]
    assert [url for found in named for url in found if urlsplit(url).netloc] == []


def test_the_reference_has_each_public_name_with_its_settings_and_formulas_are_drawn_by_the_browser_itself(site, pages):
    reference = {name for path, page in pages.items() if path.parent.name == "api" for name in page.ids}
    stub = (ROOT / "tsk_core/__init__.pyi").read_text(encoding="utf-8")
    assert {f"tsk_core.{name}" for name in re.findall(r" as (\w+)$", stub, re.MULTILINE)} <= reference
    assert "How strongly training makes all rules fire equally" in " ".join(pages[site / "api/TSKClassifier.html"].text)
    method = pages[site / "method.html"]
    assert method.formulas > 60
    assert not re.search(r"\\(frac|sum|bar|sigma)\b", " ".join(method.text))


@pytest.fixture
def address(site):
    """The site as the app serves it, with the same headers."""
    app = Starlette(routes=documentation_routes(site), middleware=[Middleware(SecurityHeaders)])
    server = uvicorn.Server(uvicorn.Config(app, port=(port := free_port()), log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}/docs/"
    server.should_exit = True
    thread.join()


@pytest.mark.browser
def test_search_finds_what_is_written_for_readers_first_and_asks_nobody_else(address):
    with running() as browser:
        page = browser.new_page()
        asked, errors = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.goto(address)
        page.keyboard.press("Control+k")
        page.keyboard.type("uniform regularisation")
        page.keyboard.press("Enter")
        expect(page.locator("#search-results li a").first).to_have_text("The method, with all formulas")
        assert not errors and {url.partition("/docs/")[0] + "/docs/" for url in asked} == {address}

"""The documentation site at /docs: its files and no others, with the headers of every page, and a sentence without it."""

import gzip

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse
from starlette.routing import Route
from streamlit.web.server.starlette.starlette_gzip_middleware import SelectiveGZipMiddleware

from tests.asgi import get
from ui.platform.streamlit_internals import config
from ui.platform.web import identity
from ui.platform.web.files import documentation_address, documentation_routes
from ui.platform.web.identity import OwnerCookie
from ui.platform.web.origins import SecurityHeaders


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "docs"
    (folder / "api").mkdir(parents=True)
    (folder / "index.html").write_text("<title>First page</title>")
    (folder / "api" / "index.html").write_text("<title>Reference</title>")
    (tmp_path / "secret.txt").write_text("secret")
    return folder


@pytest.fixture(autouse=True)
def _no_runs(monkeypatch):
    """The key of cookies is kept beside the runs, of which there are none here."""
    monkeypatch.setattr(identity, "_kept_secret", lambda: identity._OF_THIS_PROCESS)


@pytest.fixture
def app(site):
    return before_the_app(site)


def before_the_app(site):
    """The site before an app that says "app" everywhere, behind what compresses and what makes cookies."""
    return Starlette(
        routes=[*documentation_routes(site), Route("/{path:path}", lambda _: HTMLResponse("app"))],
        middleware=[Middleware(SecurityHeaders), Middleware(OwnerCookie), Middleware(SelectiveGZipMiddleware)],
    )


def text(app, path):
    return get(app, path)[2].decode()


def test_docs_are_served_to_be_read_with_the_headers_of_every_page_and_everything_else_is_the_app(app, site):
    assert "First page" in text(app, "/docs/")
    assert "Reference" in text(app, "/docs/api/")
    assert [text(app, path) for path in ("/", "/compare", "/docsify", "/app/docs/")] == ["app"] * 4
    status, headers, _ = get(app, "/docs")
    assert (status, headers["location"]) == (307, "docs/")  # relative: a proxy may have put the app below a path
    _, headers, _ = get(app, "/docs/")
    assert "frame-ancestors 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-type"].startswith("text/html") and "etag" in headers
    assert "set-cookie" not in headers and "set-cookie" in get(app, "/")[1]  # of the app, whose pages have an owner
    assert get(app, "/docs/", method="POST")[0] == 405
    (site / "long.html").write_text("<title>Reference</title>" * 100)
    _, headers, body = get(app, "/docs/long.html", accept_encoding="gzip")
    assert headers["content-encoding"] == "gzip" and gzip.decompress(body) == b"<title>Reference</title>" * 100


@pytest.mark.parametrize("page", ["none.html", "../secret.txt", "a/../../secret.txt", "a\0b", "a" * 999, "/etc/passwd"])
def test_what_is_no_page_is_refused_with_a_sentence(app, page):
    status, headers, body = get(app, f"/docs/{page}")
    assert (status, body) == (404, b"The documentation has no such page. Its first page is at /docs/.")


def test_the_site_lies_below_the_path_of_the_app_and_without_one_the_answer_says_how_to_build_it(site, monkeypatch, tmp_path):
    monkeypatch.setattr(config, "get_option", {"server.baseUrlPath": "/fuzzy/"}.get)
    app = before_the_app(site)
    assert "First page" in text(app, "/fuzzy/docs/")
    assert text(app, "/docs/") == "app"
    status, _, body = get(before_the_app(tmp_path / "none"), "/fuzzy/docs/api/")
    assert status == 404 and b"make docs" in body


@pytest.mark.parametrize("page", ["http://localhost:8501", "http://localhost:8501/", "http://localhost:8501/compare"])
def test_pages_of_the_app_know_where_it_is(page):
    assert documentation_address(page) == "http://localhost:8501/docs/"

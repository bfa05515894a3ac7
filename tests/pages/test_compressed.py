"""Files go compressed to browsers that take it: the same bytes, compressed once, and everything else as it was."""

import asyncio
import gzip
import os
from functools import partial

import brotli
import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from tests import asgi
from ui.platform.web.files import CompressedFiles

TAKES_GZIP = {"accept_encoding": "gzip, deflate"}
answer, get = partial(asgi.answer, **TAKES_GZIP), partial(asgi.get, **TAKES_GZIP)

SCRIPT = b"export const rules = 8; // as many as the sidebar says\n" * 200
FONT = bytes(range(256)) * 40


@pytest.fixture
def app(tmp_path):
    """The middleware before a real server of files, which notes what it was asked."""
    for name, content in {"page.js": SCRIPT, "short.js": b"1", "font.woff2": FONT}.items():
        (tmp_path / name).write_bytes(content)
    inner = Starlette(
        routes=[Mount("/app/static", StaticFiles(directory=tmp_path)), Route("/data", lambda _: PlainTextResponse("x" * 5000))]
    )
    asked = []

    async def noting(scope, receive, send):
        asked.append((scope["method"], scope["path"]))
        await inner(scope, receive, send)

    compressed = CompressedFiles(noting)
    compressed.asked = asked
    return compressed


def test_a_file_arrives_whole_and_smaller_and_not_again_where_the_browser_has_it(app):
    status, headers, body = get(app, "/app/static/page.js")
    assert status == 200 and headers["content-encoding"] == "gzip" and "accept-encoding" in headers["vary"].lower()
    assert int(headers["content-length"]) == len(body) < len(SCRIPT) / 5
    assert gzip.decompress(body) == SCRIPT and "javascript" in headers["content-type"]
    status, _, body = get(app, "/app/static/page.js", if_none_match=headers["etag"])
    assert (status, body) == (304, b"")


@pytest.mark.parametrize(
    ("accepted", "encoding", "decompress"),
    [
        ("gzip, deflate, br, zstd", "br", brotli.decompress),
        ("br;q=1.0, GZIP;q=0.5", "br", brotli.decompress),
        ("gzip;q=0.8, br;q=0", "gzip", gzip.decompress),
    ],
)
def test_a_browser_gets_the_best_encoding_that_it_takes(app, accepted, encoding, decompress):
    _, headers, body = get(app, "/app/static/page.js", accept_encoding=accepted)
    assert headers["content-encoding"] == encoding and decompress(body) == SCRIPT
    assert gzip.decompress(get(app, "/app/static/page.js")[2]) == SCRIPT  # each encoding has a copy of its own


def test_all_who_ask_at_once_and_later_get_the_same_copy(app):
    async def many():
        return await asyncio.gather(*(answer(app, "/app/static/page.js") for _ in range(20)), answer(app, "/app/static//page.js"))

    bodies = {body for _, _, body in asyncio.run(many())}
    assert len(bodies) == 1 and app.asked.count(("GET", "/app/static/page.js")) == 1  # also by another path to the same file


@pytest.mark.parametrize(
    "options", [{"accept_encoding": None}, {"accept_encoding": "br;q=0.0, zstd"}, {"range": "bytes=0-9"}, {"method": "HEAD"}]
)
def test_whoever_does_not_take_it_gets_the_file_as_it_is(app, options):
    status, headers, body = get(app, "/app/static/page.js", **options)
    assert status in (200, 206) and "content-encoding" not in headers
    assert "accept-encoding" in headers["vary"].lower()  # caches are told that it goes compressed to others
    assert body == {"range": SCRIPT[:10], "method": b""}.get(next(iter(options)), SCRIPT)


@pytest.mark.parametrize(("path", "content"), [("short.js", b"1"), ("font.woff2", FONT)])
def test_what_would_not_become_smaller_stays_as_it_is(app, path, content):
    _, headers, body = get(app, f"/app/static/{path}")
    assert "content-encoding" not in headers and body == content


def test_a_missing_file_is_missing_and_other_routes_are_left_alone(app):
    assert get(app, "/app/static/none.js")[0] == 404
    app.asked.clear()
    assert get(app, "/data")[2] == b"x" * 5000 and app.asked == [("GET", "/data")]


def test_a_file_that_cannot_be_read_is_asked_for_again(app, tmp_path):
    broken = True
    inner = app._app

    async def failing(scope, receive, send):
        if broken and scope["method"] == "GET":
            raise OSError("The disk is stuck.")
        await inner(scope, receive, send)

    app._app = failing
    with pytest.raises(OSError, match="stuck"):
        get(app, "/app/static/page.js")
    broken = False
    assert gzip.decompress(get(app, "/app/static/page.js")[2]) == SCRIPT


def test_two_files_alike_in_time_and_length_keep_their_content_and_a_changed_one_is_compressed_again(app, tmp_path):
    other = SCRIPT.replace(b"8", b"9")
    (tmp_path / "other.js").write_bytes(other)
    for name in ("page.js", "other.js"):
        os.utime(tmp_path / name, (10**9, 10**9))  # so that both have one ETag
    bodies = [gzip.decompress(get(app, f"/app/static/{name}")[2]) for name in ("page.js", "other.js")]
    assert bodies == [SCRIPT, other]
    (tmp_path / "page.js").write_bytes(other * 2)
    assert gzip.decompress(get(app, "/app/static/page.js")[2]) == other * 2
    assert len(app._copies) <= 3


def test_a_stranger_who_makes_up_paths_fills_no_memory(app, tmp_path):
    ways = ["", "./", "././", "x/../", "x/../././", "/", "//"]
    for way in ways:
        assert gzip.decompress(get(app, f"/app/static/{way}page.js")[2]) == SCRIPT
    assert len(app._copies) == 1
    app._most = 1000
    for k in range(8):
        (tmp_path / f"noise{k}.js").write_bytes(os.urandom(400).hex().encode() * 2)
        get(app, f"/app/static/noise{k}.js")
    assert sum(len(copy.result()) for copy in app._copies.values()) <= 1000

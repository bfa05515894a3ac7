"""Uploads to made-up file ids: a session, an address and all visitors have their shares, whatever a client says of its size."""

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

from ui.platform.streamlit_internals import config
from ui.platform.web.visitor_limits import UploadLimits, bound_files

MB = 1_000_000


class Server:
    """An app that keeps what is put into it, as Streamlit does, behind ``UploadLimits``."""

    def __init__(self):
        self.files = {}
        self.read = 0  # bytes of bodies that reached the app
        route = Route("/_stcore/upload_file/{session}/{name}", self._put, methods=["PUT"])
        self.app = UploadLimits(Starlette(routes=[route]), lambda: {at: len(data) for at, data in self.files.items()})

    async def _put(self, request):
        data = b""
        async for piece in request.stream():
            self.read += len(piece)
            data += piece
        self.files[request.path_params["session"], request.path_params["name"]] = data
        return Response(status_code=204)

    def put(self, session, name, size, address="10.0.0.1", chunked=False):
        """The status and the text of the answer. chunked: the client does not say how much will come."""
        headers = [] if chunked else [(b"content-length", str(size).encode())]
        pieces = [bytes(MB // 4)] * (4 * size // MB) if chunked else [bytes(size)]
        return self.ask("PUT", f"/_stcore/upload_file/{session}/{name}", address, headers, pieces)

    def ask(self, method, path, address="10.0.0.1", headers=(), pieces=(b"",)):
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "client": (address, 1),
            "headers": list(headers),
            "query_string": b"",
        }
        coming = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
        coming.append({"type": "http.request", "body": b"", "more_body": False})
        answers = []

        async def receive():
            return coming.pop(0)

        async def send(message):
            answers.append(message)

        asyncio.run(self.app(scope, receive, send))
        return answers[0]["status"], b"".join(answer.get("body", b"") for answer in answers).decode()


@pytest.fixture
def server(monkeypatch):
    for name, most in (("PER_SESSION", 5), ("PER_ADDRESS", 8), ("", 12)):
        monkeypatch.setenv(f"TSK_MAX_FILES_MB{'_' if name else ''}{name}", str(most))
    monkeypatch.setenv("TSK_MAX_FILES_PER_SESSION", "3")
    return Server()


def test_one_session_with_many_ids_gets_its_share(server):
    answers = [server.put("s", f"made up {n}", 2 * MB)[0] for n in range(25)]
    assert answers == [204, 204] + [429] * 23
    assert sum(map(len, server.files.values())) == 4 * MB
    assert "4 MB here, of 5 MB at most" in server.put("s", "one more", 2 * MB)[1]


def test_a_session_has_few_files_however_small(server):
    assert [server.put("s", f"{n}", 1)[0] for n in range(5)] == [204, 204, 204, 429, 429]
    assert server.put("s", "0", 2)[0] == 204  # the same file again


def test_many_sessions_of_an_address_share_and_so_do_all(server):
    assert [server.put(f"s{n}", "f", 4 * MB)[0] for n in range(4)] == [204, 204, 429, 429]
    assert [server.put(f"t{n}", "f", 4 * MB, f"10.0.1.{n}")[0] for n in range(4)] == [204, 429, 429, 429]


def test_what_is_gone_no_longer_counts(server):
    assert [server.put("s", f"{n}", 2 * MB)[0] for n in range(3)] == [204, 204, 429]
    server.files.clear()  # the page removed them, or its session ended
    assert server.put("s", "2", 2 * MB)[0] == 204


def test_a_body_without_a_length_is_read_no_further_than_the_share(server):
    status, text = server.put("s", "f", 40 * MB, chunked=True)
    assert status == 413
    assert text.startswith("This page has files of 0 MB here, of 5 MB at most")
    assert server.read <= 5 * MB
    assert not server.files
    assert server.put("s", "f", 4 * MB, chunked=True)[0] == 204


def test_other_requests_pass(server):
    assert server.ask("GET", "/elsewhere")[0] == 404
    assert server.ask("DELETE", "/_stcore/upload_file/s/f")[0] == 405


def test_streamlit_takes_files_of_the_size_that_the_limit_allows(monkeypatch):
    before = config.get_option("server.maxUploadSize")
    monkeypatch.setenv("TSK_MAX_UPLOAD_MB", "40")
    bound_files()
    assert config.get_option("server.maxUploadSize") == 40
    config.set_option("server.maxUploadSize", before)

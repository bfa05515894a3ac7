"""A hostile page, a rebound name and a curious visitor: what the web server lets in, and what it tells."""

import asyncio
import contextlib
import http.client
import re
import socket
import threading
from urllib.parse import urlsplit

import pytest
import streamlit
from streamlit.proto.BackMsg_pb2 import BackendOperationRequest, BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.browser.helpers import run_of, train_to_the_end
from tests.chromium import running
from tests.load.browser import Browser
from tests.load.server import ROOT, Server
from tests.proxy import SECRET
from tsk_core.runs.store import RunStore
from ui.platform.visitor import owner_of
from ui.platform.web import identity
from ui.platform.web.visitor_limits import MessageFilter

HTTPS = {"X_Forwarded_Proto": "https", "X_TSK_Proxy_Secret": SECRET}
COURSE = "https://moodle.example.edu"
COOKIE = re.compile(r"(?:__Host-)?tsk_owner=([0-9a-f]{32}\.[0-9a-f]{32}); (.*)")


class Silent:
    """A proxy that takes connections and never answers. asked: the connections."""

    def __init__(self):
        self.asked, self._socket = [], socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                self.asked.append(self._socket.accept()[0])
            except OSError:  # closed
                return

    def close(self):
        """Accept no more, and close what was accepted."""
        for line in (self._socket, *self.asked):
            line.close()


@pytest.fixture(scope="module")
def silent():
    """What a server that is ``configured`` would ask for the internet."""
    with contextlib.closing(Silent()) as silent:
        yield silent


@pytest.fixture(scope="module")
def configured(tmp_path_factory, silent):
    """A server with names of its own, beside a course that may use it and show it, and behind a proxy to the internet."""
    environment = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), silent.address)
    environment |= {
        "no_proxy": "",
        "NO_PROXY": "",
        "STREAMLIT_SERVER_ALLOWED_HOSTS": "fuzzy.example.edu *.campus.example.edu",
        "STREAMLIT_SERVER_CORS_ALLOWED_ORIGINS": COURSE,
        "TSK_FRAME_ANCESTORS": COURSE,
        "TSK_SCHEDULER": "tcp://127.0.0.1:9",  # nobody trains here: no cluster is started
    }
    with Server(tmp_path_factory.mktemp("configured"), **environment) as server:
        yield server


def answer(address, path="/", method="GET", **headers):
    """An answer of the server to a request with these headers: status, headers, text."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
    connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answered = connection.getresponse()
    found = answered.status, answered.headers, answered.read().decode(errors="replace")
    connection.close()
    return found


def opens(address, origin=None, host=None):
    """Whether the server opens a websocket for a page of ``origin`` that calls the server ``host``."""
    place = urlsplit(address)
    line = socket.create_connection((place.hostname, place.port))
    try:
        with connect(
            f"ws://{host or place.netloc}/_stcore/stream", sock=line, origin=origin, subprotocols=["streamlit"], proxy=None
        ):
            return True
    except InvalidStatus as refused:
        line.close()
        assert refused.response.status_code in (403, 421)
        return False


def cookie(headers):
    """The owner and the attributes of the cookie that an answer sets."""
    (found,) = (match for text in headers.get_all("Set-Cookie", []) if (match := COOKIE.fullmatch(text)))
    return found[1], set(found[2].split("; "))


# Hosts and origins.


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8501", "localhost.evil.example", "127.0.0.1.evil.example"])
def test_a_name_that_points_here_by_rebinding_is_refused(server, host):
    status, _, text = answer(server.address, Host=host)
    assert status == 421 and "does not answer for the host" in text and "server.allowedHosts" in text
    assert not opens(server.address, f"http://{host}", host)


@pytest.mark.parametrize("host", ["[::1", "@", "a@127.0.0.1", "127.0.0.1 evil.example"])
def test_what_is_no_host_is_refused(server, host):
    assert answer(server.address, Host=host)[0] in (400, 421)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8501", "[::1]:8501", "192.168.7.9:8501", socket.gethostname()])
def test_this_machine_is_served_by_each_of_its_names_and_by_any_address(server, host):
    assert answer(server.address, Host=host)[0] == 200
    assert opens(server.address, f"http://{host}", host)


def test_a_name_in_the_configuration_is_served(configured):
    hosts = ("fuzzy.example.edu", "a.campus.example.edu:443", "campus.example.edu", "example.edu", "localhost")
    assert [answer(configured.address, Host=host)[0] for host in hosts] == [200, 200, 421, 421, 200]
    assert [opens(configured.address, f"http://{host}", host) for host in hosts] == [True, True, False, False, True]
    assert opens(configured.address, configured.address)  # by its address


def test_a_page_of_another_origin_opens_no_websocket_and_sends_no_file(server):
    port = urlsplit(server.address).port
    for origin in ("http://evil.example", "https://127.0.0.1:1", f"http://localhost:{port + 1}", "null", "http://[", "file://"):
        assert not opens(server.address, origin), origin
        assert answer(server.address, "/_stcore/upload_file/a/b", "PUT", Origin=origin)[0] == 403, origin
        assert answer(server.address, Origin=origin)[1]["Access-Control-Allow-Origin"] is None
    assert opens(server.address, server.address)
    assert opens(server.address)  # a program; pages cannot leave their origin out


def test_an_allowed_origin_may_use_the_server(configured):
    assert opens(configured.address, COURSE)
    assert not opens(configured.address, COURSE + ".evil.example")


def test_no_origin_makes_the_server_ask_the_internet(configured, silent):
    """Streamlit would ask for its own address; here, as where outgoing requests are dropped, nobody would answer."""
    for _ in range(9):
        assert not opens(configured.address, "http://evil.example")
        assert answer(configured.address, "/_stcore/health", Origin="http://evil.example")[0] == 200
        assert answer(configured.address, "/_stcore/host-config", Origin="http://evil.example")[0] == 200
    assert opens(configured.address, configured.address)
    assert not silent.asked


# The owner's cookie.


def test_the_cookie_comes_with_the_page_and_no_script_can_read_it(server):
    owner, attributes = cookie(answer(server.address)[1])
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= attributes and "Secure" not in attributes
    assert cookie(answer(server.address, "/runs")[1])[0] != owner
    assert cookie(answer(server.address, Cookie=f"a=b; tsk_owner={owner}")[1])[0] == owner  # for another year
    number = owner.partition(".")[0]
    for forged in (number, "account-1", "x", owner + "0", "", number + "." + "0" * 32, "0" * 32 + owner[32:]):
        given = cookie(answer(server.address, Cookie=f"tsk_owner={forged}")[1])[0]
        assert not given.startswith((number, forged[:32] or "-"))


def test_a_page_from_the_browsers_cache_brings_the_cookie_too(server):
    _, headers, _ = answer(server.address)
    assert answer(server.address, If_None_Match=headers["ETag"], Cookie=f"tsk_owner={cookie(headers)[0]}")[0] == 304
    status, again, _ = answer(server.address, If_None_Match=headers["ETag"])
    assert status == 200 and cookie(again)


def test_over_https_the_cookie_is_sent_over_https_alone_and_no_other_page_can_overwrite_it(server):
    headers = answer(server.address, **HTTPS)[1]
    owner, attributes = cookie(headers)
    assert {"Secure", "Path=/"} <= attributes and not any("Domain" in attribute for attribute in attributes)
    assert any(text.startswith("__Host-tsk_owner=") for text in headers.get_all("Set-Cookie"))
    planted = f"tsk_owner={cookie(answer(server.address)[1])[0]}"  # by a page of this host without HTTPS
    assert cookie(answer(server.address, **HTTPS, Cookie=f"{planted}; __Host-tsk_owner={owner}")[1])[0] == owner
    assert cookie(answer(server.address, **HTTPS, Cookie=planted)[1])[0] not in planted
    assert cookie(answer(server.address, **HTTPS, Cookie=f"__Host-tsk_owner={owner[:32]}")[1])[0] != owner


def test_a_session_has_the_owner_that_this_server_signed(monkeypatch, tmp_path):
    monkeypatch.setenv("TSK_RUNS_DIR", str(tmp_path))
    identity._kept_secret.cache_clear()
    owner = "a" * 32
    signed = f"{owner}.{identity._signature(owner)}"
    seen = []

    async def app(scope, receive, send):
        seen.append(owner_of(dict(part.split("=", 1) for part in dict(scope["headers"])[b"cookie"].decode().split("; "))))

    def open_session(cookies, scheme):
        scope = {"type": "websocket", "scheme": scheme, "headers": [(b"cookie", f"other=1; {cookies}".encode())]}
        asyncio.run(identity.OwnerCookie(app)(scope, None, None))
        return seen.pop()

    assert open_session(f"tsk_owner={signed}", "ws") == open_session(f"__Host-tsk_owner={signed}", "wss") == owner
    assert open_session(f"tsk_owner={signed}", "wss") is None  # which a page without HTTPS may have set
    assert open_session(f"__Host-tsk_owner={owner}", "wss") is None
    unsigned = (
        owner,
        f"{owner}.",
        f"{owner}.{'0' * 32}",
        f"{owner}.{identity._signature('b' * 32)}",
        f"{signed}0",
        f'"{owner}"',
    )
    for value in unsigned:
        for name, scheme in (("tsk_owner", "ws"), ("tsk_owner", "wss"), ("__Host-tsk_owner", "ws"), ("__Host-tsk_owner", "wss")):
            assert open_session(f"{name}={value}", scheme) is None
    monkeypatch.setenv("TSK_OLD_COOKIES", "1")  # which once let these in
    assert open_session(f"tsk_owner={owner}", "wss") is None
    identity._kept_secret.cache_clear()


def test_in_the_frame_of_a_course_the_cookie_is_sent_to_our_pages(configured):
    _, headers, _ = answer(configured.address, **HTTPS)
    assert {"SameSite=None", "Secure", "Partitioned", "HttpOnly"} <= cookie(headers)[1]
    assert headers["Content-Security-Policy"] == f"frame-ancestors 'self' {COURSE}"


def test_no_other_page_may_show_the_app_in_a_frame(server):
    for path in ("/", "/runs", "/_stcore/health"):
        assert answer(server.address, path)[1]["Content-Security-Policy"] == "frame-ancestors 'self'"


def test_no_cookie_names_an_account():
    assert owner_of({"tsk_owner": "account-" + "a" * 32}) is None


def owners_of_two_tabs(server, context):
    """The owners of the runs that two tabs start, opened at the same moment in a browser without cookies."""
    tabs = [context.new_page() for _ in range(2)]
    for tab in tabs:
        tab.goto("/?epochs=3", wait_until="commit")
    for tab in tabs:
        train_to_the_end(tab)
    assert "tsk_owner" not in tabs[0].evaluate("document.cookie")
    runs = {run_of(tab) for tab in tabs}
    assert len(runs) == 2
    store = RunStore(server.runs)
    return {store.record(run).owner for run in runs}


@pytest.mark.slow
def test_tabs_that_are_opened_together_have_one_owner(server):
    with running() as browser:
        for _ in range(2):
            context = browser.new_context(base_url=server.address)
            assert len(owners_of_two_tabs(server, context)) == 1
            context.close()


# What it tells, and whom it obeys.


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/script-health-check", "/_stcore/agent/sessions"])
def test_what_only_the_operator_needs_is_closed(server, path):
    assert answer(server.address, path)[0] == 404


def test_no_answer_says_which_program_serves(server):
    for path in ("/", "/_stcore/health", "/static/none"):
        assert "Server" not in answer(server.address, path)[1]


def test_a_session_learns_neither_paths_nor_versions(server):
    heard = []

    async def visit():
        async with Browser(server.address) as tab:
            tab.on_raw = heard.append
            await tab.open()

    asyncio.run(visit())
    everything = b"".join(heard)
    assert len(heard) > 20 and b"TSK" in everything
    assert str(ROOT).encode() not in everything and streamlit.__version__.encode() not in everything


def test_a_value_that_a_widget_cannot_have_takes_a_few_lines_of_the_log(server):
    async def visit():
        async with Browser(server.address) as tab:
            await tab.open()
            widget = tab.page.widgets["Rules R"]
            tab.page.states[widget.id] = WidgetState(id=widget.id, string_value="x" * 100_000)
            await tab.change("Batch size B", 32)

    before = len(server.log.read_text())
    asyncio.run(visit())
    said = server.log.read_text()[before:]
    assert "invalid literal for int()" in said and len(said) < 10_000


def test_messages_that_act_on_the_whole_server_are_dropped():
    def operation(name):
        asked = BackendOperationRequest()
        getattr(asked, name).SetInParent()
        return message(backend_operation_request=asked)

    def message(**what):
        return {"type": "websocket.receive", "bytes": BackMsg(**what).SerializeToString()}

    sent = [
        {"type": "websocket.receive", "bytes": b"\xff\xff"}, {"type": "websocket.receive", "text": "hello"}, message(),
        message(clear_cache=True), message(set_run_on_save=True), message(load_git_info=True), operation("install_skills"),
        message(stop_script=True), operation("deferred_file"), operation("dataframe_chunk"),
        message(app_heartbeat=True), {"type": "websocket.disconnect"},
    ]  # fmt: skip
    heard = []

    async def app(scope, receive, send):
        while not heard or heard[-1]["type"] != "websocket.disconnect":
            heard.append(await receive())

    queue = iter(sent)

    async def receive():
        return next(queue)

    asyncio.run(MessageFilter(app)({"type": "websocket"}, receive, None))
    assert heard == sent[7:]


def test_the_cookie_is_deleted_by_the_address_that_a_page_has_and_by_no_foreign_link(monkeypatch, tmp_path):
    monkeypatch.setenv("TSK_RUNS_DIR", str(tmp_path))
    identity._kept_secret.cache_clear()
    owner, other = "a" * 32, "b" * 32
    sent = []

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html")]})

    async def send(message):
        sent.append(message)

    def asked(address, name="tsk_owner", scheme="http"):
        path, _, query = address.partition("?")
        cookies = f"{name}={owner}.{identity._signature(owner)}".encode()
        scope = {"type": "http", "method": "GET", "scheme": scheme, "path": path, "query_string": query.encode()}
        sent.clear()
        asyncio.run(identity.OwnerCookie(app)(scope | {"headers": [(b"cookie", cookies)]}, None, send))
        return sent[0]["status"], dict(sent[0]["headers"])[b"set-cookie"].decode()

    address = identity.forget_address(owner)
    for name, scheme in (("tsk_owner", "http"), ("__Host-tsk_owner", "https")):
        status, cookies = asked(address, name, scheme)
        assert status == 303 and cookies.startswith(f"{name}={owner}") and "Max-Age=0" in cookies
        assert ("Secure" in cookies) == (scheme == "https")
    for forged in ("/forget", "/forget?key=", "/forget?key=é", "/forget?key=" + "0" * 32, identity.forget_address(other)):
        assert asked(forged)[0] == 200 and "Max-Age=0" not in asked(forged)[1]
    identity._kept_secret.cache_clear()

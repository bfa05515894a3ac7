"""Clients without a cookie that send too much, too little or too often: refused before Streamlit sees any of it."""

import asyncio
import contextlib
import itertools
import socket
import subprocess
import sys
import time
from urllib.parse import urlsplit

import psutil
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tests.attack.websocket import BINARY, CLOSE, MORE, PING, ended, frame, opened
from tests.load.browser import Browser
from tests.load.memory import Watch
from tests.load.server import ROOT, memory_mb
from tests.network import free_port
from tsk_core import limits
from ui.platform.web.identity import VisitorAddress, network_of
from ui.platform.web.visitor_limits import MessageFilter

pytestmark = pytest.mark.slow

MB = 1_000_000


def rerun(**what):
    message = BackMsg()
    message.rerun_script.SetInParent()
    for name, value in what.items():
        setattr(message.rerun_script, name, value)
    return message


def with_states(count):
    message = rerun()
    message.rerun_script.widget_states.widgets.extend(WidgetState(id=f"{k}", trigger_value=True) for k in range(count))
    return message.SerializeToString()


def click(address):
    """The seconds until a page has answered to a changed setting."""

    async def visit():
        async with Browser(address) as tab:
            await tab.open()
            return await tab.change("Rules R", 7)

    return asyncio.run(visit())


def pour(line, frames):
    """Send frames until the server ends the connection; returns the bytes sent."""
    sent = 0
    with contextlib.suppress(OSError):
        for piece in frames:
            line.sendall(piece)
            sent += len(piece)
    return sent


# Bytes.


def test_messages_that_never_end_do_not_fill_the_memory(server):
    before = memory_mb([server.process])
    parts = [frame(BINARY, bytes(MB // 4), False), *[frame(MORE, bytes(MB // 4), False)] * 80]
    with Watch(server) as watch:
        lines = [opened(server.address) for _ in range(10)]
        for line in lines:
            pour(line, parts)  # 20 MB each
        assert all(ended(line) for line in lines)
    assert watch.most < before + 100
    click(server.address)  # others are served


def test_a_message_above_the_limit_ends_its_connection(server):
    line = opened(server.address)
    pour(line, [frame(BINARY, rerun(query_string="x" * 2 * MB).SerializeToString())])
    assert ended(line)


def test_a_message_below_the_limit_is_taken(server):
    line = opened(server.address)
    line.sendall(frame(BINARY, rerun(query_string="x" * (MB * 9 // 10)).SerializeToString()))
    with line:
        assert line.recv(1)[0] == 0x80 | BINARY  # the page is drawn


@pytest.mark.parametrize(
    "frames",
    [
        [frame(BINARY, b"", False), *[frame(MORE, b"", False)] * 20_000],  # no byte, and memory for each
        [frame(PING, b"are you there?")] * 20_000,  # answers that nobody reads
        [frame(BINARY, b"\xff")] * 20_000,
    ],
    ids=["empty parts", "pings", "small messages"],
)
def test_many_small_frames_end_their_connection(server, frames):
    line = opened(server.address)
    pour(line, [b"".join(frames[at : at + 1000]) for at in range(0, len(frames), 1000)])
    assert ended(line)


def test_a_message_with_the_values_of_too_many_widgets_ends_its_connection(server):
    line = opened(server.address)
    line.sendall(frame(BINARY, with_states(limits.value("widget_states") + 1)))
    assert line.recv(4) == b"\x88\x02\x03\xf1"  # it closes: 1009, too big
    line.sendall(frame(CLOSE, b"\x03\xf1"))  # as browsers answer; without it the server waits for ten seconds
    assert ended(line)


# Time.


@pytest.mark.slow
def test_clients_that_ask_for_pages_and_read_none_hold_up_nobody_and_fill_no_memory(server):
    before, question = memory_mb([server.process]), frame(BINARY, rerun().SerializeToString())
    with Watch(server) as watch, contextlib.ExitStack() as stack:
        lines = [stack.enter_context(opened(server.address)) for _ in range(20)]
        for line in lines:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # so that little waits here, and the rest in the server
        for _ in range(20):
            for line in lines:
                pour(line, [question])
            click(server.address)  # raises Trouble where no answer comes
    assert watch.most < before + 100


@pytest.mark.slow
def test_requests_that_never_begin_or_never_end_are_dropped(server):
    place = urlsplit(server.address)

    def line(text):
        line = socket.create_connection((place.hostname, place.port))
        line.sendall(text.encode())
        return line

    head = f"Host: {place.netloc}\r\n"
    silent, quiet = line(""), opened(server.address)
    dribbling = line("GET / HTTP/1.1\r\n")
    unfinished = opened(server.address)
    unfinished.sendall(frame(BINARY, b"x", False))
    announced = line(f"POST /_stcore/health HTTP/1.1\r\n{head}Content-Length: 1000\r\n\r\nx")
    for letter in itertools.islice(itertools.cycle("X-A: b\r\n"), 28):  # keeps the connection busy, not its request
        with contextlib.suppress(OSError):
            dribbling.sendall(letter.encode())
        time.sleep(0.5)
    assert ended(silent, 1) and ended(dribbling, 1)
    assert ended(unfinished, 12)
    assert ended(announced, 12)
    assert not ended(quiet, 1)  # a page that says nothing stays


# Number.


class Visitor:
    """A websocket of an address to ``MessageFilter``, whose app takes all messages."""

    def __init__(self, app, address, messages=()):
        self.app, self.scope = app, {"type": "websocket", "client": (address, 1), "extensions": {"websocket.http.response": {}}}
        self.messages, self.sent, self.gone = list(messages), [], asyncio.Event()

    async def receive(self):
        if self.messages:
            return {"type": "websocket.receive", "bytes": self.messages.pop(0)}
        await self.gone.wait()
        return {"type": "websocket.disconnect"}

    async def send(self, message):
        self.sent.append(message)

    async def visit(self):
        await self.app(self.scope, self.receive, self.send)


async def keep_all(scope, receive, send):
    while (await receive())["type"] != "websocket.disconnect":
        await send({"type": "websocket.send", "text": "taken"})


def test_an_address_opens_so_many_pages_and_gets_its_share_back(monkeypatch):
    monkeypatch.setenv("TSK_MAX_PAGES_PER_ADDRESS", "2")

    async def attack():
        app = MessageFilter(keep_all)
        visitors = [Visitor(app, "192.0.2.1") for _ in range(3)] + [Visitor(app, "198.51.100.7")]
        visits = [asyncio.create_task(visitor.visit()) for visitor in visitors]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert [visit.done() for visit in visits] == [False, False, True, False]
        assert visitors[2].sent[0]["status"] == 429
        visitors[0].gone.set()
        await visits[0]
        again = Visitor(app, "192.0.2.1")
        visit = asyncio.create_task(again.visit())
        await asyncio.sleep(0)
        assert not visit.done()
        for visitor in (*visitors, again):
            visitor.gone.set()
        await asyncio.gather(*visits, visit)

    asyncio.run(attack())


def test_a_page_that_sends_without_end_is_read_at_a_pace(monkeypatch):
    slept = []

    async def sleep(seconds):
        slept.append(seconds)

    monkeypatch.setattr("ui.platform.web.visitor_limits.asyncio.sleep", sleep)

    async def attack():
        visitor = Visitor(MessageFilter(keep_all), "192.0.2.1", [rerun().SerializeToString()] * 1_000)
        visitor.gone.set()
        await visitor.visit()
        return visitor.sent

    assert len(asyncio.run(attack())) == 1_000
    assert 850 <= len(slept) <= 901 and slept[-1] > 1


# Addresses.


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"), ("fe80::1%eth0", "fe80::/64"), ("::1", "::1"), ("", ""),
    ],
)  # fmt: skip
def test_one_household_is_one_address(host, network):
    assert network_of(host) == network


def seen(monkeypatch, headers, peer="127.0.0.1", **environment):
    """Client and scheme as the app sees them, for a request that comes from the address ``peer`` over HTTP."""
    for name in ("TSK_PROXY_SECRET", "FORWARDED_ALLOW_IPS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    found = []

    async def app(scope, receive, send):
        found.append((scope["client"][0], scope["scheme"], [name for name, _ in scope["headers"]]))

    headers = [(name.encode(), value.encode()) for name, value in headers.items()]
    asyncio.run(VisitorAddress(app)({"type": "http", "client": (peer, 5), "scheme": "http", "headers": headers}, None, None))
    return found[0]


def test_nobody_is_believed_by_default(monkeypatch, caplog):
    claims = {"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https", "x-tsk-proxy-secret": ""}
    assert seen(monkeypatch, claims)[:2] == ("127.0.0.1", "http")
    assert "TSK_PROXY_SECRET" in caplog.text


def test_the_server_believes_no_header_before_that():
    code = f"""
import uvicorn
from types import SimpleNamespace
from ui.platform.web.server import main
uvicorn.Server = lambda settings: SimpleNamespace(run=lambda **_: print(settings.proxy_headers), started=True)
main(["--server.address=127.0.0.1", "--server.port={free_port()}"])
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


def test_who_knows_the_secret_is_believed_and_its_visitors_are_not(monkeypatch):
    claims = {"x-forwarded-for": "10.9.8.7, 203.0.113.9", "x-forwarded-proto": "https"}
    secret = {"x-tsk-proxy-secret": "between us"}
    client, scheme, names = seen(monkeypatch, claims | secret, TSK_PROXY_SECRET="between us")
    assert (client, scheme) == ("203.0.113.9", "https") and b"x-tsk-proxy-secret" not in names
    for wrong in ({}, {"x-tsk-proxy-secret": "between"}, {"x-tsk-proxy-secret": "ü"}):
        assert seen(monkeypatch, claims | wrong, TSK_PROXY_SECRET="between us")[:2] == ("127.0.0.1", "http")
        named = {"TSK_PROXY_SECRET": "between us", "FORWARDED_ALLOW_IPS": "127.0.0.1"}  # any account here has that address
        assert seen(monkeypatch, claims | wrong, **named)[:2] == ("127.0.0.1", "http")


def test_a_proxy_that_is_named_by_its_address_is_believed_and_others_are_not(monkeypatch):
    claims = {"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https"}
    assert seen(monkeypatch, claims, peer="10.0.0.2", FORWARDED_ALLOW_IPS="10.0.0.2")[:2] == ("203.0.113.9", "https")
    assert seen(monkeypatch, claims, peer="10.0.0.3", FORWARDED_ALLOW_IPS="10.0.0.2")[:2] == ("10.0.0.3", "http")


@pytest.mark.skipif(not hasattr(psutil.Process, "rlimit"), reason="limits of descriptors cannot be set for another process here")
def test_half_open_requests_leave_descriptors_for_uploads(server):
    before = server.process.rlimit(psutil.RLIMIT_NOFILE)
    with contextlib.ExitStack() as lines:
        server.process.rlimit(psutil.RLIMIT_NOFILE, (1024, before[1]))
        lines.callback(server.process.rlimit, psutil.RLIMIT_NOFILE, before)
        place = urlsplit(server.address)
        for _ in range(1_000):
            line = socket.create_connection((place.hostname, place.port), source_address=("127.0.0.2", 0))
            lines.enter_context(line)
            with contextlib.suppress(OSError):
                line.sendall(b"GET / HTTP/1.1\r\n")

        async def upload():
            async with Browser(server.address, "data=upload") as tab:
                await tab.open()
                for number in range(3):
                    await tab.upload("Your file", f"a,b,class\n{number},2,x\n3,4,y\n5,6,x\n7,8,y\n".encode())
                    assert not tab.page.errors and "Target column" in tab.page.widgets

        asyncio.run(upload())

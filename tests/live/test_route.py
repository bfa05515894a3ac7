"""The live route as browsers meet it: real websockets and real HTTP against the routes, with subjects that a test controls."""

import asyncio
import contextlib
import json
import threading
import zlib

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tsk_core.errors import RunError
from tsk_core.live import as_json
from ui.live import route, subjects
from ui.live.subjects import Subject, spec_of

MADE = []  # the subjects that were made
LINES = {}  # name -> lines that its subject has by now


class Lines(Subject):
    """A list that a test makes longer. A name that begins with "gone" is not there, and "broken" fails at its first look."""

    def __init__(self, name):
        super().__init__()
        if name.startswith("gone"):
            raise RunError("There is no such run.")
        self.name, self.looks = name, 0
        MADE.append(self)

    def look(self):
        self.looks += 1
        if self.name.startswith("broken") and self.looks == 1:
            raise ZeroDivisionError
        lines = LINES.get(self.name, [])
        self.stream.extend("lines", self.name, "", lines[self.stream.count("lines", self.name, "") :], {"head": 1})
        self.stream.set("count", len(lines), self.name)
        return 0.01


@pytest.fixture(autouse=True)
def lines(monkeypatch):
    """The kind of subject of these tests; nobody follows one before."""
    monkeypatch.setitem(subjects.KINDS, "lines", f"{__name__}:Lines")
    monkeypatch.setattr(route, "_followed", {})
    MADE.clear()
    LINES.clear()


def ticket_of(name, owner=None):
    spec = json.dumps({"what": "lines", "name": name}, separators=(",", ":"), sort_keys=True)
    return subjects.signed(spec, owner)


@contextlib.asynccontextmanager
async def served():
    """The address of a server that has the live route."""
    config = uvicorn.Config(
        Starlette(routes=route.live_routes()), port=0, log_level="error", ws="websockets-sansio", lifespan="off"
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        await serving


class Tab:
    """A tab that follows subjects. got: the lists by what they are of. messages: how many came."""

    def __init__(self, address):
        self.address, self.got, self.have, self.messages, self.values = address, {}, {}, 0, {}

    async def __aenter__(self):
        self.socket = await connect(self.address.replace("http", "ws") + "/live", max_size=2**26)
        return self

    async def __aexit__(self, *error):
        await self.socket.close()

    async def ask(self, *tickets):
        await self.socket.send(json.dumps({"tickets": tickets, "have": self.have}))

    async def read(self):
        raw = await asyncio.wait_for(self.socket.recv(), 20)
        self.messages += 1
        self.take(json.loads(zlib.decompress(raw) if isinstance(raw, bytes) else raw))

    def take(self, parts):
        for part in parts:
            key = f"{part['kind']} {part.get('of', '')}"
            if "version" in part:
                entries = self.got.setdefault(part["of"], [])
                assert part["since"] == len(entries)
                assert ("head" in part["payload"]) == (part["since"] == 0)
                entries += part["payload"]["list"]
                self.have[key] = [part["version"], len(entries)]
            else:
                self.values[key] = part["payload"]
                self.have[key] = [str(part["since"]), 1]

    async def until(self, true):
        while not true():
            await self.read()


def run(scenario):
    async def with_server():
        async with served() as address:
            await scenario(address)

    asyncio.run(with_server())


def test_a_tab_gets_what_there_is_then_what_comes_and_goes_on_from_there_after_a_new_connection():
    async def scenario(address):
        LINES["a"] = ["1", "2"]
        tab = Tab(address)
        async with tab:
            await tab.ask(ticket_of("a"))
            await tab.until(lambda: tab.got.get("a") == [1, 2])
            LINES["a"].append("3")
            await tab.until(lambda: tab.got["a"] == [1, 2, 3])
        LINES["a"] += ["4", "5"]
        async with tab:  # ``take`` asserts that nothing comes twice
            await tab.ask(ticket_of("a"))
            await tab.until(lambda: tab.got["a"] == [1, 2, 3, 4, 5])
        assert tab.values["count a"] == 5

    run(scenario)


def test_the_same_comes_over_http_where_a_proxy_refuses_websockets():
    async def scenario(address):
        LINES["a"], tab = ["1", "2"], Tab(address)
        async with httpx.AsyncClient() as client:
            for entries in ([1, 2], [1, 2, 3]):
                LINES["a"] = [str(entry) for entry in entries]
                while tab.got.get("a") != entries:
                    answer = await client.post(
                        f"{address}/live", content=json.dumps({"tickets": [ticket_of("a")], "have": tab.have})
                    )
                    assert answer.headers["cache-control"] == "no-store"
                    tab.take(answer.json())
        assert len(MADE) == 1  # for all the questions

    run(scenario)


def test_a_subject_is_one_object_for_all_who_follow_it_and_forgotten_after_the_last(monkeypatch):
    monkeypatch.setattr(route, "LINGER", 0.05)

    async def scenario(address):
        LINES["a"] = ["1"]
        async with contextlib.AsyncExitStack() as stack:
            tabs = [await stack.enter_async_context(Tab(address)) for _ in range(50)]  # all at once, as after a restart
            await asyncio.gather(*(tab.ask(ticket_of("a")) for tab in tabs))
            await asyncio.gather(*(tab.until(lambda tab=tab: tab.got.get("a") == [1]) for tab in tabs))
            assert len(MADE) == 1 and [len(one.viewers) for one in route._followed.values()] == [50]
        while route._followed:
            await asyncio.sleep(0.01)
        looks = MADE[0].looks
        await asyncio.sleep(0.05)
        assert MADE[0].looks == looks  # nobody looks at it any more

    run(scenario)


def test_a_tab_that_does_not_read_neither_delays_another_nor_gets_more_messages_than_it_reads():
    async def scenario(address):
        LINES["a"] = []
        async with Tab(address) as slow, Tab(address) as quick:
            await slow.ask(ticket_of("a"))
            await quick.ask(ticket_of("a"))
            await quick.read()
            for k in range(100):
                LINES["a"] = LINES["a"] + [as_json(f"{k}" + "x" * 30_000)]
                await asyncio.sleep(0.005)
            await quick.until(lambda: len(quick.got.get("a", [])) == 100)
            await slow.until(lambda: len(slow.got.get("a", [])) == 100)
            assert slow.got == quick.got and max(slow.messages, quick.messages) < 100

    run(scenario)


def test_a_tab_that_shows_something_else_gets_nothing_more_of_what_it_showed():
    async def scenario(address):
        LINES.update(a=["1"], b=["2"])
        async with Tab(address) as tab:
            await tab.ask(ticket_of("a"))
            await tab.until(lambda: "a" in tab.got)
            await tab.ask(ticket_of("b"))
            await tab.until(lambda: "b" in tab.got)
            LINES["a"].append("9")
            LINES["b"].append("3")
            await tab.until(lambda: tab.got["b"] == [2, 3])
            assert tab.got["a"] == [1]

    run(scenario)


@pytest.mark.parametrize("text", [
    "", "nothing", "[]", "{}", '{"tickets": 1, "have": {}}', '{"tickets": [], "have": []}', '{"tickets": [], "have": {"a": [1]}}',
    '{"tickets": [], "have": {"a": ["", "x"]}}', "[" * 10_000, "null",
])  # fmt: skip
def test_what_cannot_be_read_ends_the_connection_or_is_refused_and_the_server_goes_on(text):
    async def scenario(address):
        async with Tab(address) as tab:
            await tab.socket.send(text)
            with pytest.raises(ConnectionClosed):
                await tab.read()
            assert tab.socket.close_code == 1003
        async with httpx.AsyncClient() as client:
            assert (await client.post(f"{address}/live", content=text)).status_code == 400
        LINES["a"] = ["1"]
        async with Tab(address) as tab:
            await tab.ask(ticket_of("a"))
            await tab.until(lambda: tab.got.get("a") == [1])

    run(scenario)


def test_bytes_and_a_body_without_end_are_refused():
    async def scenario(address):
        async with Tab(address) as tab:
            await tab.socket.send(b"\xff")
            with pytest.raises(ConnectionClosed):
                await tab.read()
        async with httpx.AsyncClient() as client:
            assert (await client.post(f"{address}/live", content=b"x" * (route.MOST_TEXT + 1))).status_code == 400
            assert (await client.post(f"{address}/live", content=b"\xff\xfe")).status_code == 400
            assert (await client.get(f"{address}/live")).status_code == 405

    run(scenario)


def test_only_tickets_made_here_for_this_browser_are_followed_and_no_more_of_them_than_a_page_needs():
    async def scenario(address):
        LINES.update({f"n{k}": ["1"] for k in range(30)})
        foreign, changed = ticket_of("a", owner="f" * 32), ticket_of("b")[:-1] + "x"
        async with Tab(address) as tab:
            await tab.ask(foreign, changed, "", 7, None, *(ticket_of(f"n{k}") for k in range(30)))
            await tab.until(lambda: len(tab.got) == route.MOST_SUBJECTS - 5)
            assert {subject.name for subject in MADE} == set(tab.got)
        assert spec_of(foreign, "f" * 32) and not spec_of(foreign, "e" * 32)

    run(scenario)


def test_a_subject_that_is_gone_says_why_and_one_that_fails_is_looked_at_again(monkeypatch):
    monkeypatch.setattr(route, "RETRY", 0.01)

    async def scenario(address):
        LINES["broken"] = ["1"]
        async with Tab(address) as tab:
            await tab.ask(ticket_of("gone"), ticket_of("broken"))
            await tab.until(lambda: tab.values.get("gone ") == "There is no such run." and tab.got.get("broken") == [1])

    run(scenario)


def test_looks_are_taken_beside_the_event_loop():
    seen = []

    async def scenario(address):
        Lines.look, look = lambda self: seen.append(threading.current_thread()) or look(self), Lines.look
        try:
            LINES["a"] = ["1"]
            async with Tab(address) as tab:
                await tab.ask(ticket_of("a"))
                await tab.until(lambda: tab.got.get("a") == [1])
        finally:
            Lines.look = look

    run(scenario)
    assert seen and threading.main_thread() not in seen

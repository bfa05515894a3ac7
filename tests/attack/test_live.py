"""Live data as strangers meet it, and what goes on when a server, a worker or a connection does not."""

import asyncio
import json
import os
import subprocess
import sys
from contextlib import ExitStack
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.load.browser import Browser
from tests.load.crowd import ended
from tests.load.live import Live
from tests.load.server import ROOT, Server
from tests.waiting import wait_until

pytestmark = pytest.mark.slow
ANYBODY, OWN_PAGES, SESSION, TICKET, ACCOUNT, NOBODY = (
    "anybody",
    "our own pages",
    "their session",
    "a ticket",
    "who logs in",
    "nobody",
)
ROUTES = {  # all paths that the server knows -> who may use them
    "/docs": ANYBODY,
    "/live": TICKET,
    "/watch": TICKET,  # the signed key of its link
    "/_stcore/health": ANYBODY,
    "/_stcore/metrics": NOBODY,
    "/_stcore/host-config": ANYBODY,
    "/media/{file_id:path}": ANYBODY,  # whoever knows the random name
    "/_stcore/upload_file/{session_id}/{file_id}": SESSION,
    "/component/{path:path}": ANYBODY,
    "/_stcore/bidi-components/{path:path}": ANYBODY,
    "/_stcore/stream": OWN_PAGES,
    "/auth/login": ACCOUNT,
    "/auth/logout": ACCOUNT,
    "/oauth2callback": ACCOUNT,
    "/_stcore/agent/interact": NOBODY,
    "/_stcore/agent/openapi.json": NOBODY,
    "/_stcore/agent/mcp": NOBODY,
    "/app/static/{path:path}": ANYBODY,
    "": ANYBODY,  # the page itself, and its files
}
LISTED = """
import asyncio, json, os, app
async def listed():
    return sorted({route.path for route in app.app._build_starlette_app().routes})
print(json.dumps(asyncio.run(listed())), flush=True)
os._exit(0)
"""
FOREIGN = "http://evil.example"


def test_every_route_is_known_and_who_may_use_it(tmp_path):
    environment = os.environ | {"TSK_SCHEDULER": "tcp://127.0.0.1:9", "TSK_RUNS_DIR": str(tmp_path)}  # nobody trains here
    done = subprocess.run([sys.executable, "-c", LISTED], cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert set(json.loads(done.stdout.splitlines()[-1])) == set(ROUTES)


@pytest.mark.parametrize("path", [path for path, who in ROUTES.items() if who == NOBODY])
def test_what_nobody_needs_is_closed(server, path):
    assert httpx.get(server.address + path).status_code == 404


@pytest.mark.parametrize("path", ["/live", "/_stcore/stream"])
def test_a_page_of_another_origin_opens_no_websocket(server, path):
    url = server.address.replace("http", "ws", 1) + path
    for origin in (FOREIGN, "null", f"http://localhost:{urlsplit(server.address).port + 1}"):
        with pytest.raises(InvalidStatus) as refused:
            connect(url, origin=origin, proxy=None)
        assert refused.value.response.status_code == 403
    with connect(url, origin=server.address, proxy=None):
        pass


def test_a_page_of_another_origin_asks_nothing_over_http(server):
    question = json.dumps({"tickets": [], "have": {}})
    for origin, status in ((FOREIGN, 403), ("null", 403), (server.address, 200)):
        assert httpx.post(f"{server.address}/live", content=question, headers={"Origin": origin}).status_code == status


async def train(tab):
    """Open the page and let it train; what it follows."""
    await tab.open()
    await tab.press("Train")
    (watched,) = (data for data in tab.page.watched.values() if data["drawn"])
    return watched["tickets"], next(iter(watched["drawn"]))


async def followed(address, cookies, tickets, run, seconds=60):
    """The epochs of a run that come to whoever has these cookies and tickets, until it ends; None where nothing comes."""
    epochs, news = {}, asyncio.Event()

    def take(part):
        if part["kind"] == "epochs":
            if part["since"] == 0:
                epochs.clear()
            epochs.update({part["since"] + k: entry["epoch"] for k, entry in enumerate(part["payload"]["list"])})
        news.set()

    live = Live(address, cookies, take)
    await live.follow(tickets)
    try:
        async with asyncio.timeout(seconds):
            while not live.states.get(run, {}).get("ended"):
                news.clear()
                await news.wait()
        return list(epochs.values())
    except TimeoutError:
        return None if not epochs else list(epochs.values())
    finally:
        await live.close()


def test_what_a_browser_follows_no_other_one_can(server):
    async def scenario():
        async with Browser(server.address, "data=iris&epochs=12") as tab, Browser(server.address) as other:
            await other.open()
            tickets, run = await train(tab)
            own, foreign = tab._cookie_header(), other._cookie_header()
            assert await followed(server.address, own, tickets, run) == list(range(1, 13))
            assert await followed(server.address, foreign, tickets, run, seconds=2) is None
            assert await followed(server.address, {}, tickets, run, seconds=2) is None

    asyncio.run(scenario())


def test_an_address_has_as_many_live_connections_as_pages_and_both_are_counted_apart(tmp_path):
    with Server(tmp_path, TSK_MAX_PAGES_PER_ADDRESS="3", TSK_SCHEDULER="tcp://127.0.0.1:9") as server:
        url = server.address.replace("http", "ws", 1)

        def opens(path):
            return connect(f"{url}/{path}", origin=server.address, subprotocols=["streamlit"], proxy=None)

        def is_refused():
            try:
                with opens("live"):
                    return False
            except InvalidStatus as refused:
                assert refused.response.status_code == 429
                return True

        with ExitStack() as stack:
            for _ in range(3):
                stack.enter_context(opens("live"))
            assert is_refused()
            stack.enter_context(opens("_stcore/stream"))
        wait_until(lambda: not is_refused())


def test_after_a_restart_in_mid_run_a_browser_learns_what_became_of_it(tmp_path):
    async def scenario(server):
        async with Browser(server.address, "data=iris&epochs=100000") as tab:
            tickets, run = await train(tab)
            await tab.until(lambda page: page.progress == "Training…")
            own = tab._cookie_header()
            await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        epochs = await followed(server.address, own, tickets, run)  # with the tickets of before
        assert epochs is not None and epochs == list(range(1, len(epochs) + 1))

    with Server(tmp_path, TSK_WORKERS="1") as server:
        asyncio.run(scenario(server))


def test_the_epochs_of_a_new_attempt_replace_those_of_a_worker_that_died(tmp_path):
    async def scenario(server):
        async with Browser(server.address, "data=iris&epochs=2000") as tab:
            tickets, run = await train(tab)
            own = tab._cookie_header()
            following = asyncio.create_task(followed(server.address, own, tickets, run, seconds=120))
            await tab.until(lambda page: page.progress == "Training…")
            for worker in server.parts()["workers"]:
                worker.kill()
            await tab.until(ended, 120)
            assert await following == list(range(1, 2001))

    with Server(tmp_path, TSK_WORKERS="1") as server:
        asyncio.run(scenario(server))

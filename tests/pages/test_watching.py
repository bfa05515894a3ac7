"""Watching a run together: the link and its page, who may lead, and what reaches those who watch."""

import asyncio
import json
import re
import zlib
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.applications import Starlette

from tests.asgi import get
from tests.pages.helpers import as_text, open_page, open_run, upload, wait_for_end
from tests.tables import pets
from tests.trained import OWNER, run_id
from ui.live import route
from ui.live.stage import LAST_EPOCH, lead
from ui.live.subjects import parts_of, ticket_for
from ui.live.watching import NO_LINK, watch_routes
from ui.platform.engine import get_engine
from ui.platform.web.identity import OwnerCookie

BROWSER = "b" * 32  # the id in the lecturer's cookie


@pytest.fixture(autouse=True)
def _no_followers(monkeypatch):
    """Each test has an event loop of its own, and what browsers follow belongs to one."""
    monkeypatch.setattr(route, "_followed", {})


def open_box(app):
    app.session_state["watch_together"] = True
    return app.run()


def link_of(app):
    """The link in the box *Watch*, which is opened for it."""
    (link,) = (one.value for one in open_box(app).code if "/watch?" in one.value)
    return link


def page_of(link):
    """Status and text of what the server answers."""
    place = urlsplit(link)
    status, headers, body = get(OwnerCookie(Starlette(routes=watch_routes())), f"{place.path}?{place.query}")
    assert "set-cookie" not in headers
    return status, body.decode()


def content_of(page):
    return json.loads(re.search(r'id="content">(.*?)</script>', page, re.DOTALL)[1])


def leads(app):
    """The ticket with which the page leads; None where it does not."""
    views = [json.loads(one.proto.json) for one in app.get("bidi_component") if one.proto.json]
    (found,) = (data.get("lead") for data in views if data.get("views") == ["epochs"])
    return found


def test_the_link_shows_the_run_to_whoever_opens_it():
    link = link_of(open_run("iris"))
    assert link.startswith("http://localhost:8501/watch?run=")
    status, page = page_of(link)
    assert status == 200 and "Watching iris: R 3, λ " in page
    content = content_of(page)
    got = parts_of([*content["tickets"], *content["tabs"][-1]["tickets"]], "another's cookie")
    assert {"epochs", "about", "standing", "snapshots", "ruleBases"} <= {part["kind"] for part in got}
    assert {part["of"] for part in got if "of" in part} == {run_id("iris")}
    assert [tab["name"] for tab in content["tabs"]] == ["Stage", "Training", "Firing", "Rules"]
    assert len(content["samples"]["rows"]["row"]) == 150


def test_the_comparison_comes_along():
    app = open_run("iris")
    app.query_params["run"] = run_id("iris-ur")
    link = link_of(app.run())
    assert parse_qs(urlsplit(link).query)["beside"] == [run_id("iris")]
    content = content_of(page_of(link)[1])
    (runs,) = (part["payload"] for part in content["parts"] if part["kind"] == "runs")
    assert (runs["shown"], runs["comparison"]) == (run_id("iris-ur"), run_id("iris"))
    got = parts_of(content["tickets"])
    assert {part["of"] for part in got if part["kind"] == "epochs"} == {run_id("iris-ur"), run_id("iris")}


@pytest.mark.parametrize(
    "change",
    [
        lambda link: link[:-1] + ("0" if link[-1] != "0" else "1"),
        lambda link: link.replace(run_id("iris"), run_id("wine")),
        lambda link: f"{link}&beside={run_id('wine')}",
        lambda link: link.partition("&key")[0],
        lambda link: link.partition("?")[0],
        lambda link: f"{link.partition('&key')[0]}&key=%F0%9F%98%80",
    ],
)
def test_another_link_shows_nothing(change):
    status, page = page_of(change(link_of(open_run("iris"))))
    assert status == 404 and NO_LINK in page and run_id("iris") not in page


def test_a_run_that_was_deleted_is_said_in_a_sentence(monkeypatch):
    link = link_of(open_run("iris"))
    monkeypatch.setenv("TSK_RUNS_DIR", "")
    key = link.replace(run_id("iris"), "f" * 32)
    monkeypatch.setattr("ui.live.watching._key", lambda run, beside: parse_qs(urlsplit(link).query)["key"][0])
    status, page = page_of(key)
    assert status == 404 and NO_LINK not in page and "run" in page


def test_an_uploaded_table_has_no_name_and_its_rows_come_only_where_they_are_kept():
    status, page = page_of(link_of(open_run("pets", owner=OWNER)))
    assert status == 200 and "pets.csv" not in page and "Watching uploaded table" in page
    assert len(content_of(page)["samples"]["rows"]["row"]) == 60
    app = upload(open_page(epochs="3"), "secret-patients.csv", pets())
    app.button(key=next(one.key for one in app.button if one.label == "Train")).click().run()
    page = page_of(link_of(wait_for_end(app)))[1]
    content = content_of(page)
    assert "secret-patients" not in page and content["samples"]["rows"] is None
    assert all("not public" in content["tabs"][k]["note"] for k in (0, 3))


def test_only_the_owners_page_leads_and_only_once_its_box_was_opened():
    app = open_run("iris", owner=OWNER)
    assert leads(app) is None
    assert leads(open_box(app))
    assert "your slider" in " ".join(as_text(one.value) for one in app.caption)
    app = open_box(open_run("iris", owner="c" * 32))
    assert leads(app) is None
    assert "whoever started it" in " ".join(as_text(one.value) for one in app.caption)


def test_before_there_is_a_run_nothing_can_be_watched():
    assert not [one for one in open_box(open_page()).code if "watch" in one.value]


# The live route: what a lecturer's browser says, and what watchers get.


class Tab:
    """A websocket of the live route, without a server. owner: in its cookie."""

    def __init__(self, owner=None):
        self._inbox, self.got, self._news = asyncio.Queue(), [], asyncio.Event()
        cookie = [(b"cookie", f"tsk_owner={owner}".encode())] if owner else []
        scope = {"type": "websocket", "path": "/live", "root_path": "", "query_string": b"", "headers": cookie}
        self._inbox.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.create_task(Starlette(routes=route.live_routes())(scope, self._inbox.get, self._send))
        self.closed = False

    async def _send(self, message):
        if message["type"] == "websocket.send":
            self.got += json.loads(message.get("text") or zlib.decompress(message["bytes"]))
        self.closed |= message["type"] == "websocket.close"
        self._news.set()

    def say(self, **said):
        self._inbox.put_nowait({"type": "websocket.receive", "text": json.dumps(said)})

    async def until(self, true):
        """Wait until ``true`` holds of the parts that came."""
        async with asyncio.timeout(60):
            while not true(self.got):
                self._news.clear()
                await self._news.wait()

    async def end(self):
        self._inbox.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self._task


def stages(got):
    return [part["payload"] for part in got if part["kind"] == "stage"]


def test_watchers_get_the_epoch_that_the_lecturer_selects():
    run = run_id("wine")

    async def visit():
        lecturer, watcher = Tab(BROWSER), Tab()
        leading = ticket_for(BROWSER, "stage", run=run, leads=True)
        lecturer.say(tickets=[leading], have={})
        watcher.say(tickets=[ticket_for(None, "stage", run=run)], have={})
        await lecturer.until(lambda got: any(part["payload"].get("text") == "1 browser watching now." for part in got))
        for epoch in (3, None):
            lecturer.say(lead=leading, stage={"epoch": epoch, "future": True})
            await watcher.until(lambda got, epoch=epoch: stages(got)[-1:] == [{"epoch": epoch, "future": True}])
        late = Tab("d" * 32)
        late.say(tickets=[ticket_for(None, "stage", run=run)], have={})
        await late.until(stages)
        assert stages(late.got) == [{"epoch": None, "future": True}]
        for tab in (lecturer, watcher, late):
            assert not tab.closed
            await tab.end()

    asyncio.run(visit())


@pytest.mark.parametrize(
    ("given", "owner"),
    [
        (lambda run: ticket_for(BROWSER, "stage", run=run, leads=True), "e" * 32),  # another browser
        (lambda run: ticket_for(BROWSER, "stage", run=run, leads=True), None),
        (lambda run: ticket_for(None, "stage", run=run), BROWSER),  # a watcher's
        (lambda run: ticket_for(BROWSER, "run", run=run, watched=True), BROWSER),
        (lambda run: "made up", BROWSER),
        (lambda run: 7, BROWSER),
    ],
)
def test_nobody_else_leads(given, owner):
    run = run_id("breast-cancer")
    with pytest.raises((ValueError, KeyError)):
        lead(given(run), owner, {"epoch": 1, "future": True})
    assert "stage" not in get_engine().told(run)


@pytest.mark.parametrize(
    "stage",
    [
        {"epoch": -1, "future": True}, {"epoch": LAST_EPOCH + 1, "future": True}, {"epoch": "1", "future": True},
        {"epoch": 1.5, "future": True}, {"epoch": True, "future": True}, {"epoch": [1], "future": True},
        {"epoch": 1, "future": 1}, {"epoch": 1}, {"future": True}, [], None, 1,
    ],
)  # fmt: skip
def test_what_is_no_epoch_is_not_passed_on_and_closes_the_connection(stage):
    run = run_id("breast-cancer")

    async def visit():
        tab = Tab(BROWSER)
        tab.say(lead=ticket_for(BROWSER, "stage", run=run, leads=True), stage=stage)
        await tab.until(lambda got: tab.closed)
        await tab.end()

    asyncio.run(visit())
    assert "stage" not in get_engine().told(run)


def test_the_tickets_of_a_page_are_for_its_browser_alone():
    one = ticket_for(BROWSER, "run", run=run_id("iris"), watched=False)
    assert parts_of([one], BROWSER) and not parts_of([one], None) and not parts_of([one], "e" * 32)

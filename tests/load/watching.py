"""Watchers of a run: ``python -m tests.load.watching --watchers 300``.

Starts the app, lets a lecturer train a run slowly, connects simulated phones with the tickets of the page of watchers, and prints
what they saw while the lecturer moves the epoch slider:

pages    seconds from a phone's request to the whole page
epochs   seconds from the moment at which an epoch was due at this pace to its arrival, above the least such time
stage    seconds from the lecturer's browser to a phone, of each epoch selected
app      processor seconds of the app for each second
"""

import asyncio
import json
import os
import re
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode

from tornado.httpclient import AsyncHTTPClient

from tests.load.browser import Browser
from tests.load.figures import options, percentiles, show
from tests.load.live import Live
from tests.load.server import Server
from ui.live.subjects import ticket_for
from ui.platform.web.identity import signature_of

PACE, EPOCHS = 5, 900  # epochs a second, and how many
MOVES = 0.7  # seconds between two moves of the slider
_CONTENT = re.compile(r'id="content">(.*?)</script>', re.DOTALL)


@dataclass
class Seen:
    """What the phones saw. sent: when the lecturer selected each epoch. epochs: each arrival less the moment when it was due."""

    pages: list[float] = field(default_factory=list)
    epochs: list[float] = field(default_factory=list)
    stage: list[float] = field(default_factory=list)
    sent: dict[int, float] = field(default_factory=dict)
    cpu: float = 0.0
    watching: str = ""

    def take(self, part: dict[str, Any]) -> None:
        """One part that a phone got."""
        if part["kind"] == "stage" and part["payload"]["epoch"] in self.sent:
            self.stage.append(part["at"] - self.sent[part["payload"]["epoch"]])
        if part["kind"] == "epochs" and part["since"]:
            self.epochs += [part["at"] - epoch["epoch"] / PACE for epoch in part["payload"]["list"]]


async def watching(server: Server, watchers: int, seconds: float) -> Seen:
    """Let so many phones watch for so long."""
    seen = Seen()
    async with Browser(server.address, f"data=iris&epochs={EPOCHS}&pace={PACE}") as lecturer:
        await lecturer.open()
        await lecturer.press("Train")
        await lecturer.until(lambda page: page.progress.startswith("Training"))
        run = parse_qs(lecturer.page.query)["run"][0]
        link = f"{server.address}/watch?{urlencode({'run': run, 'key': signature_of(f'watch:{run}:')})}"
        lead, leading = ticket_for(None, "stage", run=run, leads=True), Live(server.address, {})
        await leading.follow([lead])
        phones = await asyncio.gather(*(_phone(server.address, link, seen) for _ in range(watchers)))
        await asyncio.sleep(3)
        await _measure(server, leading, lead, seconds, seen)
        seen.watching = leading.standings[f"stage {run}"]["text"]
        await asyncio.gather(*(phone.close() for phone in (*phones, leading)))
    return seen


async def _phone(address: str, link: str, seen: Seen) -> Live:
    """A phone that has opened the link and shows the first tab."""
    began, client = time.monotonic(), AsyncHTTPClient(max_clients=500)
    page = (await client.fetch(link, headers={"Accept": "text/html"}, request_timeout=60)).body.decode()
    seen.pages.append(time.monotonic() - began)
    phone = Live(address, {}, seen.take)
    await phone.follow(json.loads(_CONTENT.search(page)[1])["tickets"])
    return phone


async def _measure(server: Server, leading: Live, lead: str, seconds: float, seen: Seen) -> None:
    seen.epochs.clear()
    before, began = server.process.cpu_times(), time.monotonic()
    deadline = began + seconds
    epoch = 0
    while time.monotonic() < deadline:
        epoch += 1
        seen.sent[epoch] = time.monotonic()
        await leading.tell({"lead": lead, "stage": {"epoch": epoch, "future": True}})
        await asyncio.sleep(MOVES)
    after = server.process.cpu_times()
    seen.cpu = (after.user + after.system - before.user - before.system) / (time.monotonic() - began)


def main() -> None:
    """Read the arguments, run, print."""
    asked = options(__doc__, watchers=(300, "simulated phones"), seconds=(20.0, "that are measured"))
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), TSK_WORKERS="1") as server:
        os.environ["TSK_RUNS_DIR"] = str(server.runs)  # which has the key of the links and tickets that are made here
        seen = asyncio.run(watching(server, asked.watchers, asked.seconds))
    least = min(seen.epochs, default=0.0)
    figures = {
        "pages_s": percentiles(seen.pages), "epochs_s": percentiles([late - least for late in seen.epochs]),
        "stage_s": percentiles(seen.stage), "app_cores": round(seen.cpu, 3), "said": seen.watching,
    }  # fmt: skip
    show(f"{asked.watchers} phones watch a run of {PACE} epochs a second", figures)


if __name__ == "__main__":
    main()

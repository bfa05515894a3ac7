"""Another browser steers a run by its link: own buttons are enabled by a run of its own, then a message names the victim's."""

import asyncio

import pytest

from tests.load.browser import Browser
from tests.load.ledger import states
from tests.load.server import Server
from tests.waiting import wait_until

pytestmark = pytest.mark.slow

LONG = "data=iris&epochs=2000&rules=150&batch=16"  # minutes
REFUSED = "Only the person who started this run can change it"


@pytest.fixture
def server(tmp_path):
    with Server(tmp_path, TSK_WORKERS="2") as server:
        yield server


async def run_of(tab):
    """The run that the address of a tab names, once it has begun."""
    await tab.until(lambda page: "run=" in page.query)
    return dict(part.split("=", 1) for part in tab.page.query.split("&"))["run"]


def epochs(server, run):
    return len((server.runs / run / "epochs.jsonl").read_text().splitlines())


def goes_on(server, run):
    """Whether a run reaches more epochs, and nobody asked it to stop, to wait or to train slowly."""
    before = epochs(server, run)
    wait_until(lambda: epochs(server, run) > before or states(server.runs)[run] != "running", seconds=10)
    asked = [name for name in ("stop", "pause", "pace") if (server.runs / run / name).exists()]
    return states(server.runs)[run] == "running" and not asked


def test_a_press_beside_the_link_of_another_persons_run_does_not_reach_it(server):
    async def attack():
        async with Browser(server.address, LONG) as victim, Browser(server.address, LONG) as attacker:
            for tab in (victim, attacker):
                await tab.open()
                await tab.press("Train")
            run, own = await run_of(victim), await run_of(attacker)
            assert run != own
            wait_until(lambda: all((server.runs / one / "epochs.jsonl").exists() for one in (run, own)))
            for number, label in enumerate(("Stop", "Pause", "Step")):
                attacker.page.query = f"run={run}"
                await attacker.press(label)
                assert goes_on(server, run), label
                assert REFUSED in " ".join(attacker.page.errors), label
                attacker.page.query = f"run={own}"
                await attacker.change("Rules R", 4 + number)  # the next press is on a page of the attacker's own run again
            await attacker.press("Stop")  # its own it may stop
            wait_until(lambda: states(server.runs)[own] == "stopped")
            await victim.press("Stop")
            wait_until(lambda: states(server.runs)[run] == "stopped")

    asyncio.run(attack())

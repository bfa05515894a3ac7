"""A class of fifty trains at once: ``python -m tests.load.fifty --sessions 50 --epochs 30``.

Starts the app, sends simulated browsers in, and prints what they saw. All seconds are measured from the visitors' side:

opening  from the first request to the end of the script's first run
press    from the press on Train to the page that answers it
click    from a change of a setting to the page that answers it, while anyone in the class trains
finish   from the press to the page that says so

--beside 2 lets two more train Satellite meanwhile (it needs TSK_DATA_DIR). --processes 2 serves pages from two processes, behind
nginx.
"""

import asyncio
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.load.browser import Trouble
from tests.load.crowd import Visit, rehearse, visit_all
from tests.load.figures import Usage, options, percentiles, show
from tests.load.server import Server


def fifty(
    server: Server,
    sessions: int,
    epochs: int,
    *,
    warm: bool = True,
    first_visit: bool = False,
    seconds: float = 300,
    beside: int = 0,
) -> dict:
    """Run the load against ``server`` and return the figures; ``finished`` and ``failed`` add up to ``sessions``.

    beside: so many more visitors train Satellite meanwhile, and are not counted.
    """
    query = f"data=iris&epochs={epochs}"
    if warm:
        asyncio.run(rehearse(server.address, query))
    usage, began = Usage(server.process), time.monotonic()
    visits = asyncio.run(_visits(server.address, query, sessions, first_visit, seconds, beside))
    troubles = Counter(visit.trouble for visit in visits if visit.trouble)
    return {
        "sessions": sessions,
        "finished": sum(_went_well(visit) for visit in visits),
        "failed": sum(not _went_well(visit) for visit in visits),
        "troubles": dict(troubles.most_common(5)),
        "opening_s": percentiles([visit.opened for visit in visits]),
        "press_s": percentiles([visit.pressed for visit in visits]),
        "click_s": percentiles([click for visit in visits for click in visit.clicks]),
        "finish_s": percentiles([visit.finished for visit in visits]),
        "wall_s": round(time.monotonic() - began, 1),
    } | usage.read()


async def _visits(address: str, query: str, sessions: int, first_visit: bool, seconds: float, beside: int) -> list[Visit]:
    others = [asyncio.create_task(rehearse(address, "data=satellite&epochs=200", seconds)) for _ in range(beside)]
    visits = await visit_all(address, query, sessions, first_visit=first_visit, seconds=seconds)
    for other in others:
        other.cancel()
    for outcome in await asyncio.gather(*others, return_exceptions=True):
        if isinstance(outcome, Trouble):
            raise outcome
    return visits


def _went_well(visit: Visit) -> bool:
    return visit.finished is not None and not visit.trouble


def main() -> None:
    """Read the arguments, run, print."""
    asked = options(
        __doc__, sessions=(50, "simulated browsers"), epochs=(30, "epochs of each training"), workers=("2", "worker processes"),
        cold=(False, "nobody opened the page before"), first_visit=(False, "scripts, styles and charts are fetched"),
        seconds=(300.0, "give up after this long"), beside=(0, "visitors who train Satellite meanwhile"),
        processes=(1, "processes that draw pages"),
    )  # fmt: skip
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the server ends, too
    more = {"TSK_WORKERS": asked.workers, "TSK_MAX_OPEN_PER_ADDRESS": "1000"}  # all visitors come from this machine
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), asked.processes, **more) as server:
        how = {"warm": not asked.cold, "first_visit": asked.first_visit, "seconds": asked.seconds, "beside": asked.beside}
        figures = fifty(server, asked.sessions, asked.epochs, **how)
        figures["left_behind"] = len(server.end())
    show(f"{asked.sessions} sessions at once, Iris, {asked.epochs} epochs", figures)


if __name__ == "__main__":
    main()

"""The page of those who watch a run: a static page with the client, at the address that *Watch* gives; no script draws it.

The address has a key that only this server can make, and only pages that show a run give it away. So who may watch is decided
where pages are drawn, and whoever has the address may. Watchers open no session and get no cookie. They see what anybody sees who
has the link of the run: an uploaded table has no name, and its rows are there only where they are kept with the run.
"""

import asyncio
import gzip
import hmac
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tsk_core.errors import TSKError
from ui.charts import CHARTS, RULES, STAGE
from ui.charts.explanations import explanations_file
from ui.live.run_subjects import lists_spec, page_parts
from ui.live.subjects import ticket, ticket_for
from ui.platform.addresses import link_to
from ui.platform.assets import CLIENT, client_file, styles
from ui.platform.caches import once_per_server
from ui.platform.engine import get_engine
from ui.platform.web.files import path_of
from ui.platform.web.identity import signature_of
from ui.runs.run_view import RunView, settings_of
from ui.runs.side_tasks import RULE_LENGTH

FRESH = 10  # seconds for which a page that was made is given to all who ask
NO_LINK = "This link to a run is incomplete, or comes from another server. Ask for it again, or scan the QR code."
_NO_POINTS = "The rows of this table are not public, so none are drawn."
_NO_RULES = "The rows of this table are not public, so the rules are written once training has ended."
_TABS = {  # tab -> its views, and the lists that they draw
    STAGE: (("stage",), ("snapshots", "ruleBases")),
    "Training": (("loss", "accuracy"), ()),
    "Firing": (("firing", "entropy"), ()),
    RULES: (("readable", "strengths", "ruleBar", "rules"), ("ruleBases", "strengths", "snapshots")),
}
_pool = ThreadPoolExecutor(2, "watch")
_templates = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined)


def watch_link(run: RunView, comparison: RunView | None) -> str:
    """The address at which others watch a run that this page shows. comparison: drawn over it, where there is one."""
    beside = comparison.id if comparison else ""
    return link_to("watch", {"run": run.id} | ({"beside": beside} if beside else {}) | {"key": _key(run.id, beside)})


def lead_ticket(run: RunView) -> str:
    """The ticket with which this browser leads those who watch a run of its own, and learns how many do."""
    return ticket("stage", run=run.id, leads=True)


def watch_routes() -> list[BaseRoute]:
    """What ``st.App`` serves to watchers."""
    return [Route(path_of("watch"), _answer)]


def _key(run: str, beside: str) -> str:
    return signature_of(f"watch:{run}:{beside}")


async def _answer(request: Request) -> Response:
    run, beside, key = (request.query_params.get(name, "") for name in ("run", "beside", "key"))
    sentence = NO_LINK
    if hmac.compare_digest(key.encode(), _key(run, beside).encode()):
        try:
            moment = int(time.monotonic() // FRESH)
            page = await asyncio.get_running_loop().run_in_executor(_pool, _page, run, beside, moment)
            return _response(page, 200, "gzip" in request.headers.get("accept-encoding", ""))
        except TSKError as error:  # deleted meanwhile
            sentence = str(error)
    return _response(gzip.compress(_templates.get_template("no_watch.html").render(sentence=sentence).encode()), 404, False)


def _response(packed: bytes, status: int, takes_gzip: bool) -> Response:
    headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
    if takes_gzip:
        return Response(packed, status, headers | {"Content-Encoding": "gzip"}, "text/html")
    return Response(gzip.decompress(packed), status, headers, "text/html")


@once_per_server(entries=8)
def _page(run: str, beside: str, moment: int) -> bytes:
    """The page, packed: a full lecture hall asks for it at once. moment: pages of another one are made anew."""
    shown, comparison = RunView.load(run, ""), RunView.load(beside, "") if beside else None
    text = _templates.get_template("watch.html").render(
        title=f"{shown.data['name']}: {settings_of(get_engine().store.record(run))}", content=_content(shown, comparison),
        style=styles(CLIENT / "watch.css"),
        script=f"./app/static/{client_file('watch.js')}",
    )  # fmt: skip
    return gzip.compress(text.encode("utf-8", "replace"), 6)


def _content(run: RunView, comparison: RunView | None) -> dict[str, Any]:
    """For ui/client/watch.js. All of it, the tickets too, is for whoever has the address."""
    words, samples = RULE_LENGTH.default, run.samples()
    notes = {} if samples["rows"] else {STAGE: _NO_POINTS, RULES: _NO_RULES}
    tabs = [
        {
            "name": name, "views": views, "note": notes.get(name, ""),
            "tickets": [ticket_for(None, "lists", **lists_spec(run, lists, words))] if lists else [],
        }
        for name, (views, lists) in _TABS.items()
    ]  # fmt: skip
    runs = [ticket_for(None, "run", run=one.id, watched=False) for one in (run, comparison) if one is not None]
    return {
        "run": run.id, "charts": [CHARTS[name].declaration for views, _ in _TABS.values() for name in views if name in CHARTS],
        "explanations": f"./app/static/{explanations_file()}", "samples": samples, "tabs": tabs,
        "tickets": [*runs, ticket_for(None, "stage", run=run.id)], "parts": page_parts(run, comparison, dark=False),
    }  # fmt: skip

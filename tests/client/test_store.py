"""The browser's store with what streams send: whatever is lost or repeated on the way, it ends with what the server has."""

import json
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as some

from tests.client.messages import list_part, make_epoch, value_part
from tsk_core.live import Stream, as_json

pytestmark = pytest.mark.browser

# What one browser does with messages: it says of which lists something was missing, and how far it is.
RECEIVE = """
await import("/client/core/store.js");
const { marksOf, receive } = await import("/client/core/feed.js");
return [given[0].flatMap((message) => receive(JSON.parse(message), true)), marksOf()];
"""
FORGET = 'const { forget } = await import("/client/core/feed.js"); forget(Object.keys(given[0]).map((key) => key.split(" ")[0]));'
STATE = """const { state } = await import("/client/core/store.js"); return JSON.stringify(state());"""
LEFT_OUT = {"loss_ur", "ur_floor", "ce_validation"}


def as_drawn(epoch):
    """An epoch as the browser has it."""
    record = {name: value for name, value in epoch.to_dict().items() if name not in LEFT_OUT}
    values = {re.sub("_([a-z])", lambda found: found[1].upper(), name.removeprefix("loss_")): record[name] for name in record}
    dead, idle = (np.flatnonzero(rules).tolist() for rules in (epoch.dead, epoch.idle))
    return values | {"dead": dead, "idle": idle, "ur": max(0.0, epoch.loss_ur - epoch.ur_floor)}


class Server:
    """What a server has of the runs that a page shows: a stream for each, and what the page itself says."""

    def __init__(self):
        self.streams, self.histories, self.attempts, self.moment = {}, {}, {}, 0

    def begin(self, run):
        """A run begins, or begins anew."""
        self.streams.setdefault(run, Stream(now=self.later))
        self.histories[run], self.attempts[run] = [], self.attempts.get(run, 0) + 1
        self.train(run, 0)

    def later(self):
        self.moment += 1
        return self.moment

    def train(self, run, epochs):
        history = self.histories[run]
        new = [make_epoch(len(history) + k + 1, seconds=self.attempts[run] + k / 8) for k in range(epochs)]
        history += new
        self.streams[run].extend("epochs", run, self.attempts[run], [as_json(epoch.to_dict()) for epoch in new])
        self.streams[run].set("about", {"epochs": 200, "ended": len(history) > 9}, run)

    def message(self, runs, have):
        """What a page with these marks lacks of these runs; None for nothing. The marks then count it."""
        found = []
        for run in runs:
            parts, reached = self.streams[run].missing(have)
            found += parts
            have |= reached
        return f"[{','.join(found)}]" if found else None


class Page:
    """A page in a browser, and what the server believes that it has: ``have``. waiting: messages on their way."""

    def __init__(self, client, server):
        self.client, self.server, self.shown, self.comparison, self.waiting = client, server, None, None, []
        client.run(FORGET, client.run(RECEIVE, [])[1])
        self.draw(None, None)

    def draw(self, shown, comparison):
        """Streamlit draws it: the browser drops what it shows no longer, and asks from where it then is."""
        self.shown, self.comparison = shown, comparison
        said = value_part("runs", {"shown": shown, "comparison": comparison, "dark": False})
        self._have(self.client.run(RECEIVE, [json.dumps([said])])[1])

    def connect(self):
        """Anew: what was on its way is lost."""
        self.waiting = []
        self._have(self.client.run(RECEIVE, [])[1])

    def send(self, times):
        """The server sends what it believes is missing, so many times."""
        while message := self.server.message(filter(None, (self.shown, self.comparison)), self.have):
            self.waiting += [message] * times

    def receive(self):
        """What was on its way arrives. Returns whether something was missing; then the browser has asked from where it is."""
        missing, marks = self.client.run(RECEIVE, self.waiting)
        self.waiting = []
        if missing:
            self._have(marks)
        return bool(missing)

    def _have(self, marks):
        self.have = {key: tuple(mark) for key, mark in marks.items()}


happenings = some.lists(
    some.tuples(
        some.sampled_from(["trains", "trains", "trains", "begins anew", "next run", "looks back", "connects again"]),
        some.integers(0, 5),  # epochs that are done by then
        some.integers(0, 2),  # times that the message comes
        some.booleans(),  # whether it comes before anything else happens
    ),
    max_size=20,
)


def happen(what, page, server):
    if what == "begins anew":
        server.begin(page.shown)
    elif what == "next run":
        run = f"run {len(server.histories)}"
        server.begin(run)
        page.draw(run, page.shown)
    elif what == "looks back" and page.comparison:
        page.draw(page.comparison, page.shown)
    elif what == "connects again":
        page.connect()


@given(happened=happenings)
@example(happened=[("trains", 1, 1, True), ("begins anew", 1, 0, True), ("trains", 0, 0, True)])  # as many epochs, but others
@example(happened=[("trains", 2, 1, True), *[("next run", 1, 1, True)] * 2, ("looks back", 0, 1, True)])
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_lost_or_repeated_the_browser_ends_with_the_servers_epochs(client, happened):
    server = Server()
    page = Page(client, server)
    happen("next run", page, server)
    for what, epochs, times, arrives in happened:
        happen(what, page, server)
        server.train(page.shown, epochs)
        page.send(times)
        if arrives:
            page.receive()
    page.connect()
    page.send(1)
    assert not page.receive()
    state = json.loads(client.run(STATE))
    for side, run in (("shown", page.shown), ("comparison", page.comparison)):
        history = server.histories.get(run, [])
        assert (state[side]["run"], state[side]["epochs"]) == (run, list(map(as_drawn, history)))
        assert state[side]["about"] == ({"epochs": 200, "ended": len(history) > 9} if run else {})


def test_the_browser_finds_the_same_rules_dead_and_idle_as_the_server(client):
    """At the bounds too: an equal share of one row, and a fifth of an equal share."""
    rng, history = np.random.default_rng(0), []
    for epoch in range(1, 201):
        R, rows = int(rng.integers(1, 40)), int(rng.integers(1, 2000))
        bounds = [bound * near for bound in (0.2 / R, 1 / R / rows) for near in (1 - 1e-9, 1, 1 + 1e-9)]
        entropy = rng.multinomial(rows, np.full(30, 1 / 30))
        history.append(make_epoch(epoch, rng.choice([0.0, *bounds, 1 / R, 1.0], R), entropy, loss_ur=rng.choice([0.4, 0.5, 0.9])))
    assert {bool(one) for epoch in history for one in (*epoch.dead, *epoch.idle)} == {True, False}
    runs = value_part("runs", {"shown": "bounds", "comparison": None, "dark": False})
    message = [runs, list_part("epochs", "bounds", [epoch.to_dict() for epoch in history])]
    client.run(RECEIVE, [json.dumps(message)])
    assert json.loads(client.run(STATE))["shown"]["epochs"] == list(map(as_drawn, history))

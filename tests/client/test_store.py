"""The browser's store with messages of the server itself: whatever gets lost on the way, it ends with what the server has."""

import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as some

from tests.client.messages import make_epoch, make_shown
from tsk_core.live import FIELDS
from ui.live import feed_of_session
from ui.live.message import message

pytestmark = pytest.mark.browser

# What one browser does with the messages that reach it: it says, for each, of which lists something is missing.
RECEIVE = """
const store = await import("/client/core/store.js");
return JSON.stringify(given[0].map((message) => store.receive(message).missing));
"""
STATE = """const { state } = await import("/client/core/store.js"); return JSON.stringify(state());"""


def as_sent(history):
    return [{name: value(epoch) for name, value in FIELDS.items()} for epoch in history]


ticks = some.lists(
    some.tuples(
        some.sampled_from(["trains", "trains", "trains", "begins anew", "next run", "looks back"]),
        some.integers(0, 5),  # epochs that are done by then
        some.integers(0, 2),  # times that the message comes: Streamlit leaves out those that are overtaken
    ),
    max_size=20,
)


@given(ticks=ticks)
@example(ticks=[("trains", 1, 1), ("begins anew", 1, 0), ("trains", 0, 0), ("trains", 0, 0)])  # as many epochs, but others
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_lost_or_repeated_the_browser_ends_with_the_servers_epochs(client, ticks):
    def receive(*messages):
        return json.loads(client.run(RECEIVE, json.loads(json.dumps(messages))))

    feed_of_session().forget()
    receive([feed_of_session().value("runs", {"shown": None, "comparison": None, "dark": False})])
    shown, comparison, trained = make_shown([], "run 0"), None, 0
    for happening, epochs, times in [*ticks, ("trains", 0, 1)]:
        if happening == "begins anew":
            shown.history, trained = [], trained + 1
        elif happening == "next run":
            shown, comparison, trained = make_shown([], f"{shown.id}'"), shown, trained + 1
        elif happening == "looks back" and comparison:
            shown, comparison = comparison, shown
        first = len(shown.history) + 1
        shown.history = shown.history + [make_epoch(first + k, seconds=trained + k / 8) for k in range(epochs)]
        parts = message(shown, comparison)
        if times and any(receive(*[parts] * times)):  # the server answers where the browser misses something
            feed_of_session().forget()
            assert not any(receive(message(shown, comparison)))
    state = json.loads(client.run(STATE))
    assert state["shown"]["epochs"] == as_sent(shown.history)
    assert state["comparison"]["epochs"] == (as_sent(comparison.history) if comparison else [])
    assert (state["shown"]["run"], state["comparison"]["run"]) == (shown.id, comparison and comparison.id)

"""The browser's store with messages of the server itself: whatever gets lost on the way, it ends with what the server has."""

import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as some

from tests.client.messages import make_epoch, make_history, make_shown
from tsk_core.live import FIELDS
from ui.live import feed_of_session
from ui.live.message import message

pytestmark = pytest.mark.browser

SOME = settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])

# What one browser does with the messages that reach it: it says, for each, of which lists something is missing.
RECEIVE = """
const store = await import("/client/core/store.js");
return JSON.stringify(given[0].map((message) => store.receive(message).missing));
"""
STATE = """const { state } = await import("/client/core/store.js"); return JSON.stringify(state());"""


class Visit:
    """One visitor: the server's side, whose session is Streamlit's own, and the browser's."""

    def __init__(self, client):
        self.client = client
        feed_of_session().forget()
        self.receive([feed_of_session().value("runs", {"shown": None, "comparison": None, "dark": False})])

    def send(self, shown, comparison=None, times=1):
        """A tick: the message reaches the browser so many times; the server answers where it misses something."""
        parts = message(shown, comparison)
        if times and any(self.receive(*[parts] * times)):
            feed_of_session().forget()
            assert not any(self.receive(message(shown, comparison)))

    def receive(self, *messages):
        return json.loads(self.client.run(RECEIVE, json.loads(json.dumps(messages))))

    def do(self, name, value):
        self.client.run("const store = await import('/client/core/store.js'); store[given[0]](given[1]);", name, value)

    @property
    def state(self):
        return json.loads(self.client.run(STATE))


def as_sent(history):
    return [{name: value(epoch) for name, value in FIELDS.items()} for epoch in history]


@pytest.fixture
def visit(client):
    return Visit(client)


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
@SOME
def test_whatever_is_lost_or_repeated_the_browser_ends_with_the_servers_epochs(client, ticks):
    visit = Visit(client)
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
        visit.send(shown, comparison, times)
    state = visit.state
    assert state["shown"]["epochs"] == as_sent(shown.history)
    assert state["comparison"]["epochs"] == (as_sent(comparison.history) if comparison else [])
    assert (state["shown"]["run"], state["comparison"]["run"]) == (shown.id, comparison and comparison.id)


def test_two_messages_lost_in_a_row_need_no_request(visit):
    shown = make_shown(make_history(2))
    visit.receive(message(shown, None))
    for epochs in (4, 6):
        shown.history = make_history(epochs)
        message(shown, None)  # lost
    shown.history = make_history(8)
    assert visit.receive(message(shown, None)) == [[]]
    assert visit.state["shown"]["epochs"] == as_sent(shown.history)


def test_a_lost_session_is_noticed(visit):
    shown = make_shown(make_history(5))
    for _ in range(4):
        message(shown, None)  # to a browser that reloaded since
    assert visit.receive(message(shown, None)) == [["epochs"]]


def test_only_what_is_new_is_sent(visit):
    shown = make_shown(make_history(500))
    for _ in range(4):
        *_, epochs = message(shown, None)
    assert epochs["kind"] == "epochs" and epochs["payload"]["list"] == []


def test_a_run_that_begins_anew_replaces_its_epochs_at_once(visit):
    shown = make_shown(make_history(9))
    for _ in range(4):
        visit.send(shown)
    shown.history = make_history(2, loss_ce=7.0)
    assert visit.receive(message(shown, None)) == [[]]
    assert [epoch["ce"] for epoch in visit.state["shown"]["epochs"]] == [7, 7]


def test_a_run_that_is_shown_again_is_sent_without_a_request(visit):
    one, two, three = (make_shown(make_history(4), name) for name in ("one", "two", "three"))
    for shown, comparison in ((one, None), (two, one), (three, two)):
        for _ in range(4):
            visit.send(shown, comparison)
    assert visit.receive(message(one, three)) == [[]]
    assert len(visit.state["shown"]["epochs"]) == 4


def test_the_server_remembers_the_runs_on_the_page_alone(visit):
    for k in range(30):
        visit.send(make_shown(make_history(1), f"run {k}"))
    parts = message(make_shown(make_history(1), "run 3"), None)
    assert [part["since"] for part in parts if part["kind"] == "epochs"] == [0]  # the browser has forgotten it, too


def test_a_late_message_takes_nothing_back(visit):
    shown = make_shown(make_history(3))
    early = message(shown, None)
    shown.history = make_history(9)
    shown.revisited = True
    visit.send(shown)
    assert visit.receive(early) == [[]]
    state = visit.state["shown"]
    assert len(state["epochs"]) == 9 and state["about"]["revisited"]


# Navigation.


def test_the_newest_epoch_is_followed_until_another_one_is_selected(visit):
    shown = make_shown(make_history(3))
    visit.send(shown)
    assert (visit.state["index"], visit.state["newest"]) == (2, True)
    visit.do("selectEpoch", 1)
    shown.history = make_history(5)
    visit.send(shown)
    assert (visit.state["index"], visit.state["newest"], visit.state["epoch"]["epoch"]) == (1, False, 2)
    visit.do("selectEpoch", None)
    assert (visit.state["index"], visit.state["newest"]) == (4, True)


def test_the_comparison_keeps_its_epochs(visit):
    before, shown = make_shown(make_history(3), "before"), make_shown(make_history(1), "now")
    visit.send(before)
    visit.do("selectEpoch", 0)
    visit.send(shown, before)
    state = visit.state
    assert (state["shown"]["run"], state["comparison"]["run"], len(state["comparison"]["epochs"])) == ("now", "before", 3)
    assert (state["index"], state["newest"]) == (0, True)  # the new run is followed, wherever one was in the old


def test_an_epoch_that_is_gone_is_not_selected(visit):
    shown = make_shown(make_history(9))
    visit.send(shown)
    visit.do("selectEpoch", 7)
    shown.history = make_history(2)
    visit.send(shown)
    shown.history = make_history(12)
    visit.send(shown)
    assert visit.state["newest"]  # and not the eighth again


def test_after_the_search_its_training_is_followed(visit):
    search = make_history(9, stage="hold-out")
    shown = make_shown(search)
    visit.send(shown)
    visit.do("selectEpoch", 4)
    assert visit.state["epoch"]["stage"] == "hold-out"
    shown.history = search + make_history(9)
    visit.send(shown)
    state = visit.state
    assert {epoch["stage"] for epoch in state["shown"]["epochs"]} == {"training"}
    assert (state["index"], state["newest"]) == (8, True)


def test_without_a_run_there_is_nothing_to_select(visit):
    visit.do("selectEpoch", 3)
    state = visit.state
    assert (state["epoch"], state["shown"]["epochs"], state["comparison"]["epochs"]) == (None, [], [])

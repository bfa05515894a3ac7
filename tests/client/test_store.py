"""The browser's store with messages of the server itself: whatever gets lost on the way, it ends with what the server has."""

import json

import pytest
import streamlit as st
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as some

from tests.client.messages import make_epoch, make_history, make_shown
from ui.live.message import FIELDS, message, send_all_again

pytestmark = pytest.mark.browser

SOME = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

# What one browser does with the messages that reach it: it says, for each, of which runs something is missing.
RECEIVE = """
const store = await import("/client/core/store.js");
return JSON.stringify(given[0].map((text) => store.receive(JSON.parse(text))));
"""
STATE = """const { state } = await import("/client/core/store.js"); return JSON.stringify(state());"""
NOTHING = json.dumps({"dark": False, "shown": None, "comparison": None})


class Visit:
    """One visitor: the server's side, whose session is Streamlit's own, and the browser's."""

    def __init__(self, client):
        self.client = client
        send_all_again()
        self.receive(NOTHING)

    def send(self, shown, comparison=None, times=1):
        """A tick: the message reaches the browser so many times; the server answers where it misses something."""
        text = message(shown, comparison)
        if times and any(self.receive(*[text] * times)):
            send_all_again()
            assert not any(self.receive(message(shown, comparison)))

    def receive(self, *texts):
        return json.loads(self.client.run(RECEIVE, list(texts)))

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
    assert visit.receive(message(shown, None)) == [["now"]]


def test_only_what_is_new_is_sent(visit):
    shown = make_shown(make_history(500))
    for _ in range(4):
        text = message(shown, None)
    assert json.loads(text)["shown"]["epochs"] == []


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
    assert len(st.session_state.sent_epochs) == 1


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


@pytest.mark.parametrize(("kept", "epoch", "expected"), [
    ([], 5, None), ([1, 4, 9], 3, 1), ([1, 4, 9], 4, 4), ([1, 4, 9], 20, 9), ([4, 9], 2, 4), ([1, 4], None, 4),
])  # fmt: skip
def test_the_entry_at_an_epoch_is_the_latest_one_up_to_it(client, kept, epoch, expected):
    state = {"shown": {"about": {}}, "epoch": epoch and {"epoch": epoch}}
    found = client.call("core/store.js", "atEpoch", [{"epoch": one} for one in kept], state)
    assert (found and found["epoch"]) == expected


def test_at_the_end_the_entry_is_that_of_the_model_kept(client):
    state = {"shown": {"about": {"ended": True}}, "epoch": {"epoch": 9}, "newest": True}
    assert client.call("core/store.js", "atEpoch", [{"epoch": 9}, {"epoch": 6}], state) == {"epoch": 6}
    assert client.call("core/store.js", "atEpoch", [{"epoch": 6, "end": True}, {"epoch": 9}], state) == {"epoch": 6, "end": True}


def test_all_that_draws_is_called_once_a_frame(visit):
    calls = visit.client.run("""
        const store = await import("/client/core/store.js");
        const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        await frame();
        const calls = [0, 0];
        const ends = calls.map((_, k) => store.subscribe(() => { calls[k] += 1; }));
        for (let k = 0; k < 5; k++) store.selectEpoch(k);
        await frame();
        ends[0]();
        store.selectEpoch(null);
        await frame();
        ends[1]();
        return calls;""")
    assert calls == [1, 2]

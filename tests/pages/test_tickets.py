"""Tickets of what browsers follow: whose they are, how long they hold, and what who has the link of a run alone is told."""

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pages.helpers import ended_run, last_message, last_parts, look_at, open_page, run_of, train, upload, watched
from tests.tables import pets
from tsk_core.data import read_csv
from ui.charts import TABS
from ui.live import subjects
from ui.live.subjects import parts_of, spec_of, ticket
from ui.platform.engine import get_engine
from ui.platform.web import identity

pytestmark = pytest.mark.usefixtures("engine")
OWNER, OTHER = "a" * 32, "b" * 32
NAME = "Dr Grey, room 12.csv"


def made(owner=OWNER, what="queue", **spec):
    """A ticket for the browser with this cookie."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subjects, "owner_of", lambda cookies: owner)
        return ticket(what, **spec)


def test_a_ticket_is_worth_something_with_the_cookie_of_its_browser_alone():
    one = made()
    assert json.loads(spec_of(one, OWNER)) == {"what": "queue"} and parts_of([one], OWNER)
    for owner in (OTHER, None, ""):
        assert spec_of(one, owner) is None and parts_of([one], owner) == []
    for_all = made(owner=None)  # of a browser that refuses cookies, and of those who watch a run
    assert spec_of(for_all, None) == spec_of(for_all, OWNER) == spec_of(one, OWNER)


ANYTHING = st.one_of(st.text(), st.none(), st.integers(), st.lists(st.text()), st.binary(), st.dictionaries(st.text(), st.text()))


@given(ANYTHING, ANYTHING)
def test_an_invented_ticket_is_worth_nothing(invented, other):
    for text in (invented, f"{invented}.{other}"):
        assert spec_of(text, OWNER) is None and parts_of([text], OWNER) == []


@given(st.data())
def test_a_changed_ticket_names_nothing_else(data):
    one = made(what="run", run="1" * 32, watched=True)
    at = data.draw(st.integers(0, len(one)))
    changed = one[:at] + data.draw(st.text(max_size=3)) + one[data.draw(st.integers(at, len(one))) :]
    assert spec_of(changed, OWNER) in (None, spec_of(one, OWNER))


def test_what_a_ticket_names_cannot_be_exchanged():
    named, _, signature = made(what="lists", run="1" * 32, rows=False).partition(".")
    spec = json.loads(base64.urlsafe_b64decode(named))
    others = [{**spec, "rows": True}, {**spec, "run": "2" * 32}, {**spec, "what": "run"}]
    for other in others:
        text = json.dumps(other, separators=(",", ":"), sort_keys=True)
        assert spec_of(f"{base64.urlsafe_b64encode(text.encode()).decode()}.{signature}", OWNER) is None


@pytest.fixture(scope="module")
def uploaded(engine):
    """The page of somebody who trained on a file of theirs, which the server does not keep."""
    identity._kept_secret.cache_clear()  # of another server, in another test
    return train(upload(open_page(data="upload", rules="3", epochs="5"), NAME, pets()))


def test_a_ticket_holds_after_the_server_was_started_again(uploaded):
    tickets = watched(uploaded)["tickets"]
    before = parts_of(tickets)
    identity._kept_secret.cache_clear()  # read from the folder again; nothing else of tickets is kept
    again = parts_of(tickets)
    assert [(part["kind"], part["payload"]) for part in again] == [(part["kind"], part["payload"]) for part in before]
    assert {"about", "epochs", "state"} <= {part["kind"] for part in again}


def test_rules_at_recorded_epochs_are_for_those_who_have_the_table_and_never_for_who_has_the_link_alone(uploaded):
    look_at(uploaded, "Rules")
    owners = last_message(uploaded)["shown"]["ruleBases"]["list"]
    assert [base["end"] for base in owners] == [True] + [False] * 5
    stranger = open_page(run=run_of(uploaded))  # while the page of the owner is open, whose table is at hand
    look_at(stranger, "Rules")
    (end,) = last_message(stranger)["shown"]["ruleBases"]["list"]
    assert end["end"] and end["rules"]
    stranger.selectbox(key="data").set_value("upload").run()
    upload(stranger, "the same.csv", pets())
    assert last_message(stranger)["shown"]["ruleBases"]["list"] == owners
    look_at(uploaded, "Training")


@pytest.mark.parametrize("tab", TABS)
def test_what_who_has_the_link_is_sent_never_has_the_name_of_the_file(uploaded, tab):
    stranger = open_page(run=run_of(uploaded))
    look_at(stranger, tab)
    assert last_message(stranger)["shown"]["epochs"]["list"] and not stranger.exception
    sent = [part.proto.json for part in stranger.get("bidi_component")] + [json.dumps(last_parts(stranger))]
    assert not any(NAME.partition(".")[0] in text for text in sent)


def test_a_run_that_is_deleted_is_said_to_be_gone(engine):
    run = ended_run(engine, read_csv(pets(), target="species"), max_epochs=2).id
    app = open_page(run=run)
    look_at(app, "Mistakes")
    assert not any(part["kind"] == "gone" for part in last_parts(app))
    get_engine().store.housekeeping.remove(run, get_engine().store.record(run).owner)
    gone = [part["payload"] for part in parts_of(watched(app)["tickets"])]
    assert len(gone) == 2 and all("deleted" in sentence or "no such run" in sentence for sentence in gone), gone

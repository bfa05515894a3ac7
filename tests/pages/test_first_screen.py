"""The first screen of each page that trains: two equal ways to a table, the card of an uploaded one; on Explore a training that
moves, and doors to it and to the lessons; and what those see who come back.
"""

import json
import re

import pytest

from benchmarks.demonstration import recorded
from tests.pages.helpers import (
    as_text,
    button,
    labels,
    metric,
    open_page,
    run_of,
    said,
    train,
    upload,
    values,
    wait_for_end,
)
from tests.tables import pets
from tests.trained import OWNER, run_id
from ui.page import last_run
from ui.platform.assets import DEMONSTRATION
from ui.platform.engine import get_engine

WAYS = ("Upload your table", "Choose a dataset")
PAGES = {"explore": "Train", "compare": "Compare", "sweep": "Sweep"}
HTML = b"<!doctype html><html><body><table><tr><td>1</td></tr></table></body></html>"


SENTENCE = "Watch a fuzzy classifier learn, and read it as IF-THEN rules in the words of your own table."


def moves(app):
    """Whether the recorded training is on the page."""
    return any(part.key == "demonstration" for part in app.get("bidi_component"))


@pytest.mark.parametrize("page", PAGES)
def test_each_page_that_trains_has_both_ways_and_one_primary_button(page):
    app = open_page(page=page)
    assert not app.exception and all(labels(app).count(way) == 1 for way in WAYS)
    assert [b.label for b in app.button if b.proto.type == "primary" and not b.disabled] == [PAGES[page]]


def test_on_explore_a_training_moves_below_a_sentence_until_a_table_comes_or_a_run():
    app = open_page(epochs="3", rules="2")
    assert moves(app) and SENTENCE in said(app) and {"Play", "Learn", *WAYS} <= set(labels(app))
    assert app.session_state["data_box"] is False  # the table is one press away
    upload(app, "pets.csv", pets())
    assert not moves(app) and all(way in labels(app) for way in WAYS) and app.session_state["data_box"] is True
    app.selectbox(key="data:list").select("iris").run()
    assert moves(app) and (values(app)["data"], values(app)["target"]) == ("iris", "class")
    assert app.selectbox(key="data:list").options[0] == "Your table (pets.csv)"  # the file stays in the list
    app.selectbox(key="data:list").select("upload").run()
    assert values(app)["target"] == "species" and not button(app, "Train").disabled
    train(app)
    assert not moves(app) and SENTENCE not in said(app) and not any(way in labels(app) for way in WAYS)


def parts_of(demonstration):
    return {part["kind"]: part["payload"] for part in demonstration["parts"]}


def test_what_moves_is_what_the_engine_trains_and_what_play_trains():
    file, now = json.loads(DEMONSTRATION.read_text("utf-8")), recorded()
    kept, trained = parts_of(file), parts_of(now)
    assert kept.keys() == trained.keys() and {part["of"] for part in file["parts"]} == {"demonstration"}
    assert (file["data"], len(file["rows"]["x"])) == (now["data"], len(now["rows"]["x"]))
    for kind in ("epochs", "snapshots", "ruleBases"):
        then, again = kept[kind]["list"], trained[kind]["list"]
        assert [one["epoch"] for one in then] == [one["epoch"] for one in again] and then[0].keys() == again[0].keys()
    assert kept["snapshots"]["base"]["classes"] == trained["snapshots"]["base"]["classes"]
    for then, again in zip(kept["snapshots"]["list"], trained["snapshots"]["list"], strict=True):
        for centers, others in zip(then["centers"], again["centers"], strict=True):
            assert centers == pytest.approx(others, abs=0.05)
    last = kept["epochs"]["list"][-1]
    assert last["rca_test"] == pytest.approx(trained["epochs"]["list"][-1]["rca_test"], abs=0.05)
    app = open_page()
    button(app, "Play").click().run()
    wait_for_end(app)
    assert not app.exception and float(metric(app, "Accuracy")) == pytest.approx(last["rca_test"], abs=0.05)
    about = get_engine().store.open(run_of(app)).about()["dataset"]
    assert about["sha256"] in now["data"] and values(app)["rules"] == 3


@pytest.fixture
def back(monkeypatch):
    """A browser that comes back with the cookie of whoever trained the runs of the tests."""
    monkeypatch.setattr(last_run, "owner_of", lambda cookies: OWNER)
    return OWNER


def test_whoever_comes_back_begins_with_their_last_run_and_may_start_over(back):
    last = get_engine().store.ledger.records(OWNER, task="training", limit=1)[0].id
    app = open_page(owner=back)
    assert not app.exception and run_of(app) == last and "Your last run." in said(app) and not moves(app)
    button(app, "Hide").click().run()
    assert run_of(app) == last and "Your last run." not in said(app)
    app = open_page(owner=back)
    button(app, "Start over").click().run()
    assert "run" not in app.query_params and moves(app) and values(app)["data"] == "iris" and not app.info
    app.run()
    assert "run" not in app.query_params and moves(app)


@pytest.mark.parametrize("link", [{"rules": "3"}, {"data": "wine"}, {"run": "iris"}])
def test_a_link_shows_what_it_says_to_those_who_come_back(back, link):
    app = open_page(owner=back, **({"run": run_id("iris")} if "run" in link else link))
    assert "Your last run." not in said(app) and moves(app) == ("run" not in link)


def test_a_session_without_a_cookie_begins_on_the_first_screen_and_a_damaged_run_is_passed_over(back, monkeypatch):
    store = get_engine().store
    first, second = store.ledger.records(OWNER, task="training", limit=2)
    known = store.open
    monkeypatch.setattr(store, "open", lambda run: known("0" * 32) if run == first.id else known(run))
    assert run_of(open_page(owner=back)) == second.id
    monkeypatch.setattr(last_run, "owner_of", lambda cookies: None)
    assert moves(open_page(owner=back))


def test_a_file_is_the_data_from_then_on_and_its_card_says_what_was_read_and_changes_what_is_predicted():
    app = upload(open_page(), "my pets.csv", pets())
    assert not app.exception and values(app)["data"] == "upload" and values(app)["target"] == "species"
    assert app.selectbox(key="data:list").options[0] == "Your table (my pets.csv)"
    text = said(app)
    assert "**my pets**: 60 rows, 3 columns." in text and "Read as UTF-8, separated by commas." in text
    assert "2 classes: cat (30 rows), dog (30). Chosen as the target since" in text
    assert len(re.findall(r"Data check: \d issues? found", text)) == 1
    assert not button(app, "Train").disabled
    app.selectbox(key="card:target").select("colour").run()
    assert values(app)["target"] == "colour" and "Chosen as the target since" not in said(app)
    button(app, "Show").click().run()
    assert app.session_state["data_view"] == "Data check" and app.session_state["data_box"] is True


def test_a_table_goes_from_page_to_page_with_its_target_and_its_decisions():
    app = upload(open_page(rules="2", epochs="3"), "pets.csv", pets("size,colour,species"))
    app.selectbox(key="card:target").select("colour").run()
    (way,) = (box for box in app.selectbox if box.label == "Test on")
    way.set_value("time").run()
    decided = way.key
    for page in (*list(PAGES)[1:], "explore"):
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception and not app.error
        assert (values(app)["data"], values(app)["target"]) == ("upload", "colour")
        assert app.session_state[decided] == "time" and "pets: 60 rows, 3 columns" in said(app).replace("*", "")
        assert not button(app, PAGES[page]).disabled


@pytest.mark.parametrize("page", PAGES)
def test_an_unreadable_file_is_one_sentence_and_the_ways_stay(page):
    app = upload(open_page(page=page), "table.csv", HTML)
    assert len(app.error) == 1 and as_text(app.error[0].value).endswith(".") and not app.exception
    assert all(way in labels(app) for way in WAYS) and button(app, PAGES[page]).disabled
    assert all(error not in app.sidebar.error for error in app.error)  # a phone hides the sidebar

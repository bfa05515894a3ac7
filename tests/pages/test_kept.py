"""What the page Runs says is kept of a visitor, and deletes."""

from tests.pages.helpers import button, open_page, run_of, train, upload
from tests.pages.test_runs import runs_page
from tests.tables import make_table
from tests.waiting import wait_until
from tsk_core.classroom import Classroom, person_of
from tsk_core.config import TrainConfig
from ui.platform.engine import get_engine

CSV = "a,b,kind\n" + "".join(f"{k},{k % 7},{'xy'[k % 2]}\n" for k in range(40))


def kept(app, column="number"):
    """The table of what is kept: how many of each, or until when."""
    table = app.dataframe[-1].value
    return dict(zip(table["what"], table[column], strict=True))


def delete(app, what="everything"):
    app.selectbox(key="kept_what").set_value(what).run()
    button(app, "Delete it").click().run()
    assert not app.exception and not app.error
    return [note.value for note in app.info]


def test_everything_of_a_visitor_is_deleted_and_a_link_to_it_says_so():
    app = train(open_page(epochs="5", rules="3"))
    run, store = run_of(app), get_engine().store
    other = store.create(TrainConfig(), make_table(), owner="somebody else")
    store.housekeeping.end(other, "finished")
    owner = store.record(run).owner
    classroom = Classroom(store.folder)
    classroom.lock("", person_of(owner), "one", "predict", [1.0])
    runs_page(app)
    assert kept(app) == {"training": 1, "answers on Learn": 1, "cookie with a random number": 1}
    assert any("1 run is deleted" in note for note in delete(app))
    assert kept(app) == {"cookie with a random number": 1} and not store.ledger.records(owner)
    assert classroom.kept_of(person_of(owner)) == (0, 0) and not store.record(other).removed
    again = open_page(run=run)
    assert "The owner of this run deleted it" in again.info[0].value and not again.exception


def test_what_the_list_names_is_deleted_even_before_the_page_has_answered():
    app = train(open_page(epochs="5", rules="3"))
    run, store = run_of(app), get_engine().store
    Classroom(store.folder).lock("", person_of(store.record(run).owner), "one", "predict", [1.0])
    runs_page(app)
    app.selectbox(key="kept_what").set_value("answers on Learn")
    button(app, "Delete it").click().run()
    assert kept(app) == {"training": 1, "cookie with a random number": 1} and not store.record(run).removed


def test_a_run_that_trains_is_stopped_and_deleted():
    app = open_page(epochs="100000", rules="3")
    button(app, "Train").click().run()
    run = run_of(app)
    wait_until(lambda: get_engine().status(run).state == "running")
    runs_page(app)
    assert any("1 run is deleted" in note for note in delete(app, "training"))
    assert get_engine().store.record(run).removed and run not in get_engine().open_runs()
    app.switch_page("pages/explore.py").run()
    assert not app.exception and not app.error


def test_the_table_of_this_page_is_shown_and_forgotten():
    app = upload(open_page(data="upload"), "own.csv", CSV.encode())
    runs_page(app)
    assert "tables of this page" in kept(app) and kept(app, "until")["tables of this page"] == "this page closes"
    delete(app, "tables of this page")
    assert "tables of this page" not in kept(app)


def test_where_runs_expire_the_page_says_when(monkeypatch):
    monkeypatch.setenv("TSK_KEEP_DAYS", "30")
    app = runs_page(train(open_page(epochs="5", rules="3")))
    assert any("30 days after its end" in caption.value for caption in app.caption)
    assert kept(app, "until")["training"].startswith("30 days after its end, the oldest 20")

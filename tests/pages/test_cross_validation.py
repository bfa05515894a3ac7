"""The button for a cross-validation: what it starts, what it says, and where it cannot be pressed."""

from dataclasses import replace

from tests.pages.helpers import as_text, busy_worker, button, labels, open_page, outdated, run_of, run_until, standing, train
from tests.waiting import wait_until
from tsk_core.jobs import Status
from ui.live.task_subjects import task_text
from ui.platform.engine import get_engine
from ui.runs.score_texts import cross_validation_scores

NAME = "5 × 2 cross-validation"
WATCH = "cross_validation_watch"


def said(app):
    return [as_text(caption.value) for caption in app.caption if as_text(caption.value).startswith((NAME, "Forward"))]


def cross_validate(app):
    button(app, NAME).click().run()
    return run_until(app, lambda: said(app))


def test_a_press_cross_validates_the_settings_of_the_run_and_its_scores_are_there_after_a_reload():
    app = open_page()
    assert NAME not in labels(app)
    app = train(open_page(rules="3", epochs="15", ur="2.5"))
    assert not said(app)
    cross_validate(app)
    record = get_engine().store.ledger.records(task="cross-validation")[0]
    assert record.state == "finished" and record.settings == get_engine().store.record(run_of(app)).settings
    assert said(app) == [cross_validation_scores(get_engine().store.open(record.id).metrics())]
    assert NAME not in labels(app) and not app.exception
    sentence = said(app)
    del app.session_state["side_tasks"]  # as after a reload
    assert said(app.run()) == sentence
    other = train(open_page(rules="2", epochs="14"))
    assert not said(other) and not button(other, NAME).disabled


def test_the_browser_says_where_a_cross_validation_stands_until_the_page_says_its_scores():
    app = train(open_page(rules="3", epochs="4", ur="3.5"))
    with busy_worker():
        button(app, NAME).click().run()
        assert standing(app, WATCH)["text"].startswith(f"{NAME}: number ") and "Stop cross-validation" in labels(app)
        assert not outdated(app)
    wait_until(lambda: outdated(app))
    assert said(app.run()) and not outdated(app) and not app.exception


def test_where_a_task_stands_is_said_in_what_it_counts():
    running = Status("r", "running", epoch=3, max_epochs=12)
    queued = Status("r", "queued", position=2, wait=20.0)
    assert task_text(queued, NAME, "epochs") == f"{NAME}: number 2 in the queue, about 20 s."
    assert task_text(running, NAME, "epochs") == f"{NAME}: 25% of the epochs…"
    assert task_text(running, "Computing", "splits") == "Computing: 3 of 12 splits done…"
    assert task_text(running, "The EBM is being trained", "") == "The EBM is being trained…"
    searching = replace(running, stage="hold-out")
    assert task_text(searching, NAME, "epochs") == f"{NAME}: searching for the number of epochs of each fold…"


def test_a_single_split_and_equal_scores_are_shown_without_an_interval():
    metrics = {"title": "Forward-chaining cross-validation (1 split)", "splits": 1, "rca_mean": 0.8, "bca_mean": 0.7}
    text = cross_validation_scores({**metrics, "rca_interval": None, "bca_interval": None})
    none = "(one split, so no interval)"
    assert text == f"Forward-chaining cross-validation (1 split): BCA 0.700 {none}, RCA 0.800 {none}."
    text = cross_validation_scores({**metrics, "title": NAME, "splits": 10, "rca_interval": None, "bca_interval": None})
    assert text.endswith("RCA 0.800 (the same in all splits, so no interval).")
    text = cross_validation_scores({**metrics, "title": NAME, "rca_interval": [0.78, 0.82], "bca_interval": [0.66, 0.74]})
    assert text == f"{NAME}: BCA 0.700 (95% interval 0.660–0.740), RCA 0.800 (95% interval 0.780–0.820)."

"""The tab Samples on a real engine: what is sent to the browser, and when."""

import json

import pytest

from tests.pages.helpers import last_message, look_at, open_page, run_of, train, upload, watched
from tests.tables import pets
from tsk_core.data import load_dataset
from tsk_core.explain import rows_to_show
from ui.live import run_subjects

pytestmark = pytest.mark.slow


def opened(app):
    """What the open tab was sent: the place of its views."""
    look_at(app, "Samples")
    places = [json.loads(part.proto.json) for part in app.get("bidi_component") if part.proto.json]
    (found,) = (place for place in places if "plane" in place.get("views", ()))
    return found


def sent(app):
    return last_message(app)["shown"]["snapshots"]


def rows(app):
    """Those that the browser of the open tab gets."""
    opened(app)
    return last_message(app)["shown"]["rows"]


def test_snapshots_are_sent_to_those_who_look_and_a_page_that_is_drawn_again_follows_the_same(engine):
    app = train(open_page(rules="3", epochs="6"))
    look_at(app, "Training")
    assert not {"snapshots", "rows"} & set(last_message(app)["shown"])
    opened(app)
    first = sent(app)
    assert first["list"] == engine.records(run_of(app), "snapshots")
    assert first["base"] == engine.head(run_of(app), "snapshots")["base"]
    followed = watched(app)["tickets"]
    assert watched(app.run())["tickets"] == followed  # so the browser keeps what it has
    look_at(app, "Rules")
    assert sent(app) == first
    look_at(app, "Training")
    assert "snapshots" not in last_message(app)["shown"]


def test_the_models_of_the_comparison_by_epoch_and_its_final_rules_are_sent_to_stand_beside_the_run(engine):
    app = train(open_page(rules="3", epochs="6"))
    before = run_of(app)
    app = train(app)
    recorded = engine.records(before, "snapshots")
    stage = last_message(app)["comparison"]
    assert stage["snapshots"]["list"] == recorded and "ruleBases" not in stage  # outlines behind those of the run
    look_at(app, "Training")
    assert not {"snapshots", "ruleBases"} & set(last_message(app)["comparison"])
    opened(app)
    found = last_message(app)["comparison"]
    assert found["run"] == before != run_of(app)
    assert len(recorded) > 1  # so that its plane follows the epoch slider
    assert found["snapshots"]["list"] == recorded and found["snapshots"]["base"]
    (end,) = found["ruleBases"]["list"]
    assert end["end"] and len(end["rules"]) == 3


def test_the_rows_are_those_that_the_trained_classifier_would_give_with_their_numbers_in_the_file(engine):
    app = train(open_page(data="wine", rules="3", epochs="3", seed="4"))
    place = opened(app)
    result, dataset = engine.result(run_of(app)), load_dataset("wine")
    assert rows(app) == rows_to_show(result.classifier.encoder_, result.classifier.classes_, dataset.X, dataset.y, result.split)
    assert place["note"] == "" and dataset.sha256 in place["data"]
    lines = pets().decode().splitlines()
    without = [f"{line.rpartition(',')[0]}," if n in (1, 30) else line for n, line in enumerate(lines)]
    app = open_page(data="upload", rules="3", epochs="3")
    train(upload(app, "pets.csv", "\n".join(without).encode()))
    assert rows(app)["row"] == [n for n in range(60) if n not in (0, 29)]


def test_without_the_data_there_are_no_rows_until_the_file_is_chosen():
    app = open_page(data="upload", rules="3", epochs="3")
    train(upload(app, "pets.csv", pets()))
    assert len(rows(app)["row"]) == 60
    other = open_page(run=run_of(app))
    place = opened(other)
    assert rows(other) is None and "hoose the same file in the sidebar" in place["note"]
    other.selectbox(key="data").set_value("upload").run()
    upload(other, "pets.csv", pets())
    assert rows(other) == rows(app) is not None


def test_a_run_that_kept_no_snapshots_sends_its_model_unless_that_is_too_large_for_a_browser(engine, monkeypatch):
    app = train(open_page(rules="3", epochs="3"))
    (engine.store.folder / run_of(app) / "snapshots.jsonl").unlink()
    opened(app)
    model = engine.result(run_of(app)).classifier.to_dict()
    (snapshot,) = sent(app)["list"]
    assert snapshot["epoch"] == 3 and snapshot["centers"] == [rule["centers"] for rule in model["rules"]]
    assert sent(app)["base"]["columns"] == model["columns"] and sent(app)["base"]["normalisation"] == model["normalisation"]
    monkeypatch.setattr(run_subjects, "MOST_NUMBERS", 10)
    assert sent(app) == {"list": []} and not app.exception

"""Before and after on the Explore page: what a run is compared with, what changed, Undo, Reset and New seed."""

from tests.pages.helpers import (
    as_text,
    button,
    last_message,
    look_at,
    metric,
    newest_epoch,
    open_page,
    progress,
    rules,
    run_of,
    train,
    upload,
    values,
    wait_for_end,
)
from tests.waiting import wait_until
from tsk_core.runs import paired_runs
from ui.platform.engine import get_engine
from ui.runs.differences import Side, differences
from ui.settings import page_state as undoing

PETS = b"size,colour,species\n" + b"1.5,red,cat\n4.5,blue,dog\n1,blue,cat\n5,red,dog\n" * 10


def trained(**link):
    return train(open_page(**({"epochs": "5", "rules": "3"} | link)))


def against(app):
    """The sentence that says what the run is compared with."""
    starts = ("Compared with", "No previous run", "No comparison")
    (sentence,) = (as_text(c.value) for c in app.caption if c.value.startswith(starts))
    return sentence


def compare(app, run):
    return app.selectbox(key="compare:with").set_value(run).run()


def change(app, key, value):
    return app.number_input(key=key).set_value(value).run()


def undo(app):
    return button(app, "Undo").click().run()


def test_a_run_opened_by_its_link_compares_with_what_this_browser_pinned():
    app = trained(data="wine", ur="2")
    pinned = run_of(app)
    button(app, "Pin").click().run()
    stranger = trained(data="wine", ur="7")
    assert not [option for option in stranger.selectbox(key="compare:with").options if "λ 2" in option]
    app = open_page()
    app.session_state["owner"] = get_engine().store.record(pinned).owner  # the cookie
    app.query_params["run"] = run_of(stranger)
    app.run()
    assert button(app, "Pin").disabled  # somebody else's run
    compare(app, pinned)
    assert last_message(app)["comparison"]["run"] == pinned and "λ 2 → 7" in against(app)


def test_a_pin_selects_the_run_for_comparison_until_it_is_taken_back():
    app = trained(data="wine")
    first = run_of(app)
    button(app, "Pin").click().run()
    assert "Later runs on this dataset are compared with this one." in app.toast[0].value
    train(change(app, "ur", 10.0))
    train(change(app, "ur", 5.0))
    assert app.selectbox(key="compare:with").value == last_message(app)["comparison"]["run"] == first
    app.query_params["run"] = first
    app.run()
    button(app, "Unpin").click().run()
    train(change(app, "ur", 4.0))
    assert app.selectbox(key="compare:with").value == "before"
    compare(app, "nothing")
    assert last_message(app)["comparison"] is None and against(app) == "No comparison."


def test_a_pinned_run_that_is_gone_gives_way_to_the_run_before():
    app = trained(data="wine")
    first = run_of(app)
    button(app, "Pin").click().run()
    train(change(app, "ur", 10.0))
    second = run_of(app)
    train(app)
    app.selectbox(key="compare:with").set_value(first)
    get_engine().store.housekeeping.remove(first, app.session_state["owner"])
    app.run()
    assert last_message(app)["comparison"]["run"] == second and not app.exception and not app.error
    assert first not in app.selectbox(key="compare:with").options


def test_the_table_says_what_changed():
    app = trained(data="wine")
    first = run_of(app)
    train(change(app, "ur", 10.0))
    assert not app.table  # made for those who open it
    app.session_state["comparison_box"] = True
    app.run()
    results = [get_engine().result(run) for run in (first, run_of(app))]
    paired = paired_runs(*(get_engine().store.open(run) for run in (first, run_of(app))))
    expected = differences(*(Side(r.config, r.test_size, r.history, r.metrics) for r in results), paired)
    assert any(as_text(c.value).startswith(f"Test scores: both runs on the same {paired.rows} test rows") for c in app.caption)
    table = app.table[0].value.map(as_text)
    assert table.iloc[:, :3].to_numpy().tolist() == [list(line[:3]) for line in expected]
    assert table["difference"].tolist() == [", ".join(filter(None, line[3:])) for line in expected]
    assert table.iloc[0].tolist() == ["Uniform regularisation λ", "1", "10", ""]


def tile(app):
    """The tile of the test RCA, and its colour."""
    (found,) = (m for m in app.metric if m.label.startswith("Accuracy"))
    return found, found.proto.MetricColor.Name(found.proto.color)


def test_a_score_is_coloured_only_where_it_differs_by_more_than_chance():
    app = trained(data="wine", epochs="1", lr="0.00001")
    train(change(app, "seed", 7))  # tested on other rows
    assert not tile(app)[0].delta and against(app).endswith("Seed 0 → 7. Other test rows: the scores cannot be compared.")
    app.session_state["comparison_box"] = True
    app.run()
    assert any("tested on different rows" in c.value for c in app.caption)
    assert not any(word in " ".join(app.table[0].value["difference"]) for word in ("better", "worse", "faster", "slower"))
    train(change(app, "epochs", 2))  # hardly trained, and hardly different
    score, colour = tile(app)
    assert score.delta and colour == "GRAY" and "may be due to chance" in score.help
    change(app, "lr", 0.01)
    train(change(app, "epochs", 40))
    score, colour = tile(app)
    assert colour == "GREEN" and score.label == "Accuracy" and "chance" not in score.help


def test_undo_takes_back_changes_one_after_the_other(monkeypatch):
    app = open_page(data="wine")
    start = values(app)
    assert button(app, "Undo").disabled and button(app, "Undo").help == "Nothing to undo."
    states = [start]
    for step in (
        lambda: change(app, "ur", 10.0),
        lambda: app.selectbox(key="bn").select("rbn").run(),
        lambda: app.checkbox(key="es").check().run(),
        lambda: app.selectbox(key="data").select("iris").run(),
        lambda: change(app, "rules", 7),
    ):
        step()
        states.append(values(app))
    assert as_text(button(app, "Undo").help) == "Undoes the last change: R 7 → 20."
    for state in reversed(states[:-1]):
        undo(app)
        assert values(app) == state and not app.exception and not app.error
    assert button(app, "Undo").disabled
    monkeypatch.setattr(undoing, "MOST", 2)  # so far back it reaches
    for weight in (3.0, 4.0, 5.0):
        change(app, "ur", weight)
    assert values(undo(undo(app)))["ur"] == 3.0 and button(app, "Undo").disabled


def test_undo_takes_back_the_settings_that_an_opened_run_brought():
    first = trained(data="wine", ur="3", cw="balanced")
    app = open_page(data="iris", rules="9")
    before = values(app)
    app.query_params["run"] = run_of(first)
    app.run()
    assert values(app)["data"] == "wine"
    undo(app)
    assert values(app) == before
    assert metric(app, "Epoch") == "5 / 5"  # the run stays on the page
    assert values(app.run()) == before


def test_undo_never_loses_an_upload():
    app = open_page()
    change(app, "rules", 3)
    app.selectbox(key="data").select("upload").run()
    upload(app, "pets.csv", PETS)
    change(app, "epochs", 4)
    app.selectbox(key="target").select("colour").run()
    undo(app)
    assert values(app)["target"] == "species"
    undo(app)
    assert (values(app)["epochs"], values(app)["rules"]) == (200, 3)
    undo(app)  # what was changed before the upload
    assert (values(app)["data"], values(app)["rules"]) == ("upload", 20)
    assert button(app, "Undo").disabled and not button(app, "Train").disabled
    assert any(e.label.startswith("Data – pets") for e in app.expander) and not app.error


def test_reset_puts_the_run_away_and_the_next_one_repeats_it():
    app = open_page(data="wine", epochs="5", rules="3", seed="4")
    assert button(app, "Reset").disabled  # there is nothing to put away
    before = values(app)
    train(train(app))
    kept, numbers = run_of(app), (metric(app, "Accuracy"), metric(app, "Balanced accuracy"), rules(app))
    button(app, "Reset").click().run()
    assert "run" not in app.query_params and not app.metric and values(app) == before
    assert button(app, "Reset").disabled and not app.exception and not app.error
    assert any(one.value.startswith("Watch a fuzzy classifier learn") for one in app.header)  # the first screen again
    app.run()
    assert not app.metric
    assert get_engine().store.record(kept).state == "finished"  # it stays in the list of runs
    train(app)
    assert (metric(app, "Accuracy"), metric(app, "Balanced accuracy"), rules(app)) == numbers
    assert last_message(app)["comparison"] is None


def test_reset_stops_a_run_that_trains_and_keeps_its_model():
    app = open_page(data="digits", epochs="2000", rules="5")
    button(app, "Train").click().run()
    wait_until(lambda: newest_epoch(app))
    run = run_of(app)
    button(app, "Reset").click().run()
    assert not app.metric and not button(app, "Train").disabled
    assert get_engine().result(run, timeout=60).state == "stopped"
    other = open_page(run=run)
    wait_for_end(other)
    look_at(other, "Rules")
    assert progress(other).startswith("Stopped") and rules(other)


def test_a_new_seed_stands_in_the_link_and_trains_nothing():
    app = open_page(data="wine", seed="4")
    seeds = [4]
    for _ in range(3):
        button(app, "New seed").click().run()
        seeds.append(values(app)["seed"])
        assert app.query_params["seed"] in ([str(seeds[-1])], str(seeds[-1])) and str(seeds[-1]) in app.toast[0].value
    assert not app.metric and "run" not in app.query_params and len(set(seeds)) > 2 and seeds[-1] != seeds[-2]
    assert values(undo(app))["seed"] == seeds[-2]

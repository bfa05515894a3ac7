"""Tuning on the page Explore, and its runs on the page Runs."""

from dataclasses import replace

import pytest

from tests.pages.helpers import LINK_KEYS, as_text, button, open_page, progress, run_of, run_until, said, standing, train, values
from tests.waiting import wait_until
from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset
from tsk_core.evaluate import SCORINGS
from tsk_core.evaluate.baselines import TunedBaseline
from tsk_core.jobs import Status
from tsk_core.runs import Search, methods_text
from tsk_core.tuning.trial import Trial
from ui.platform.engine import get_engine
from ui.settings.controls import widget_values
from ui.tuning import panel, tuning_run
from ui.tuning.tuning_run import KIND, TuningRun, honest_text, settings_text

KEPT = {"test", "seed"}
USE, FIND = "Use these settings", "Find good settings"
START = TrainConfig.paper(random_state=0)
BEST = TrainConfig(
    firing="scaled", n_rules=30, shrinkage=0.003, l2=1 / 3000, learning_rate=0.02, class_weight="balanced", max_epochs=45,
    random_state=0,
)  # fmt: skip
OWN = Trial(1, replace(START, max_epochs=60), 0.9, 0.04, 0.5, 5, "current", "finished")
TRIALS = [
    Trial(3, BEST, 0.951, 0.03, 0.2, 10, "refinement", "finished"), OWN,
    Trial(2, replace(BEST, n_rules=5), 0.97, None, 0.3, 1, "portfolio", "dropped"),
]  # fmt: skip


def kept_tuning(owner="somebody", state="finished", message="", **metrics):
    """A tuning on Iris that ended; returns its run."""
    store = get_engine().store
    run = store.create(START, load_dataset("iris"), 0.3, owner, task=KIND)
    store.ledger.start(run)
    baselines = {"majority": {"rca": 0.3, "bca": 0.33}, "logistic_regression": {"rca": 0.9, "bca": 0.91}}
    tuned = {"logistic_regression": TunedBaseline({"C": 10.0}, 18, 5, 1.2, 0.93).to_dict()}
    if metrics.pop("found", True):
        known = {"trials": [one.to_dict() for one in TRIALS], "notes": ["3 of 5 folds were used."], "rca": 0.93, "bca": 0.92}
        known |= {"baselines": baselines, "baselines_tuned": tuned}
        store.open(run).write_metrics(known | {"best": BEST.to_dict()} | metrics)
    store.housekeeping.end(run, state, message, metrics.get("rca", 0.93), metrics.get("bca", 0.92))
    return run


def readable_trial(number, rules, conditions, score):
    """A rule base with a standard error of .01."""
    config = TrainConfig.readable(n_rules=rules, max_conditions=3, random_state=0, max_epochs=150, selection_epoch=100)
    return Trial(number, config, score, 0.05, 0.4, 25, "refinement", "finished", conditions)


SHORT, MIDDLE, LONG = readable_trial(4, 2, 5, 0.80), readable_trial(2, 4, 11, 0.91), readable_trial(3, 12, 33, 0.915)


def kept_readable(best=MIDDLE):
    trials = [one.to_dict() for one in (LONG, SHORT, MIDDLE)]
    return kept_tuning(trials=trials, best=best.to_dict()["config"])


def settings(app):
    return {key: value for key, value in values(app).items() if key in LINK_KEYS}


def tuning(app):
    """What the browser says of a tuning that has not ended: the sentence above its bar."""
    return standing(app, "tuning_watch")["text"]


def test_settings_are_named_in_the_words_of_the_page():
    assert settings_text(BEST) == "scaled, R 30, κ 0.003, α 0.000333, balanced class weights, 45 epochs"
    other = replace(BEST, learning_rate=0.01, class_weight={"a": 2.0}, firing="htsk")
    assert settings_text(other) == "htsk, R 30, κ 0.003, α 0.000333, η 0.01, given class weights, 45 epochs"
    adam = settings_text(replace(other, optimizer="adam"))
    assert adam == "htsk, R 30, κ 0.003, α 0.000333, η 0.01, Adam, given class weights, 45 epochs"
    assert settings_text(replace(BEST, n_trainings=5)).startswith("scaled, R 30 in 5 trainings, κ 0.003, ")


def test_a_tuning_says_what_it_found_how_it_was_scored_what_would_change_and_that_the_split_did():
    app = open_page(run=kept_tuning())
    text = said(app)
    assert not app.exception and not app.error and "run" not in app.query_params
    assert f"Found: {settings_text(BEST)}. On the test rows: BCA 0.920, RCA 0.930." in text
    assert "BCA 0.951 (SD 0.030 over 10 folds)" in text and "the best of 3 combinations of settings it is optimistic" in text
    effort = "tuned by cross-validation, as the model was (logistic regression 18 settings in 1 s)"
    assert f"BCA of baselines, {effort}: logistic regression 0.910." in text
    assert "The settings on the page when tuning began: BCA 0.900 (SD 0.040 over 5 folds)." in text
    assert "R 20 → 30" in text and "f̄ softmax → scaled" in text and "The seed and the test share stay." in text
    assert "3 of 5 folds were used." in text
    assert "The split has changed" not in text
    app.number_input(key="seed").set_value(7).run()
    app.number_input(key="test").set_value(0.5).run()
    assert "The split has changed since tuning (seed 0 → 7, test share 0.3 → 0.5)" in said(app)


def test_its_settings_are_taken_over_but_for_seed_and_test_share():
    app = open_page(run=kept_tuning())
    app.number_input(key="seed").set_value(7).run()
    button(app, USE).click().run()
    expected = {key: value for key, value in widget_values(BEST, 0).items() if key not in KEPT}
    assert settings(app) == expected | {"seed": 7, "test": 0.3} and not app.exception
    assert not any(b.label == USE for b in app.button)  # the box is closed
    app.session_state["tuning_open"] = True
    assert button(app.run(), USE).disabled and "The page has these settings." in said(app)
    button(app, "Undo").click().run()
    assert settings(app) == widget_values(START, 0.3) | {"seed": 7}


def test_a_training_with_the_settings_found_keeps_the_search_and_its_baselines():
    tuned = {"logistic_regression": TunedBaseline({"C": 10.0}, 18, 5, 1.2, 0.93)}
    search = Search(False, 3, 5, 10, 20.0, 0.951, 0.03, True, tuned)
    app = open_page(run=kept_tuning(search=search.to_dict()))
    button(app, USE).click().run()
    app = train(app)
    store = get_engine().store
    metrics = store.open(run_of(app)).metrics()
    assert Search.from_dict(metrics["search"]) == search
    assert metrics["baseline_settings"]["logistic_regression"] == "LogisticRegression(C=10.0, max_iter=1000)"
    text = methods_text(store.result(run_of(app)))
    for part in ("3 combinations", "tuned by 5-fold cross-validation, as the model was", "default settings)"):
        assert part in text
    assert "tuned by cross-validation, as the model was (logistic regression 18 settings in 1 s)" in said(app)
    app.number_input(key="rules").set_value(7).run()  # other settings, which no search found
    metrics = store.open(run_of(train(app))).metrics()
    assert metrics["search"] is None and metrics["baselines_tuned"] == {}


@pytest.mark.parametrize(("state", "message"), [("stopped", "Stopped before it began."), ("failed", "Tuning ended early.")])
def test_a_tuning_without_scores_says_why_in_one_sentence_and_a_stopped_one_keeps_the_best_without_test_scores(state, message):
    app = open_page(run=kept_tuning(state=state, message=message, found=False, rca=None, bca=None))
    assert [as_text(one.value) for one in app.warning] == [message]
    assert not app.exception and not app.error and not any(b.label == USE for b in app.button)
    app = open_page(run=kept_tuning(state="stopped", message="Stopped.", rca=None, bca=None))
    assert "so they were not tested on the test rows" in said(app) and not button(app, USE).disabled


def test_a_tuning_is_found_again_after_a_reload_folded():
    app = open_page()
    kept_tuning(owner=app.session_state["owner"])
    del app.session_state["tunings"]  # as after a reload
    app.run()
    assert any(box.label == "Tuning" for box in app.expander)
    other = app.selectbox(key="data").select("wine").run()
    assert not any(box.label == "Tuning" for box in other.expander)


def test_a_tuning_waits_for_a_training_keeps_its_run_on_the_page_and_a_stop_keeps_the_best():
    app = open_page(epochs="2000", rules="3")
    button(app, "Train").click().run()
    run = run_of(app)
    button(app, FIND).click().run()
    assert "in the queue" in tuning(app) and "It begins when your training has ended." in tuning(app)
    assert run_of(app) == run and button(app, FIND).disabled
    button(app, "Stop").click().run()
    wait_until(lambda: "tried" in tuning(app))
    (best,) = standing(app, "tuning_watch")["lines"]
    assert best["text"].startswith("Best so far: BCA")
    run_until(app, lambda: progress(app).startswith("Stopped"))
    searched = get_engine().store.ledger.records(app.session_state["owner"], task=KIND)[0].id
    assert button(open_page(run=searched), "Stop tuning").disabled  # somebody else's
    app.switch_page("pages/runs.py").run()
    assert set(app.dataframe[0].value["kind"]) == {"training", "tuning"}
    app.switch_page("pages/explore.py").run()
    button(app, "Stop tuning").click().run()
    run_until(app, lambda: any(b.label == USE for b in app.button))
    assert "Found: " in said(app) and run_of(app) == run and not app.exception


def test_a_readable_tuning_says_the_size_it_found_and_why_it_is_this_one_unless_it_has_the_best_score():
    app = open_page(run=kept_readable())
    text = said(app)
    assert f"Found: 4 rules with about 11 conditions: {settings_text(MIDDLE.config)}. On the test rows: BCA 0.920" in text
    assert "BCA 0.910 (SD 0.050 over 25 folds)" in text
    assert "Of all sizes it is the shortest within one standard error of the best, by the score less" in text
    assert settings_text(MIDDLE.config).startswith("R 4, k 3, λ 0.9, ρ ") and not app.exception
    text = said(open_page(run=kept_readable(LONG)))
    assert "Found: 12 rules with about 33 conditions" in text and "it is the shortest" not in text


def test_another_rule_base_of_the_curve_is_chosen_and_its_settings_are_used():
    run = kept_readable()
    app = open_page(run=run)
    app.session_state["tuning_chosen"] = {run: SHORT.number}  # as the figure sends it
    app.run()
    text = said(app)
    assert "Found: 4 rules" in text and f"Chosen: 2 rules with about 5 conditions: {settings_text(SHORT.config)}." in text
    assert "It was not tested on the test rows: train it to see." in text
    button(app, USE).click().run()
    assert values(app)["rules"] == 2 and not app.exception


def test_the_figure_is_told_the_curve_and_what_is_chosen():
    run = TuningRun(Status(run="r", state="finished"), [LONG, MIDDLE, SHORT], {})
    assert run.readable and run.best == MIDDLE and run.own is None
    assert [point.number for point in run.curve] == [4, 2, 3]
    mixed = TuningRun(run.status, [OWN, replace(OWN, number=2, origin="portfolio", conditions=4)], {})
    assert not mixed.readable and mixed.best == mixed.own == OWN


def test_the_form_starts_a_tuning_for_the_aim_and_the_score_that_are_chosen(monkeypatch):
    started = []
    monkeypatch.setattr(panel, "start", lambda *arguments: started.append(arguments[2:]))
    app = open_page()
    button(app, FIND).click().run()
    app.radio(key="tuning_aim").set_value(True).run()
    assert app.checkbox(key="tuning:several").disabled
    app.radio(key="tuning_aim").set_value(False).run()
    app.checkbox(key="tuning:several").uncheck().run()
    app.selectbox(key="tuning:scoring").set_value("roc_auc").run()
    button(app, FIND).click().run()
    app.radio(key="tuning_aim").set_value(True).run()
    button(app, FIND).click().run()
    assert started == [(30, False, "balanced_accuracy", 8, 0.3), (30, False, "roc_auc", 1, 0.3), (30, True, "roc_auc", 1, 0.3)]
    assert not app.exception
    box = open_page().selectbox(key="tuning:scoring")
    assert len(box.options) == len(SCORINGS) == len(panel.SCORING_TEXTS) and set(panel.SCORING_TEXTS) == set(SCORINGS)


def test_a_search_that_is_late_says_why_it_has_no_score_yet():
    running = Status("r", "running", max_epochs=20)
    assert tuning_run.standing(running, 12, 0, training=False) == "Tuning: starting…"
    assert tuning_run.standing(running, 31, 0, training=False) == (
        "Tuning: no settings have a score after 31 s, since this machine is busy or the table is large; waiting for the first"
        " score…"
    )
    assert tuning_run.standing(running, 12, 3, training=False).startswith("Tuning: about 8 of 20 s left")


def test_several_trainings_that_were_taken_are_explained_and_preferred_settings_of_the_page_not_said_to_be_the_best():
    several = replace(TRIALS[0], config=replace(BEST, n_rules=32, n_trainings=4))
    app = open_page(run=kept_tuning(trials=[several.to_dict()], best=several.config.to_dict()))
    text = said(app)
    assert "R 32 in 4 trainings" in text and "Several trainings are chosen unless their mean score" in text
    assert "Several trainings" not in said(open_page(run=kept_tuning()))
    preferred = honest_text(several, several, tried=3)
    assert "None did better" not in preferred and "These are the settings on the page when tuning began" in preferred
    assert "None did better than the settings on the page when tuning began" in honest_text(TRIALS[0], TRIALS[0], tried=3)


def test_a_tuning_by_another_score_says_that_score():
    scored = zip(TRIALS, (0.31, 0.44, 0.4), strict=True)
    trials = [replace(one, score=-score, scoring="neg_log_loss").to_dict() for one, score in scored]
    baselines = {"logistic_regression": {"rca": 0.9, "bca": 0.91, "auc": 0.98, "scored": -0.402}}
    search = Search(False, 3, 5, 10, 20.0, -0.31, 0.03, scoring="neg_log_loss").to_dict()
    text = said(open_page(run=kept_tuning(trials=trials, baselines=baselines, scored=-0.333, auc=0.99, search=search)))
    assert "On the test rows: negative log loss −0.333, BCA 0.920, RCA 0.930." in text
    assert "Negative log loss of baselines" in text and "logistic regression −0.402." in text
    assert "In tuning: negative log loss −0.310 (SD 0.030 over 10 folds)." in text
    assert "The settings on the page when tuning began: negative log loss −0.440" in text


def test_on_the_page_runs_a_tuning_opens_has_no_download_and_is_not_compared():
    app = train(open_page(epochs="5", rules="3"))
    run = kept_tuning(owner=app.session_state["owner"])
    app.switch_page("pages/runs.py").run()
    listed = app.dataframe[0].value
    assert listed["kind"].tolist() == ["tuning", "training"] and listed["test BCA"][0] == 0.92
    (key,) = (d.key for d in app.dataframe if d.key and d.key.startswith("runs:"))

    def ticked(*rows):
        app.session_state[key] = {"selection": {"rows": list(rows), "columns": [], "cells": []}}
        return app.run()

    ticked(0)
    assert not button(app, "Open").disabled and not app.get("download_button") and "has no model" in said(app)
    assert any(run in code.value for code in app.code)
    ticked(0, 1)
    assert "Only trainings can be compared" in said(app) and not app.exception and not app.get("plotly_chart")


def test_a_link_to_a_cross_validation_says_that_it_has_no_model():
    store = get_engine().store
    run = store.create(START, load_dataset("iris"), task="cross-validation")
    store.ledger.start(run)
    store.housekeeping.end(run, "finished", "", 0.9, 0.9)
    app = open_page(run=run)
    assert "not a training (cross-validation)" in said(app) and not app.exception and "run" not in app.query_params

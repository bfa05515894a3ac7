"""What a missed case costs: the control on the tab Mistakes, its effect, links, the tab Predict, and the report."""

import threading
from datetime import UTC, datetime
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pandas as pd
import pytest

from tests.pages.helpers import as_text, ended_run, full_link, look_at, open_page, open_run, said
from tsk_core.data import read_csv
from tsk_core.evaluate import Decision, effect_of, rows_alone
from ui.platform.engine import get_engine
from ui.report.run_report import report
from ui.runs.score_texts import confusion_lines

HOSTILE = "<img src=x onerror=alert(1)> **bad** $x$"


def patients(n=160, seed=0):
    """Two classes that overlap, the rarer one with a hostile name."""
    rng = np.random.default_rng(seed)
    size, age = rng.normal(size=(2, n)).round(4)
    bad = size + rng.normal(size=n) > 0.8
    return pd.DataFrame({"size": size, "age": age, "state": np.where(bad, HOSTILE, "good")})


@pytest.fixture(scope="module")
def clinic(engine):
    """A run of two classes."""
    content = patients().to_csv(index=False).encode()
    return ended_run(engine, read_csv(content, "state"), n_rules=3, max_epochs=30)


@pytest.fixture(scope="module")
def weighted(engine):
    """The same, with class weights."""
    content = patients().to_csv(index=False).encode()
    return ended_run(engine, read_csv(content, "state"), n_rules=3, max_epochs=30, class_weight="balanced")


def opened(run, tab="Mistakes", **link):
    app = open_page(run=run.id, **link)
    look_at(app, tab)
    return app.run()


def set_cost(app, cost, positive=None):
    if positive:
        app.selectbox(key="positive_box").select(positive)
    return app.number_input(key="cost_box").set_value(cost).run()


def kept(run):
    """True classes, predicted classes and the probabilities of the hostile class, by the run's own file."""
    predictions, classes = get_engine().store.open(run.id).predictions(), run.metrics["classes"]
    at = classes.index(HOSTILE)
    return predictions.true == at, predictions.predicted == at, predictions.probabilities[:, at]


def test_the_control_starts_with_the_rarer_class_and_equal_costs_and_three_classes_have_none(clinic):
    app = opened(clinic)
    assert not app.exception and not app.error
    assert app.selectbox(key="positive_box").value == HOSTILE and app.number_input(key="cost_box").value == 1
    assert "Both mistakes cost the same" in said(app) and not {"cost", "positive"} & set(app.query_params)
    app = open_run("iris", "Mistakes", cost="5", positive="setosa")
    assert not app.exception and not [one for one in app.number_input if one.key == "cost_box"]


def test_the_effect_is_what_the_predictions_of_the_run_give(clinic):
    app = set_cost(opened(clinic), 5.0)
    assert not app.exception and not app.error
    true, before, p = kept(clinic)
    after = p >= 1 / 6
    found, alarms = int((true & after & ~before).sum()), int((~true & after & ~before).sum())
    assert found and alarms
    text = said(app)
    more = [f"{k} more {'is' if k == 1 else 'are'}" for k in (found, alarms)]
    assert f"Of {true.sum()} rows of '{HOSTILE}' {more[0]} found" in text
    assert f"of {(~true).sum()} rows of 'good' {more[1]} called '{HOSTILE}'" in text and "it was not chosen on test rows" in text
    cost = [(5 * (true & ~one).sum() + (~true & one).sum()) / len(true) for one in (before, after)]
    assert f"{cost[0]:.3f} by the largest probability, {cost[1]:.3f} with this cost" in text
    assert f"(ECE; 0 is best). Decided differently: {(before != after).sum()} rows, of which " in text
    matrices = [table.value for table in app.table if "True class" in table.value.columns]
    counts = [[[int((t & d).sum()) for d in (~one, one)] for t in (~true, true)] for one in (before, after)]
    order = [clinic.metrics["classes"].index(name) for name in ("good", HOSTILE)]
    for matrix, expected in zip(matrices, counts, strict=True):
        shown = matrix.iloc[:, 1:].astype(int).to_numpy()[np.ix_(order, order)]
        assert shown.tolist() == expected
    (scores,) = (table.value for table in app.table if "With this cost" in table.value.columns)
    for way, value in zip(scores.columns[1:], cost, strict=True):
        assert as_text(scores[way].iloc[-1]).startswith(f"{value:.3f} (")


def test_with_class_weights_the_page_says_from_which_probability_on_they_predict_a_class(weighted):
    true, before, p = kept(weighted)
    train = weighted.kept_dataset.y if weighted.kept_dataset else patients()["state"]
    classifier = weighted.result.classifier
    at = classifier.classes_.tolist().index(HOSTILE)
    prior = classifier.model_.log_prior
    start = 1 / (1 + np.exp(prior[1 - at] - prior[at]))
    assert abs(start - (np.asarray(train) == HOSTILE).mean()) < 0.05  # balanced: its share of the training rows
    np.testing.assert_array_equal(before, p >= start)
    predicts = f"the model predicts '{HOSTILE}' from a probability of {100 * start:.1f}%"
    app = opened(weighted)
    assert predicts in said(app) and "Both mistakes cost the same" not in said(app)
    app = set_cost(app, 1.5)
    assert not app.exception and predicts in said(app) and "its probability is at least 1/(1 + 1.5) = 40.0%" in said(app)
    lost = int((true & before & (p < 0.4)).sum())
    assert lost and f"{lost} fewer {'is' if lost == 1 else 'are'} found" in said(app) and "below 40.0%" in said(app)
    assert any("As predicted" in table.value.columns for table in app.table)


def test_the_address_and_the_full_link_have_the_decision_on_every_tab_and_a_link_brings_it_back(clinic):
    app = set_cost(opened(clinic), 5.0, "good")
    assert (app.query_params["cost"], app.query_params["positive"]) == ("5", "good")
    again = opened(clinic, cost="5", positive="good")
    assert again.number_input(key="cost_box").value == 5 and again.selectbox(key="positive_box").value == "good"
    assert "rows of 'good'" in said(again)
    set_cost(again, 1.0)
    assert "cost" not in again.query_params
    app = open_run("breast-cancer", "Rules", cost="0.5", positive="malignant")
    assert dict(parse_qsl(urlsplit(full_link(app)["link"]).query)).items() >= {"positive": "malignant", "cost": "0.5"}.items()


@pytest.mark.parametrize(
    ("text", "positive", "used", "note"),
    [
        ("much", "good", 1, "is not a number"),
        ("1e9", "good", 1000, "so 1000 is used"),
        ("5", "malignant", 1, "Both mistakes cost the same"),  # a class of another table
    ],
)
def test_a_cost_in_a_link_that_cannot_be_is_corrected_and_said(clinic, text, positive, used, note):
    app = opened(clinic, cost=text, positive=positive)
    assert app.number_input(key="cost_box").value == used and note in said(app)
    assert not app.exception


def test_predict_decides_with_the_cost_beside_the_predicted_class(clinic):
    app = opened(clinic, "Predict", cost="5", positive=HOSTILE)
    new = patients(40, seed=1).drop(columns="state")
    app.file_uploader(key="predict_file").set_value(("new.csv", new.to_csv(index=False).encode(), "text/csv")).run()
    assert not app.exception and not app.error
    classifier = clinic.result.classifier
    p = classifier.predict_proba(new)[:, classifier.classes_.tolist().index(HOSTILE)]
    shown = app.dataframe[-1].value
    assert shown["decision"].tolist() == np.where(p >= 1 / 6, HOSTILE, "good").tolist()
    assert shown["predicted"].tolist() == classifier.predict(new).tolist()
    assert "costs 5 times a false alarm" in said(app)
    predictions = app.session_state["table:predictions"].value
    name = f"decision if missing {HOSTILE} costs 5"
    assert predictions.downloaded(Decision(HOSTILE, 5))[name].tolist() == shown["decision"].tolist()
    app.session_state["predict_way"] = "One row"
    assert "Decision: **" in said(app.run())


def test_files_have_as_many_conditions_as_the_page_and_its_decision_though_they_are_made_without_the_session(clinic, monkeypatch):
    made, asked = [], []
    monkeypatch.setattr("ui.explore.export_tab.st.download_button", lambda label, data, *_, **named: made.append((label, data)))
    monkeypatch.setattr("ui.explore.export_tab.report", lambda *args, **named: asked.append((args[3], named["decision"])) or b"")
    app = opened(clinic, "Export", cost="5", positive=HOSTILE)
    app.session_state["rule_length"] = 2
    app.run()
    thread = threading.Thread(target=dict(made)["Download report (HTML)"])
    thread.start()
    thread.join()
    assert asked == [(2, Decision(HOSTILE, 5))]


def test_the_report_has_the_decision_where_one_is_made(clinic):
    made = datetime(2026, 3, 1, tzinfo=UTC)
    html = report(clinic, None, "http://localhost/?run=1", 2, made, decision=Decision(HOSTILE, 5)).decode()
    true, before, p = kept(clinic)
    found = int((true & (p >= 1 / 6) & ~before).sum())
    assert 'id="decision"' in html and f"{found} more " in html and "&lt;img src=x" in html and HOSTILE not in html
    assert 'id="decision"' not in report(clinic, None, "http://localhost/?run=1", 2, made).decode()


@pytest.mark.parametrize("ends", [("agree", "disagree"), ("yes" * 20, "yes" * 20 + " again" + "yes" * 20)])
def test_long_class_names_that_are_alike_keep_a_column_each(ends):
    """Alike in their first forty letters, and alike at both ends."""
    long = "Patients who answered the questionnaire: "
    names = (long + ends[0], long + ends[1])
    true, predicted = np.array([0] * 12 + [1] * 18), np.array([0] * 10 + [1] * 2 + [0] * 3 + [1] * 15)
    probabilities = np.where(np.arange(2) == predicted[:, None], 0.9, 0.1)
    effect = effect_of(Decision(names[0], 1.0), names, true, predicted, probabilities, rows_alone(len(true)), 0)
    lines = confusion_lines(effect, effect.before)
    assert [[*line.values()][1:] for line in lines] == [["10", "2"], ["3", "15"]]
    assert lines[0]["True class"] != lines[1]["True class"]

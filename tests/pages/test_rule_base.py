"""The section on the rule base as a whole: its figures are those of the summary, and the check of stability is found again."""

import pytest

from tests.pages.helpers import (
    as_text,
    button,
    forget_what_was_sent,
    last_message,
    look_at,
    open_page,
    run_of,
    run_until,
    table,
    train,
    upload,
)
from tsk_core.explain import RuleStability
from ui.charts.drawn import fidelity_chart
from ui.explore.stability import _rarest
from ui.platform.engine import get_engine

pytestmark = pytest.mark.usefixtures("engine")
STABLE = "How stable are these rules?"


def opened(**settings):
    app = train(open_page(**settings))
    look_at(app, "Rules")
    return app


def metrics(app):
    return {one.label: one.value for one in app.metric}


def sent_end(app):
    return next(base for base in last_message(app)["shown"]["ruleBases"]["list"] if base["end"])


def test_one_figure_of_each_quadrant_stands_first_and_the_rest_is_folded():
    app = opened(data="wine", rules="3", epochs="20")
    summary = get_engine().result(run_of(app)).rules(4)
    for of_group in summary.figures.groups.values():
        assert metrics(app)[of_group[0].name] == of_group[0].text
    rows, of = summary.uncovered
    labels = [one.label for one in app.expander]
    assert {"All figures, and what is good", "How faithful is the text?"} <= set(labels)
    assert f"Rows that no rule covers: {rows:,} of {of:,}" in labels


def test_the_browser_gets_the_claims_of_the_final_rules():
    app = opened(data="wine", rules="3", epochs="20")
    summary, end = get_engine().result(run_of(app)).rules(4), sent_end(app)
    assert [one["rule"] for one in end["rules"]] == [rule.index for rule in summary.rules]
    for rule, sent in zip(summary.rules, end["rules"], strict=True):
        claims = sent["claims"]
        assert claims["confidence"] == rule.claim.confidence and claims["interval"] == list(rule.claim.interval)
        assert claims["coverage"] == rule.claim.covers(len(rule.antecedents)) and claims["stability"] is None
        assert claims["mostly"] == [str(name) for name in rule.mostly] and claims["literal"] == rule.claim.literal
    assert end["printed"] == [reading.to_dict() for reading in summary.readings]
    assert (end["uncovered"]["rows"], end["uncovered"]["of"]) == summary.uncovered


def test_before_the_run_has_a_model_there_is_no_section():
    app = open_page()
    assert STABLE not in [one.label for one in app.button]


@pytest.mark.slow
def test_a_press_checks_how_stable_the_rules_are_and_a_reload_finds_it():
    app = opened(data="iris", rules="3", epochs="10")
    button(app, STABLE).click().run()
    run_until(app, lambda: any(as_text(one.value).startswith("Trained again with 10 other seeds") for one in app.caption))
    record = get_engine().store.records(task="rule-stability")[0]
    found = RuleStability.from_dict(get_engine().store.open(record.id).metrics()["lengths"][3])
    forget_what_was_sent(app)  # all was sent, maybe some messages ago
    end = sent_end(app.run())
    for sent in end["rules"]:
        stable = sent["claims"]["stability"]
        assert (stable["times"], stable["of"]) == (found.seeds.times[sent["rule"]], 10)
        assert stable["bootstrap"]["times"] == found.bootstrap.times[sent["rule"]]
        assert found.text_of(sent["rule"]) in sent["measured"]
    assert STABLE not in [one.label for one in app.button] and not app.exception
    del app.session_state["rule_stabilities"]  # as after a reload
    app.session_state["current_run"].shared.stability = None
    assert any(as_text(one.value) == found.text for one in app.run().caption)
    other = opened(data="iris", rules="2", epochs="10")
    assert not button(other, STABLE).disabled


def test_without_the_data_the_check_is_disabled_and_says_why():
    app = upload(open_page(data="upload", rules="2", epochs="5"), "pets.csv", table())
    train(app)
    look_at(app, "Rules")
    assert not button(app, STABLE).disabled
    visitor = open_page(run=run_of(app))
    look_at(visitor, "Rules")
    assert button(visitor, STABLE).disabled and "not available here" in button(visitor, STABLE).help


def test_the_curve_marks_the_smallest_number_of_conditions_that_agrees_on_95_percent():
    figure = fidelity_chart([(1, 0.7, 0.5), (2, 0.96, 0.6)], 2.0)
    assert [list(line.y) for line in figure.data] == [[0.7, 0.96], [0.5, 0.6]]
    assert [one.text for one in figure.layout.annotations] == ["2 conditions agree on 95%"]
    assert fidelity_chart([(1, 0.97, None)], 1.0, dark=True).layout.annotations[0].text == "1 condition agrees on 95%"
    assert not fidelity_chart([(1, 0.7, 0.5)], None).layout.annotations


def test_rules_that_come_back_rarely_are_named():
    one = {"of": 10, "times": {"1": 2, "2": 9}, "dice": {"1": 0.2, "2": 0.9}, "base": 0.5}
    found = RuleStability.from_dict({"seeds": one, "bootstrap": one})
    assert _rarest(found) == "1 of 2 rules come back in fewer than half of the 10 trainings with other seeds: Rule 1 in 2."
    steady = {**one, "times": {"1": 5, "2": 9}}
    assert _rarest(RuleStability.from_dict({"seeds": steady, "bootstrap": one})).startswith(
        "Every rule that fires comes back in at"
    )

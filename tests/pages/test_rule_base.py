"""The section on the rule base as a whole: its figures are those of the summary, and the check of stability is found again."""

import io
import re
from dataclasses import replace
from datetime import UTC, datetime

import pandas as pd
import pytest

from tests.pages.helpers import as_text, button, last_message, look_at, open_page, open_run, run_of, run_until, train
from tsk_core.explain import RuleStability
from ui.explore.export_tab import rules_file
from ui.explore.rule_base import fidelity_chart, no_better_than_chance
from ui.live.run_subjects import final_rules
from ui.platform.engine import get_engine
from ui.report.run_report import facts
from ui.runs.side_tasks import rule_base_summary, stability

STABLE = "How stable are these rules?"


def opened(**settings):
    app = train(open_page(**settings))
    look_at(app, "Rules")
    return app


def metrics(app):
    return {one.label: one.value for one in app.metric}


def sent_end(app):
    return next(base for base in last_message(app)["shown"]["ruleBases"]["list"] if base["end"])


def test_one_figure_of_each_quadrant_stands_first_and_the_browser_gets_the_counts_of_the_final_rules():
    app = open_run("wine", "Rules")
    summary = get_engine().result(run_of(app)).rules(4)
    for of_group in summary.figures.groups.values():
        assert metrics(app)[of_group[0].name] == of_group[0].text
    rows, of = summary.uncovered
    labels = [one.label for one in app.expander]
    assert {"All metrics, and what is good", "How faithful is the text?"} <= set(labels)
    assert f"Rows for which no sentence is true: {rows:,} of {of:,} test rows" in labels
    end = sent_end(app)
    assert [one["rule"] for one in end["rules"]] == [rule.index for rule in summary.rules]
    for rule, sent in zip(summary.rules, end["rules"], strict=True):
        assert (sent["headline"], sent["remarks"], sent["stability"]) == (rule.headline, list(rule.remarks), None)
        assert sent["right"] == rule.test.share and sent["interval"] == (list(rule.test.interval) if rule.test.true else None)
        assert sent["mostly"] == [str(name) for name in rule.mostly] and sent["measured"] == list(rule.measured)
        assert sent["ranges"] == [[one.low, one.high] for one in rule.antecedents]
        assert re.match(r"True of (no|\d+ of 53) test row", sent["headline"])
    assert end["printed"] == [reading.to_dict() for reading in summary.readings]
    assert (end["uncovered"]["rows"], end["uncovered"]["of"]) == summary.uncovered


@pytest.mark.slow
def test_a_press_checks_how_stable_the_rules_are_and_a_reload_finds_it():
    app = opened(data="iris", rules="3", epochs="10")
    button(app, STABLE).click().run()
    run_until(app, lambda: any(as_text(one.value).startswith("Trained again with 10 other seeds") for one in app.caption))
    record = get_engine().store.ledger.records(task="rule-stability")[0]
    found = RuleStability.from_dict(get_engine().store.open(record.id).metrics()["lengths"][3])
    end = sent_end(app)
    for sent in end["rules"]:
        rule = sent["rule"]
        times, chance = found.seeds.times[rule], found.seeds.chance[rule]
        assert sent["stability"] == {"times": times, "of": 10, "chance": chance, "compared": None}
        assert found.text_of(sent["rule"]) in sent["measured"]
    assert STABLE not in [one.label for one in app.button] and not app.exception
    del app.session_state["side_tasks"]  # as after a reload
    app.session_state["current_run"].shared.stability = None
    assert any(as_text(one.value) == found.text for one in app.run().caption)
    other = opened(data="iris", rules="2", epochs="10")
    assert not button(other, STABLE).disabled


def test_the_curve_marks_the_smallest_number_of_conditions_that_agrees_on_95_percent():
    figure = fidelity_chart([(1, 0.7, 0.5), (2, 0.96, 0.6)], 2.0)
    assert [list(line.y) for line in figure.data] == [[0.7, 0.96], [0.5, 0.6]]
    assert [one.text for one in figure.layout.annotations] == ["2 conditions agree on 95%"]
    assert fidelity_chart([(1, 0.97, None)], 1.0, dark=True).layout.annotations[0].text == "1 condition agrees on 95%"
    assert not fidelity_chart([(1, 0.7, 0.5)], None).layout.annotations


ONE = {
    "of": 10, "times": {"1": 2, "2": 9}, "chance": {"1": 2.25, "2": 3.0}, "dice": {"1": 0.2, "2": 0.9},
    "base": 0.5, "base_chance": 0.2,
}  # fmt: skip


def test_rules_that_come_back_no_more_often_than_by_chance_are_named():
    found = RuleStability.from_dict({"seeds": ONE, "bootstrap": ONE, "most": 4})
    assert no_better_than_chance(found) == (
        "In the 10 trainings with other seeds, 1 of 2 rules comes back no more often than chance may explain:"
        " Rule 1 in 2 (by chance: 2.2)."
    )
    steady = {**ONE, "times": {"1": 6, "2": 9}}
    assert no_better_than_chance(RuleStability.from_dict({"seeds": steady, "bootstrap": ONE, "most": 4})).startswith(
        "In the 10 trainings with other seeds, each rule that fires comes back more often than chance explains"
    )


def test_the_card_has_the_figure_of_the_length_shown_and_a_readable_one_that_of_the_longest_and_so_have_csv_and_report():
    run = opened(data="iris", rules="2", epochs="5").session_state["current_run"]
    lengths = [{"seeds": {**ONE, "times": {"1": k, "2": 9}}, "bootstrap": ONE, "most": k} for k in range(1, 13)]
    run.shared.stability = [
        RuleStability.from_dict(one) for one in lengths
    ]  # rule 1 comes back as often as rules have conditions
    for length in (4, 7):
        (one,) = [sent for sent in final_rules(run, length)["rules"] if sent["rule"] == 1]
        assert one["stability"] == {"times": length, "of": 10, "chance": 2.25, "compared": None}
        assert f"in {length} of 10 trainings with other seeds (by chance: 2.2 of 10)" in one["measured"][-1]
    readable = replace(run.config, consequents="constant", max_conditions=2)
    assert stability(replace(run, config=readable), 4).most == 12
    summary = rule_base_summary(run, 4)
    before, frame = summary.to_frame(), pd.read_csv(io.BytesIO(rules_file(run, summary, 4, "csv", False)))
    assert list(frame["rule"]) == list(before["rule"]) and list(frame.columns[: before.shape[1]]) == list(before.columns)
    by_rule = frame.set_index("rule")
    assert by_rule.loc[1, "comes back (seeds)"] == 4 and by_rule.loc[2, "comes back by chance (seeds)"] == 3
    assert set(frame["conditions compared, at most"]) == {4}
    for _, lines, _more in facts(run, None, "", 4, datetime.now(UTC))["rules"]["rules"]:
        assert any(" of 10 bootstrap samples (by chance: " in line for line in lines)

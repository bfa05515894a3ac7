"""The tab Rules on a real engine: which sentences are sent to the browser, of which epochs, in what order and how often."""

from dataclasses import replace

from tests.client.messages import make_epoch
from tests.explain import examples
from tests.pages.helpers import last_message, look_at, open_page, run_of, subject, train, wait_for_end
from tests.waiting import wait_until
from tsk_core.explain import RuleBaseSummary, Summariser
from tsk_core.live import as_rules
from ui.live import run_subjects


def sent_rule_bases(app):
    return last_message(app)["shown"]["ruleBases"]["list"]


def looked_at(lists):
    """Those that a subject has had until now."""
    return [base for part in lists.stream.parts() if part["kind"] == "ruleBases" for base in part["payload"]["list"]]


def test_the_end_comes_first_and_then_each_epoch_kept_also_at_another_length(engine):
    app = train(open_page(rules="3", epochs="12"))
    (only,) = sent_rule_bases(app)  # of the stage
    assert only["end"] and only["epoch"] == 12
    look_at(app, "Training")
    assert "ruleBases" not in last_message(app)["shown"]
    look_at(app, "Rules")
    end, *rest = sent_rule_bases(app)
    assert end["end"] and end["epoch"] == 12 and not any(base["end"] for base in rest)
    assert [base["epoch"] for base in rest] == [one["epoch"] for one in engine.records(run_of(app), "snapshots")]
    recorded = list(app.session_state["current_run"].shared.recorded)
    app.slider(key="rule_length_slider").set_value(1).run()
    shorter = sent_rule_bases(app)
    assert [(base["epoch"], base["end"]) for base in shorter] == [(base["epoch"], base["end"]) for base in (end, *rest)]
    assert all(len(rule["if"]) <= 1 for base in shorter for rule in base["rules"])
    assert any(len(rule["if"]) > 1 for base in rest for rule in base["rules"])
    assert all(old is new for old, new in zip(recorded, app.session_state["current_run"].shared.recorded, strict=True))


def test_sentences_equal_those_of_a_summary_of_that_epoch(engine):
    app = train(open_page(data="wine", rules="3", epochs="9"))
    look_at(app, "Rules")
    found = {base["epoch"]: base for base in sent_rule_bases(app) if not base["end"]}
    result = engine.result(run_of(app))
    dataset = engine.store.dataset(run_of(app))
    parts = [(dataset.X.iloc[rows], dataset.y[rows]) for rows in (result.split.train, result.split.test)]
    encode, classes = result.classifier.encoder_.transform, result.classifier.classes_
    summariser = Summariser(encode, classes, *parts, n_rules=3, quick=True)
    for snapshot in engine.records(run_of(app), "snapshots"):
        rules = as_rules(engine.head(run_of(app), "snapshots")["base"], snapshot)
        summary = RuleBaseSummary.of_kept(summariser.summarise(rules), 4, rules)
        kept = found[snapshot["epoch"]]
        assert all(one["headline"].startswith("True of ") for one in kept["rules"] if not one["dead"])
        assert kept["printed"] == [] and kept["uncovered"] is None
        assert kept["summary"] == summary.measured_text.splitlines()
        for rule, sentence in zip(summary.rules, kept["rules"], strict=True):
            assert (sentence["rule"], sentence["dead"], sentence["support"]) == (rule.index, rule.dead, rule.support)
            if not rule.dead:
                assert sentence["if"] == [a.text for a in rule.antecedents] and sentence["then"] == rule.then
                assert sentence["measured"] == list(rule.measured)


def test_a_rule_that_the_rows_summarised_miss_is_not_called_dead():
    history = [replace(make_epoch(3, firing=(0.4, 0.3, 0.299, 0.001)), stage=stage) for stage in ("training", "hold-out")]
    consequents = [[0.0, 0.0], [1.0, 0.0]]
    exported = examples.base([examples.number("x")], [examples.rule([float(k)], [1.0], consequents) for k in range(4)])
    rules = RuleBaseSummary.build(exported, [[0.0], [1.0], [2.0], [3.0]]).rules
    lost = tuple(replace(one, dead=one.index == 4) for one in rules)
    found = {one.index: one for one in run_subjects._as_recorded(lost, 3, history)}
    assert not found[4].dead and found[4].idle and not found[1].idle
    assert run_subjects._as_recorded(lost, 4, history) == lost  # an epoch without a record


def test_one_look_takes_a_moment_only_and_with_many_rules_fewer_epochs_are_sent(monkeypatch):
    monkeypatch.setattr(run_subjects, "SECONDS", -1.0)  # no time at all: one a look
    app = train(open_page(rules="3", epochs="6"))
    look_at(app, "Rules")
    lists, counts = subject(app, "lists"), []
    while lists.look() == 0:
        counts.append(len(looked_at(lists)))
    assert counts == list(range(1, 8))
    monkeypatch.setattr(run_subjects, "MOST_RULES", 40)
    app = train(open_page(rules="3", epochs="9"))
    look_at(app, "Rules")
    assert [base["epoch"] for base in sent_rule_bases(app)] == [9, 1, 4, 7]


def test_rules_are_sent_during_training():
    app = open_page(data="digits", rules="3", epochs="2000")
    next(button for button in app.button if button.label == "Train").click().run()
    look_at(app, "Rules")
    lists = subject(app, "lists")
    wait_until(lambda: lists.look() is not None and looked_at(lists))
    assert not looked_at(lists)[0]["end"] and looked_at(lists)[0]["rules"]
    next(button for button in app.button if button.label == "Stop").click().run()
    wait_until(lambda: lists.look() is None)  # those who followed it meanwhile have the rules of the model kept, too
    assert any(base["end"] for base in looked_at(lists))
    assert any(base["end"] for base in sent_rule_bases(wait_for_end(app)))


def test_a_run_that_kept_no_rules_says_so_and_damaged_snapshots_leave_the_end(engine):
    app = train(open_page(rules="3", epochs="3"))
    (engine.store.folder / run_of(app) / "book.json.gz").unlink()
    look_at(app, "Rules")
    end, *_ = sent_rule_bases(app)
    assert end["rules"] == [] and "kept no rules as text" in " ".join(end["summary"])
    assert not app.exception and last_message(app)["shown"]["about"]["ended"]
    app = train(open_page(rules="3", epochs="3"))
    (engine.store.folder / run_of(app) / "snapshots.jsonl").write_bytes(b"[1]\n[2]\n")
    look_at(app, "Rules")
    assert [base["end"] for base in sent_rule_bases(app)] == [True] and not app.exception
    shown = last_message(app)["shown"]
    assert "damaged" in shown["errors"] and shown["about"]["ended"] and shown["epochs"]["list"]  # the charts get their data

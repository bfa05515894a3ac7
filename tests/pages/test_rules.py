"""The tab Rules on a real engine: which sentences are sent to the browser, of which epochs, in what order and how often."""

from dataclasses import replace

from tests.client.messages import make_epoch
from tests.explain import examples
from tests.pages.helpers import last_message, look_at, open_page, run_of, run_until, train
from tsk_core.explain import RuleBaseSummary, Summariser
from tsk_core.live import as_rules
from ui.live import message


def sent_rule_bases(app):
    return last_message(app)["shown"]["ruleBases"]


def all_rule_bases(app):
    """Everything that is sent to the browser, message by message, until there is no more."""
    messages = [sent_rule_bases(app)]
    while messages[-1].get("more"):
        messages.append(sent_rule_bases(app.run()))
    return messages


def test_the_end_comes_first_and_then_each_epoch_kept_also_of_a_restarted_run_and_at_another_length(engine):
    app = train(open_page(rules="3", epochs="12"))
    assert "ruleBases" not in last_message(app)["shown"]
    look_at(app, "Rules")
    messages = all_rule_bases(app)
    (end,) = messages[0]["list"]
    assert end["end"] and end["epoch"] == 12
    rest = [base for message in messages[1:] for base in message["list"]]
    assert [base["epoch"] for base in rest] == [one["epoch"] for one in engine.records(run_of(app), "snapshots")]
    assert [message["since"] for message in messages] == [sum(len(m["list"]) for m in messages[:k]) for k in range(len(messages))]
    assert sent_rule_bases(app.run())["list"] == []  # only once
    epochs = [12, *(base["epoch"] for base in rest)]
    first = app.session_state["current_run"].history[0]
    object.__setattr__(first, "seconds", first.seconds + 1)  # as after its worker was lost
    messages = all_rule_bases(app.run())
    assert messages[0]["since"] == 0 and [base["epoch"] for m in messages for base in m["list"]] == epochs
    recorded = list(app.session_state["current_run"].shared.recorded)
    app.slider(key="rule_length_slider").set_value(1).run()
    messages = all_rule_bases(app)
    assert messages[0]["since"] == 0 and messages[0]["list"][0]["end"]
    assert [base["epoch"] for m in messages for base in m["list"]] == epochs
    assert all(len(rule["if"]) <= 1 for message in messages for base in message["list"] for rule in base["rules"])
    assert all(old is new for old, new in zip(recorded, app.session_state["current_run"].shared.recorded, strict=True))


def test_sentences_equal_those_of_a_summary_of_that_epoch(engine):
    app = train(open_page(data="wine", rules="3", epochs="9"))
    look_at(app, "Rules")
    found = {base["epoch"]: base for message in all_rule_bases(app) for base in message["list"] if not base["end"]}
    result = engine.result(run_of(app))
    dataset = engine.store.dataset(run_of(app))
    parts = [(dataset.X.iloc[rows], dataset.y[rows]) for rows in (result.split.train, result.split.test)]
    encode, classes = result.classifier.encoder_.transform, result.classifier.classes_
    summariser = Summariser(encode, classes, *parts, n_rules=3, quick=True)
    for snapshot in engine.records(run_of(app), "snapshots"):
        rules = as_rules(engine.head(run_of(app), "snapshots")["base"], snapshot)
        summary = summariser.summarise(rules).summary(4, rules)
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
    found = {one.index: one for one in message._as_recorded(lost, 3, history)}
    assert not found[4].dead and found[4].idle and not found[1].idle
    assert message._as_recorded(lost, 4, history) == lost  # an epoch without a record


def test_one_message_takes_a_moment_only_and_with_many_rules_fewer_epochs_are_sent(monkeypatch):
    monkeypatch.setattr(message, "SECONDS", -1.0)  # no time at all: one a message
    app = train(open_page(rules="3", epochs="6"))
    look_at(app, "Rules")
    assert [len(message["list"]) for message in all_rule_bases(app)] == [1] * 7 + [0]
    monkeypatch.setattr(message, "MOST_RULES", 40)
    app = train(open_page(rules="3", epochs="9"))
    look_at(app, "Rules")
    assert [base["epoch"] for message in all_rule_bases(app) for base in message["list"]] == [9, 1, 4, 7]


def test_rules_are_sent_during_training():
    app = open_page(data="digits", rules="3", epochs="2000")
    next(button for button in app.button if button.label == "Train").click().run()
    look_at(app, "Rules")
    run_until(app, lambda: sent_rule_bases(app)["list"])
    assert not sent_rule_bases(app)["list"][0]["end"] and "IF" not in [alert.value for alert in app.info]
    next(button for button in app.button if button.label == "Stop").click().run()
    run_until(app, lambda: any(base["end"] for base in sent_rule_bases(app)["list"]))


def test_a_run_that_kept_no_rules_says_so_and_damaged_snapshots_leave_the_end(engine):
    app = train(open_page(rules="3", epochs="3"))
    (engine.store.folder / run_of(app) / "book.json.gz").unlink()
    look_at(app, "Rules")
    (end,) = sent_rule_bases(app)["list"]
    assert end["rules"] == [] and "kept no rules as text" in " ".join(end["summary"])
    assert not app.exception and last_message(app)["shown"]["about"]["ended"]
    app = train(open_page(rules="3", epochs="3"))
    (engine.store.folder / run_of(app) / "snapshots.jsonl").write_bytes(b"[1]\n[2]\n")
    look_at(app, "Rules")
    messages = all_rule_bases(app)
    assert [base["end"] for message in messages for base in message["list"]] == [True] and not app.exception
    assert "damaged" in messages[-1]["error"] and last_message(app)["shown"]["about"]["ended"]  # the charts get their data

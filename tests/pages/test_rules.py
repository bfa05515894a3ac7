"""The tab Rules on a real engine: which sentences the browser is told, of which epochs, in what order and how often."""

import pytest

from tests.pages.helpers import look_at, open_page, run_until, table, told, train, upload
from tsk_core.explain import RuleBook
from tsk_core.runs.snapshots import as_rules
from ui.live import rule_texts

pytestmark = pytest.mark.usefixtures("engine")


def told_books(app):
    return told(app)["shown"]["ruleBases"]


def all_books(app):
    """Everything that the browser is told, message by message, until there is no more."""
    messages = [told_books(app)]
    while messages[-1].get("more"):
        messages.append(told_books(app.run()))
    return messages


def run_of(app):
    return app.session_state["current_run"].id


def test_the_end_comes_first_and_then_each_epoch_kept(engine):
    app = train(open_page(rules="3", epochs="12"))
    assert "ruleBases" not in told(app)["shown"]
    look_at(app, "Rules")
    messages = all_books(app)
    (end,) = messages[0]["list"]
    assert end["end"] and end["epoch"] == 12
    rest = [book for message in messages[1:] for book in message["list"]]
    assert [book["epoch"] for book in rest] == [one["epoch"] for one in engine.records(run_of(app), "snapshots")]
    assert [message["since"] for message in messages] == [
        0,
        *(1 + sum(len(m["list"]) for m in messages[1:k]) for k in range(1, len(messages))),
    ]
    assert told_books(app.run())["list"] == []  # only once


def test_they_say_what_a_rule_book_of_that_epoch_says(engine):
    app = train(open_page(data="wine", rules="3", epochs="9"))
    look_at(app, "Rules")
    found = {book["epoch"]: book for message in all_books(app) for book in message["list"] if not book["end"]}
    result = engine.result(run_of(app))
    dataset = engine.store.dataset(run_of(app))
    parts = [
        (result.classifier.encoder_.transform(dataset.X.iloc[rows]), dataset.y[rows])
        for rows in (result.split.train, result.split.test)
    ]
    index = {name: at for at, name in enumerate(result.classifier.classes_)}
    (Z, y), (Z_test, y_test) = ((Z, [index[name] for name in names]) for Z, names in parts)
    for snapshot in engine.records(run_of(app), "snapshots"):
        rules = as_rules(engine.head(run_of(app), "snapshots")["base"], snapshot)
        book, kept = RuleBook.build(rules, Z, y, max_antecedents=4, Z_eval=Z_test, y_eval=y_test), found[snapshot["epoch"]]
        assert kept["summary"] == book.summary.splitlines()
        for rule, sentence in zip(book.rules, kept["rules"], strict=True):
            assert (sentence["rule"], sentence["dead"], sentence["support"]) == (rule.index, rule.dead, rule.support)
            if not rule.dead:
                assert sentence["if"] == [a.text for a in rule.antecedents] and sentence["then"] == rule.conclusion
                assert sentence["measured"] == [line.strip() for line in str(rule).splitlines()[1:]]


def test_another_length_is_told_anew_without_describing_anew():
    app = train(open_page(rules="3", epochs="6"))
    look_at(app, "Rules")
    before = all_books(app)
    described = list(app.session_state["current_run"].shared.described)
    app.slider(key="conditions").set_value(1).run()
    messages = all_books(app)
    assert messages[0]["since"] == 0 and messages[0]["list"][0]["end"]
    assert sum(len(m["list"]) for m in messages) == sum(len(m["list"]) for m in before)
    assert all(len(rule["if"]) <= 1 for message in messages for book in message["list"] for rule in book["rules"])
    assert all(old is new for old, new in zip(described, app.session_state["current_run"].shared.described, strict=True))


def test_one_message_takes_a_moment_only(monkeypatch):
    monkeypatch.setattr(rule_texts, "SECONDS", -1.0)  # no time at all: one a message
    app = train(open_page(rules="3", epochs="6"))
    look_at(app, "Rules")
    assert [len(message["list"]) for message in all_books(app)] == [1] * 7 + [0]


def test_of_many_rules_fewer_epochs_are_told(monkeypatch):
    monkeypatch.setattr(rule_texts, "MOST_RULES", 40)
    app = train(open_page(rules="3", epochs="9"))
    look_at(app, "Rules")
    assert [book["epoch"] for message in all_books(app) for book in message["list"]] == [9, 1, 4, 7]


def test_rules_are_told_while_it_trains():
    app = open_page(data="digits", rules="3", epochs="2000")
    next(button for button in app.button if button.label == "Train").click().run()
    look_at(app, "Rules")
    run_until(app, lambda: told_books(app)["list"])
    assert not told_books(app)["list"][0]["end"] and "IF" not in [alert.value for alert in app.info]
    next(button for button in app.button if button.label == "Stop").click().run()
    run_until(app, lambda: any(book["end"] for book in told_books(app)["list"]))


def test_without_the_data_there_is_the_end_and_a_word_about_it():
    app = open_page(data="upload", rules="3", epochs="3")
    train(upload(app, "pets.csv", table()))
    other = open_page(run=run_of(app))
    look_at(other, "Rules")
    assert [book["end"] for message in all_books(other) for book in message["list"]] == [True]
    other.selectbox(key="data").set_value("upload").run()
    upload(other, "pets.csv", table())
    assert [book["epoch"] for message in all_books(other) for book in message["list"]] == [1, 2, 3]


def test_a_run_that_kept_no_rules_says_so(engine):
    app = train(open_page(rules="3", epochs="3"))
    (engine.store.folder / run_of(app) / "book.json.gz").unlink()
    look_at(app, "Rules")
    (end,) = told_books(app)["list"]
    assert end["rules"] == [] and "kept no rules as text" in " ".join(end["summary"])
    assert not app.exception and told(app)["shown"]["about"]["ended"]


def test_damaged_snapshots_leave_the_end(engine):
    app = train(open_page(rules="3", epochs="3"))
    (engine.store.folder / run_of(app) / "snapshots.jsonl").write_bytes(b"[1]\n[2]\n")
    look_at(app, "Rules")
    messages = all_books(app)
    assert [book["end"] for message in messages for book in message["list"]] == [True] and not app.exception
    assert "damaged" in messages[-1]["error"] and told(app)["shown"]["about"]["ended"]  # the charts are told as before


def test_a_run_that_begins_anew_is_told_anew():
    app = train(open_page(rules="3", epochs="4"))
    look_at(app, "Rules")
    all_books(app)
    first = app.session_state["current_run"].history[0]
    object.__setattr__(first, "seconds", first.seconds + 1)  # as after its worker was lost
    messages = all_books(app.run())
    assert messages[0]["since"] == 0 and [book["epoch"] for m in messages for book in m["list"]] == [4, 1, 2, 3, 4]

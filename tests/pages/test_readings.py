"""The tab Rules of a readable run: its grid, its readings, and what has as many conditions; and what is not shown there."""

import pytest

from tests.pages.helpers import as_text, button, last_message, look_at, open_page, open_run, run_until
from tests.training import train_run
from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset
from tsk_core.errors import LimitError
from tsk_core.evaluate import Peer
from tsk_core.tasks import SameSize
from ui.explore import rules_tab

LENGTH = "Conditions per rule, at most"


@pytest.fixture(scope="module")
def run(engine):
    return trained(engine, load_dataset("wine"))


def trained(engine, dataset, **settings):
    config = TrainConfig.readable(n_rules=4, max_conditions=2, max_epochs=20, random_state=0, **settings)
    made = engine.store.create(config, dataset)
    train_run(engine.store, made, config, dataset)
    return made


def opened(run, tab="Rules"):
    app = open_page(data="wine", run=run)
    look_at(app, tab)
    assert not app.exception
    return app


def measured(engine, run):
    """The tasks that measured what goes with this run, one for each browser."""
    records = engine.store.ledger.records(task="same-size")
    return [one for one in records if one.state == "finished" and engine.store.open(one.id).metrics()["of_run"] == run]


def lines(app):
    """The lines of the table of readings, by their names."""
    (shown,) = [one.value for one in app.table if "Prediction by" in one.value]
    texts = [{title: as_text(value) for title, value in line.items()} for line in shown.to_dict("records")]
    return {line.pop("Prediction by"): line for line in texts}


def sent_list(app):
    (end,) = [base for base in last_message(app)["shown"]["ruleBases"]["list"] if base["end"]]
    return end["list"]


def test_the_readings_stand_in_a_table_with_the_figures_of_the_library_and_the_rule_list_to_copy(engine, run):
    summary = engine.result(run).rules()
    shown = list(lines(opened(run)).values())
    conditions, alive = sum(len(rule.antecedents) for rule in summary.rules), sum(not rule.dead for rule in summary.rules)
    for reading, line in zip(summary.readings, shown, strict=False):
        assert (line["RCA"], line["BCA"]) == (f"{reading.accuracy:.3f}", f"{reading.bca:.3f}")
        assert line["Conditions"] == str(conditions) and line["Rules"] == str(alive + (reading.name == "sentences"))
    assert shown[0]["Agrees"] == "100%"
    assert engine.result(run).rules().rule_list.text in [one.value for one in opened(run).code]


def test_a_tree_and_a_rule_list_of_the_same_size_are_measured_once_without_a_press(engine):
    run = trained(engine, load_dataset("wine"), covering=0.2)
    app = opened(run)
    run_until(app, lambda: "CART, a decision tree" in lines(app))
    (record,) = measured(engine, run)
    summary = engine.result(run).rules()
    metrics, conditions = engine.store.open(record.id).metrics(), sum(len(rule.antecedents) for rule in summary.rules)
    assert metrics["conditions"] == conditions
    cart, rule_list = (Peer(*values) for values in metrics["peers"])
    assert lines(app)["CART, a decision tree"]["BCA"] == f"{cart.bca:.3f}"
    said = " ".join(as_text(one.value) for one in app.markdown)
    ours = next(reading.bca for reading in summary.readings if reading.name == "model")
    assert f"At {conditions} conditions: ours {ours:.2f}, CART {cart.bca:.2f}, rule list {rule_list.bca:.2f} (balanced" in said
    del app.session_state["side_tasks"]  # as after a reload
    assert "CART, a decision tree" in lines(app.run())
    assert len(measured(engine, run)) == 1


def test_the_ebm_is_measured_at_a_press_where_it_is_installed(run, monkeypatch):
    app = opened(run)
    run_until(app, lambda: "CART, a decision tree" in lines(app))
    monkeypatch.setattr(SameSize, "missing", lambda: "")
    asked = []
    monkeypatch.setattr(rules_tab, "start_peers", lambda run, conditions, ebm=False: asked.append((run.id, ebm)))
    button(app.run(), "Compare with the EBM").click().run()
    assert asked == [(run, True)]
    monkeypatch.setattr(SameSize, "missing", lambda: "It needs interpret.")
    assert "Compare with the EBM" not in [one.label for one in app.run().button]


def test_a_refusal_is_a_sentence_and_a_button(engine, monkeypatch):
    def refuse(*args, **options):
        raise LimitError("Too many tasks are waiting.")

    monkeypatch.setattr(rules_tab, "start_peers", refuse)
    app = opened(trained(engine, load_dataset("wine"), sharpness=0.1))
    assert not button(app, "Compare with a tree of the same size").disabled
    assert "Too many tasks are waiting." in [as_text(one.value) for one in app.caption]


def test_the_browser_gets_the_rule_list_as_the_library_has_it(engine, run):
    listed, sent = engine.result(run).rules().rule_list, sent_list(opened(run))
    assert sent["lines"] == listed.text.splitlines() and (sent["rows"], sent["of"]) == (listed.n_test, "test rows")
    told = [item for item in listed.rules if item.train.true or item.test.true]
    for item, line in zip([*told, listed.otherwise], sent["items"], strict=True):
        assert (line["true"], line["right"], line["taken"], line["takenRight"]) == tuple(item.test)
        assert line["class"] == str(item.conclusion) and [one["text"] for one in line["conditions"]] == list(item.conditions)
    X = load_dataset("wine").X.iloc[engine.result(run).split.train]
    for name, column in sent["columns"].items():
        assert (column["low"], column["high"]) == pytest.approx((X[name].min(), X[name].max()))


def test_what_concerns_shortened_rules_is_not_shown_and_other_rules_have_no_list(run):
    app = opened(run)
    assert LENGTH not in [one.label for one in app.slider]
    export = opened(run, "Export")
    export.selectbox(key="rule_format_export").select("json").run()
    assert "Which rules" not in [one.label for one in export.selectbox]
    said = " ".join(as_text(one.value) for one in export.caption)
    assert "hortened" not in said and "Change the number of conditions" not in said
    app = open_run("iris", "Rules")
    assert LENGTH in [one.label for one in app.slider] and sent_list(app) is None
    assert "The rule list as text" not in [one.label for one in app.expander]

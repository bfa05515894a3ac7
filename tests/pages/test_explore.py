"""The Explore page without a browser, on a real engine: how it opens, and what a run shows."""

import pytest

from tests.pages.helpers import (
    LINK_KEYS,
    WIDGETS,
    as_text,
    button,
    forget_what_was_sent,
    last_message,
    look_at,
    metric,
    open_page,
    progress,
    rules,
    run_until,
    train,
    values,
    wait_for_end,
)
from tsk_core.config import SETTINGS, TrainConfig
from tsk_core.data import load_dataset
from ui.presets import PRESETS

pytestmark = pytest.mark.usefixtures("engine")


# Opening.


def test_the_page_opens_with_its_controls():
    app = open_page()
    assert not app.exception and not app.error and not app.info
    assert app.title[0].value == "TSK Explorer"
    steering = {"Train", "Stop", "Pause", "Step", "Reset", "New seed", "Copy full link"}
    assert {b.label for b in app.button} == steering | {preset.title for preset in PRESETS} | {
        "Paint points",
        "Upload your table",
        "Choose a dataset",
        "Upload",
        "Browse",
        "Find good settings",
        "Present",
        "Reset to Paper",
        "Undo",
    }
    assert (button(app, "Train").disabled, button(app, "Stop").disabled) == (False, True)
    assert set(values(app)) == LINK_KEYS | {"data", "target"}
    assert values(app)["data"] == "iris" and values(app)["target"] == "class"


def test_every_setting_has_the_papers_value_and_shows_its_symbol_and_help():
    app = open_page()
    texts = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in values(app).items()}
    seedless = {key: text for key, text in texts.items() if key != "seed"}
    assert TrainConfig.from_url(seedless) == TrainConfig.paper()
    widgets = {w.key: w for kind in WIDGETS for w in getattr(app, kind)}
    for setting in SETTINGS.values():
        if setting.key:
            widget = widgets[setting.key]
            assert setting.label in widget.label and setting.symbol in widget.label and widget.help == setting.help


def test_the_table_is_shown_before_the_first_run():
    app = open_page(data="wine")
    (preview,) = (e for e in app.expander if e.label.startswith("Data"))
    assert preview.label == "Data – wine: 178 rows, 13 features, 3 classes"
    assert [len(d.value) for d in app.dataframe] == [178, 3]  # the table and its classes
    assert app.dataframe[1].value["rows"].sum() == 178


# Running.


def test_training_shows_scores_charts_and_rules():
    app = open_page(epochs="10")
    train(app)
    assert not app.exception and not app.error
    assert 0.5 < float(metric(app, "Test accuracy (RCA)")) <= 1 and 0.5 < float(metric(app, "Test balanced accuracy (BCA)")) <= 1
    assert metric(app, "Epoch") == "10 / 10"
    tabs = ["Training", "Firing", "Entropy", "Mistakes", "Samples", "Rules", "Predict", "Export"]
    assert [tab.label for tab in app.tabs][-8:] == tabs
    assert progress(app).startswith("Finished")
    assert any(c.value.startswith("On the same test rows") and "logistic regression RCA 0." in c.value for c in app.caption)
    shown = last_message(app)["shown"]
    assert shown["epochs"]["since"] + len(shown["epochs"]["list"]) == 10  # messages repeat only what the last few brought
    assert rules(app)
    for rule in rules(app):
        assert " IF " in rule and " THEN " in rule
        assert rule.endswith(("setosa", "versicolor", "virginica", "no clear class"))
    assert all(name in " ".join(rules(app)) for name in load_dataset("iris").X.columns)


def test_a_second_run_is_compared_with_the_first():
    app = open_page(epochs="10", rules="5")
    train(app)
    first = last_message(app)
    assert first["shown"]["run"] and first["comparison"] is None
    assert not any("Compared with the previous run" in c.value for c in app.caption)
    app.number_input(key="ur").set_value(10.0).run()
    train(app)
    (against,) = (as_text(c.value) for c in app.caption if "Compared with the previous run" in c.value)
    assert against == "Compared with the previous run (dashed or outlined): λ 1 → 10."
    assert last_message(app)["comparison"]["run"] == first["shown"]["run"]
    (rca,) = (m for m in app.metric if m.label.startswith("Test accuracy (RCA)"))
    assert rca.delta


def test_the_same_settings_again_give_the_same_numbers():
    app = open_page(epochs="5", rules="4", seed="3")
    scores = []
    for _ in range(2):
        train(app)
        scores.append((metric(app, "Test accuracy (RCA)"), metric(app, "Test balanced accuracy (BCA)"), rules(app)))
    assert scores[0] == scores[1]
    assert any("same settings" in c.value for c in app.caption)


def test_stop_ends_a_long_run_early_and_keeps_its_model():
    app = open_page(data="digits", epochs="2000", rules="5")
    button(app, "Train").click().run()
    assert (button(app, "Train").disabled, button(app, "Stop").disabled) == (True, False)
    run_until(app, lambda: not metric(app, "Epoch").startswith("0 "))
    assert len(last_message(app)["shown"]["epochs"]["list"]) > 0
    look_at(app, "Rules")  # rules can be read while they are learnt
    run_until(app, lambda: any(base["rules"] for base in last_message(app)["shown"]["ruleBases"]["list"]))
    button(app, "Stop").click().run()
    wait_for_end(app)
    assert not app.exception and not app.error
    assert progress(app).startswith("Stopped")
    assert 1 <= int(metric(app, "Epoch").split(" / ")[0]) < 2000
    assert "pixel" in rules(app)[0]


def test_a_run_with_one_rule_is_drawn():
    app = open_page(rules="1", epochs="3")
    train(app)
    assert not app.exception and not app.error
    assert len(rules(app)) == 1


def test_shorter_rules_have_fewer_conditions():
    app = open_page(rules="4", epochs="3")
    train(app)
    look_at(app, "Rules")
    app.slider[0].set_value(1).run()
    assert not app.exception
    assert not any(" AND " in rule for rule in rules(app))


def test_the_browser_is_told_every_epoch_once_and_again_if_it_misses_some():
    app = open_page(rules="3", epochs="40")
    train(app)
    shown = last_message(app)["shown"]
    assert shown["about"]["ended"] and shown["about"]["classes"] == ["setosa", "versicolor", "virginica"]
    assert shown["epochs"]["since"] + len(shown["epochs"]["list"]) == 40
    for _ in range(3):
        app.run()
    assert last_message(app)["shown"]["epochs"]["list"] == []  # it has them all
    forget_what_was_sent(app)  # what the feed does when something is missing
    app.run()
    again = last_message(app)["shown"]["epochs"]
    assert again["since"] == 0
    epochs = [dict(zip(again["fields"], values, strict=True)) for values in again["list"]]
    assert [epoch["epoch"] for epoch in epochs] == list(range(1, 41))
    assert all(epoch["ur"] >= 0 and len(epoch["firing"]) == 3 and sum(epoch["entropy"]) == 105 for epoch in epochs)

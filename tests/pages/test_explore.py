"""The Explore page without a browser, on a real engine: how it opens, and what a run shows."""

from tests.pages.helpers import LINK_KEYS, WIDGETS, button, last_message, metric, open_page, progress, rules, train, values
from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset
from tsk_core.settings import SETTINGS
from ui.presets import PRESETS


def test_the_page_opens_with_its_controls_and_every_setting_has_the_papers_value_its_symbol_and_help():
    app = open_page()
    assert not app.exception and not app.error and not app.info
    assert app.title[0].value == "TSK Explorer"
    steering = {"Train", "Stop", "Pause", "Step", "Reset", "New seed", "Copy full link"}
    assert {b.label for b in app.button} == steering | {preset.title for preset in PRESETS} | {
        "Paint points", "Upload your table", "Choose a dataset", "Upload", "Browse", "Find good settings", "Present",
        "Reset to Paper", "Undo", "Play", "Learn",
    }  # fmt: skip
    assert (button(app, "Train").disabled, button(app, "Stop").disabled) == (False, True)
    assert set(values(app)) == LINK_KEYS | {"data", "target"}
    assert values(app)["data"] == "iris" and values(app)["target"] == "class"
    texts = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in values(app).items()}
    seedless = {key: text for key, text in texts.items() if key != "seed"}
    assert TrainConfig.from_url(seedless) == TrainConfig.paper()
    widgets = {w.key: w for kind in WIDGETS for w in getattr(app, kind)}
    for setting in SETTINGS.values():
        if setting.key:
            widget = widgets[setting.key]
            assert setting.symbol in widget.label and widget.help == setting.help
            assert setting.label in widget.label or widget.label == "UR weight λ"


def test_training_shows_scores_charts_and_rules():
    app = open_page(epochs="10")
    train(app)
    assert not app.exception and not app.error
    assert 0.5 < float(metric(app, "Accuracy")) <= 1 and 0.5 < float(metric(app, "Balanced accuracy")) <= 1
    assert metric(app, "Epoch") == "10 / 10"
    tabs = ["Training", "Firing", "Entropy", "Mistakes", "Samples", "Rules", "Predict", "Export"]
    shown = [tab.label for tab in app.tabs if tab.label not in ("Table", "Data check", "Columns", "Split")]
    assert shown == ["Stage", *tabs]
    assert progress(app).startswith("Finished")
    assert any(c.value.startswith("On the same test rows") and "logistic regression RCA 0." in c.value for c in app.caption)
    shown = last_message(app)["shown"]
    assert [epoch["epoch"] for epoch in shown["epochs"]["list"]] == list(range(1, 11))
    assert rules(app)
    for rule in rules(app):
        assert " IF " in rule and " THEN " in rule
        assert rule.endswith(("setosa", "versicolor", "virginica", "no clear class"))
    assert all(name in " ".join(rules(app)) for name in load_dataset("iris").X.columns)

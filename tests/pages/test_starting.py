"""The starting point on the Explore page without a browser: which one is in force, and what differs from it."""

import pytest

from tests.pages.helpers import LINK_KEYS, as_text, button, open_page, run_of, train, upload, values
from tsk_core.config import STARTING_POINTS, TrainConfig
from tsk_core.settings import SETTINGS
from tsk_study import protocol_config
from ui.data.source import UPLOAD
from ui.settings.controls import widget_values
from ui.settings.starting import _HELP, nearest

PETS = b"size,colour,species\n" + b"1.5,red,cat\n4.5,blue,dog\n1,blue,cat\n5,red,dog\n" * 10
RECOMMENDED = TrainConfig(n_rules=8, firing="scaled", shrinkage=0.01, learning_rate=0.02, ur_weight=0.1, max_epochs=100)
KEPT = {"test", "seed"}


@pytest.fixture(autouse=True)
def recommended(engine, monkeypatch):
    """Values that differ from the paper's, whatever the recommended ones of this version are."""
    monkeypatch.setitem(STARTING_POINTS, "recommended", RECOMMENDED)


def control(app):
    return app.button_group(key="from")


def switch(app, start):
    return control(app).set_value(start).run()


def settings(app):
    return {key: value for key, value in values(app).items() if key in LINK_KEYS - KEPT}


def is_at(app, start):
    """Whether the page says that this starting point is in force, and has all its settings."""
    same = changed(app) == f"All settings as in the starting point {start.capitalize()}."
    return same and control(app).value == start and settings(app) == settings_of(start)


def settings_of(start):
    return {key: value for key, value in widget_values(STARTING_POINTS[start], 0).items() if key not in KEPT}


def changed(app):
    """The line that lists what differs."""
    (line,) = (as_text(c.value) for c in app.caption if c.value.startswith(("Changed", "All settings")))
    return line


def change(app, key, value):
    return app.number_input(key=key).set_value(value).run()


def choose(app, data):
    return app.selectbox(key="data").select(data).run()


def test_a_table_of_the_gallery_starts_from_paper_an_upload_from_recommended_and_the_starting_point_follows_the_data():
    assert is_at(open_page(), "paper") and is_at(open_page(data="wine"), "paper")
    app = open_page(data="upload")
    assert is_at(app, "recommended")
    assert is_at(upload(app, "pets.csv", PETS), "recommended")
    app = choose(open_page(seed="5", test="0.4"), "upload")
    assert is_at(app, "recommended")
    assert is_at(choose(app, "wine"), "paper")
    assert (values(app)["seed"], values(app)["test"]) == (5, 0.4)
    assert "from" not in app.query_params


@pytest.mark.parametrize("link", [{"rules": "7"}, {"from": "recommended"}])
def test_what_a_person_chose_stays_when_the_data_change(link):
    app = open_page(**link)
    before, start = settings(app), control(app).value
    choose(app, "wine")
    assert (settings(app), control(app).value) == (before, start)
    choose(app, "upload")
    assert (settings(app), control(app).value) == (before, start)
    hint = "With Recommended, short rules agree with the full model on more rows; with Readable, they are the model."
    assert (hint in [caption.value for caption in app.caption]) == (start == "paper")


def test_a_switch_sets_all_settings_but_the_seed_and_the_test_share():
    app = open_page(rules="7", bn="none", es="true", patience="9", seed="5", test="0.4", tau="1/R", cw="balanced")
    assert is_at(switch(app, "recommended"), "recommended")
    assert (values(app)["seed"], values(app)["test"]) == (5, 0.4)
    assert set(app.query_params) - {"from"} == {"seed", "test"}  # a browser writes what its visitor chose, see tests/browser
    assert is_at(switch(app, "paper"), "paper")
    assert set(app.query_params) == {"seed", "test"}


def test_the_page_lists_what_differs_resets_it_and_keeps_the_default_of_another_starting_point_in_the_link():
    app = open_page(**{"from": "recommended"})
    assert button(app, "Reset to Recommended").disabled
    change(app, "rules", 12)
    app.selectbox(key="bn").select("none").run()
    assert changed(app) == "Changed: R 8 → 12, BN bn → none"
    button(app, "Reset to Recommended").click().run()
    assert is_at(app, "recommended") and button(app, "Reset to Recommended").disabled
    app = open_page(**{"from": "recommended", "rules": "20"})
    assert values(app)["rules"] == 20
    switch(app, "paper")
    assert "rules" not in app.query_params
    button(app, "Undo").click().run()
    assert (control(app).value, values(app)["rules"], changed(app)) == ("recommended", 20, "Changed: R 8 → 20")
    assert {key: app.query_params[key] for key in ("from", "rules")} in (
        {"from": ["recommended"], "rules": ["20"]}, {"from": "recommended", "rules": "20"},
    )  # fmt: skip


@pytest.mark.parametrize("start", STARTING_POINTS)
def test_a_link_names_its_starting_point_and_carries_what_differs(start):
    for data in ("wine", "upload"):
        app = open_page(**{"data": data, "from": start, "rules": "5"})
        assert control(app).value == start and not app.error
        assert settings(app) == settings_of(start) | {"rules": 5}


def test_a_link_to_an_unknown_starting_point_says_so():
    app = open_page(**{"from": "nowhere", "rules": "5"})
    (note,) = (as_text(i.value) for i in app.info)
    assert "starting point “nowhere” is none of recommended, readable, paper" in note
    assert control(app).value == "paper" and values(app)["rules"] == 5


def test_undo_takes_a_switch_back_and_a_starting_point_cannot_be_deselected():
    app = open_page(rules="7")
    before = settings(app)
    switch(app, "recommended")
    assert "starting point recommended → paper" in as_text(button(app, "Undo").help)
    button(app, "Undo").click().run()
    assert settings(app) == before and control(app).value == "paper"
    app = switch(app, None)
    assert not app.exception and not app.error and changed(app) == "All settings as in the starting point Paper."


def test_a_run_opened_by_its_link_brings_the_nearest_starting_point():
    first = train(open_page(**{"data": "wine", "from": "recommended", "epochs": "3"}))
    app = open_page(run=run_of(first))
    assert (control(app).value, changed(app)) == ("recommended", "Changed: T 100 → 3")
    assert settings(app) == settings(first)
    plain = open_page()
    plain.query_params["run"] = run_of(first)
    assert control(plain.run()).value == "recommended" and settings(plain) == settings(first)


def test_the_nearest_starting_point_has_the_fewest_other_values_and_of_two_as_near_it_is_that_of_the_data(monkeypatch):
    assert nearest(TrainConfig.paper(n_rules=3, batch_norm="none"), UPLOAD) == "paper"
    assert nearest(RECOMMENDED, "iris") == "recommended"
    monkeypatch.setitem(STARTING_POINTS, "recommended", TrainConfig.paper(n_rules=8))
    between = TrainConfig.paper(n_rules=5)
    assert (nearest(between, "iris"), nearest(between, UPLOAD)) == ("paper", "recommended")


def test_a_server_with_a_low_limit_of_rules_differs_from_no_starting_point(monkeypatch):
    monkeypatch.setenv("TSK_MAX_RULES", "10")
    app = open_page()
    assert values(app)["rules"] == 10 and changed(app) == "All settings as in the starting point Paper."


@pytest.mark.parametrize(("most", "rules", "trainings"), [("200", 160, 8), ("100", 96, 8), ("10", 10, 5), ("1", 1, 1)])
def test_settings_of_several_trainings_fit_a_server_with_a_low_limit_of_rules(monkeypatch, most, rules, trainings):
    monkeypatch.setenv("TSK_MAX_RULES", most)
    values = widget_values(TrainConfig(n_rules=160, n_trainings=8), 0.3)
    assert (values["rules"], values["trainings"]) == (rules, trainings)
    assert TrainConfig(n_rules=rules, n_trainings=trainings).n_parts == trainings


def test_the_help_names_all_in_which_paper_is_not_the_papers_protocol_and_the_values_of_l2():
    """From the values themselves: each setting that differs, with both values; λ and the epochs, which validation chooses."""
    start, protocol = TrainConfig.paper(), protocol_config("TSK-MBGD-UR-BN", 0, 1.0)
    chosen = {"max_epochs", "early_stopping"}
    differing = [name for name in SETTINGS if getattr(start, name) != getattr(protocol, name) and name != "random_state"]
    assert chosen < set(differing)
    for name in set(differing) - chosen:
        assert f"{SETTINGS[name].symbol} {getattr(start, name)} instead of {getattr(protocol, name)}" in _HELP
    assert f"{start.max_epochs} epochs instead of as many as validation finds" in _HELP
    assert f"λ {start.ur_weight:g} instead of the one that validation chooses" in _HELP and "not its protocol" in _HELP
    values = sorted({config.l2 for config in STARTING_POINTS.values()})
    text = SETTINGS["l2"].help
    assert f"the paper uses {protocol_config('TSK-MBGD', 0, 0.0).l2:g}" in text
    assert f"the starting points {values[0]:g} to {values[-1]:g}" in text

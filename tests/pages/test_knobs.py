"""The settings in sight as knobs: what the browser may set, when a change trains by itself, and what is said of its effect."""

import json
from types import SimpleNamespace

import pytest

from tests.pages.helpers import captions, drawn_alone, last_message, open_page, run_of, train
from tsk_core.config import TrainConfig
from ui.explore.steering import MOMENT, training_seconds

CONFIG = TrainConfig.paper(n_rules=10, batch_size=50, max_epochs=100)


def run(config=CONFIG, *, epoch=50, seconds=1.0, state="running", metrics=None, rows=1000):
    """What the estimate looks at: 700 training rows of 1000, 14 steps an epoch."""
    last = None if epoch is None else SimpleNamespace(epoch=epoch, seconds=seconds)
    status = SimpleNamespace(state=state)
    return SimpleNamespace(config=config, last=last, metrics=metrics or {}, status=status, data={"rows": rows}, test_size=0.3)


def changed(**settings):
    return TrainConfig.paper(**{"n_rules": 10, "batch_size": 50, "max_epochs": 100, **settings})


@pytest.mark.parametrize(
    ("settings", "seconds"),
    [
        ({"ur_weight": 3.0}, 2.0),
        ({"batch_norm": "none"}, 2.0),
        ({"n_rules": 20}, 4.0),
        ({"n_rules": 5}, 2.0),  # what an epoch costs besides its steps stays
        ({"batch_size": 25}, 4.0),
        ({"batch_size": 700}, 2.0),
        ({"n_rules": 30, "batch_size": 25}, 12.0),
    ],
)
def test_the_seconds_of_a_training_are_those_of_the_run_shown_times_the_growth_of_rules_and_steps(settings, seconds):
    assert training_seconds(run(), changed(**settings)) == pytest.approx(seconds)
    ended = run(state="finished", metrics={"seconds": 2.0}, seconds=9.0)
    assert training_seconds(ended, changed(**settings)) == pytest.approx(seconds)


def test_before_the_first_epoch_nothing_is_known_and_a_stopped_run_counts_as_if_it_had_gone_on():
    assert training_seconds(run(epoch=None), CONFIG) is None
    assert training_seconds(run(state="stopped", metrics={"seconds": 1.1}), CONFIG) == pytest.approx(2.0)


def turning():
    import json

    import streamlit as st

    from ui.platform import session
    from ui.settings.controls import turn

    session.set_widgets({"rules": 20, "ur": 1.0, "bn": "bn", "batch": 64, "lr": 0.01})
    turn(json.loads(st.query_params["said"]))
    st.caption(json.dumps([session.widget(key).get() for key in ("rules", "ur", "bn", "batch", "lr")]))


@pytest.mark.parametrize(
    ("said", "now"),
    [
        ({"key": "rules", "value": 7}, [7, 1.0, "bn", 64, 0.01]),
        ({"key": "rules", "value": 7.4}, [7, 1.0, "bn", 64, 0.01]),
        ({"key": "ur", "value": 0.1}, [20, 0.1, "bn", 64, 0.01]),
        ({"key": "ur", "value": 1e9}, [20, 1000.0, "bn", 64, 0.01]),
        ({"key": "batch", "value": -5}, [20, 1.0, "bn", 2, 0.01]),
        ({"key": "bn", "value": "none"}, [20, 1.0, "none", 64, 0.01]),
        ({"key": "bn", "value": "off"}, None),
        ({"key": "lr", "value": 0.5}, None),  # no knob
        ({"key": "ur", "value": "1"}, None),
        ({"key": "ur", "value": float("nan")}, None),
        ({"key": ["ur"], "value": 1}, None),
        ([1], None),
    ],
)
def test_the_browser_sets_a_knob_to_the_nearest_possible_value_and_nothing_else(said, now):
    (found,) = captions(drawn_alone(turning, said=json.dumps(said)))
    assert json.loads(found) == (now or [20, 1.0, "bn", 64, 0.01])


def token(app):
    """With what the browser lets the settings be trained; "" where it does not."""
    (part,) = (part.proto for part in app.get("bidi_component") if part.key == "turned")
    return json.loads(part.json)["token"]


def glows(app):
    return any("{ animation: var(--tsk-glow); }" in part.proto.body for part in app.get("html"))


def turn_weight(app, value):
    return app.number_input(key="ur").set_value(value).run()


def test_only_a_change_by_somebody_beside_a_run_that_takes_a_moment_is_trained_by_itself():
    app = open_page(data="iris", epochs="5", rules="3")
    assert token(turn_weight(app, 2.0)) == ""  # there is no run yet
    first = run_of(train(app))
    assert token(app) == "" and not glows(app)
    assert token(turn_weight(app, 5.0)).startswith(first) and not glows(app)
    app.session_state["ur"] = 6.0  # as an address does
    assert token(app.run()) == "" and glows(app)
    app.number_input(key="epochs").set_value(6).run()
    assert token(turn_weight(app, 7.0)) == ""  # other settings differ, too
    app.number_input(key="epochs").set_value(5).run()
    app.checkbox(key="train_on_change:box").uncheck().run()
    assert token(turn_weight(app, 8.0)) == "" and glows(app)
    assert run_of(app) == first


def test_a_longer_training_waits_for_the_button_that_glows(monkeypatch):
    app = train(open_page(data="iris", epochs="5", rules="3"))
    monkeypatch.setattr("ui.explore.steering.training_seconds", lambda *_: MOMENT)
    assert token(turn_weight(app, 2.0)) == "" and glows(app)


def test_the_browser_knows_the_one_setting_that_was_changed_and_whether_the_scores_differ_clearly():
    app = train(open_page(data="iris", epochs="5", rules="3"))
    train(app.number_input(key="ur").set_value(5.0).run())
    pair = last_message(app)["comparison"]["pair"]
    assert pair["changed"] == "ur" and pair["clear"] == {"rca": False}
    app.number_input(key="ur").set_value(2.0)
    train(app.number_input(key="rules").set_value(4).run())
    assert last_message(app)["comparison"]["pair"]["changed"] is None

"""The presets as data, and the row of buttons on the Explore page."""

from dataclasses import replace

import pytest
import streamlit as st

from tests.pages.helpers import as_text, button, last_message, metric, open_page, run_of, values, wait_for_end
from tests.pages.trained_presets import BY_NAME, ran
from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset
from tsk_core.settings import SETTINGS
from ui.charts import CHART_TABS, SAMPLES
from ui.presets import PRESETS, counterpart, current, following
from ui.settings.controls import TEST_RANGE, widget_values


def test_each_preset_differs_from_its_counterpart_in_one_setting_and_their_order_goes_round():
    for preset in PRESETS:
        other = counterpart(preset)
        assert counterpart(other) is preset or preset.title == "One rule decides"  # which has three
        assert (other.data, other.test_size) == (preset.data, preset.test_size)
        assert abs(PRESETS.index(other) - PRESETS.index(preset)) == 1  # so that "Then" leads to it
        differing = [name for name in SETTINGS if getattr(preset.config, name) != getattr(other.config, name)]
        assert len(differing) == 1
    split = load_dataset("spirals").split(test_size=BY_NAME["batch_all"].test_size, seed=0)
    assert BY_NAME["batch_all"].config.batch_size == len(split.train) == 630
    seen = [following(None)]
    while len(seen) < len(PRESETS):
        seen.append(following(seen[-1]))
    assert tuple(seen) == PRESETS and following(seen[-1]) is PRESETS[0]


@pytest.mark.parametrize("preset", PRESETS, ids=lambda p: p.name)
def test_every_preset_is_within_the_ranges_of_the_page(preset):
    assert preset.data in ("rich_get_richer", "spirals", "digits", "xor")  # there without the internet
    dataset = load_dataset(preset.data)
    assert dataset.target == preset.target
    assert preset.tab in (*CHART_TABS, SAMPLES) and preset.watch.startswith(f"{preset.tab}: ")
    assert TEST_RANGE[0] <= preset.test_size <= TEST_RANGE[1]
    for name, setting in SETTINGS.items():
        value = getattr(preset.config, name)
        if setting.key and setting.high is not None and not isinstance(value, str):
            assert setting.low <= value <= setting.high
    assert TrainConfig.from_url(preset.config.to_url()) == preset.config


def test_a_page_is_at_a_preset_only_with_all_its_settings():
    for preset in PRESETS:
        assert current(preset.config, preset.test_size, preset.data) is preset
        assert current(preset.config, preset.test_size, "iris") is None
        assert current(preset.config, 0.25, preset.data) is None
        assert current(replace(preset.config, random_state=99), preset.test_size, preset.data) is None
    assert current(None, 0.3, "spirals") is None


def watched(app):
    """The sentence of the preset that the page is at; "" where there is none."""
    found = [as_text(m.value) for m in app.markdown if m.value.startswith(":material/visibility:")]
    return found[0].removeprefix(":material/visibility: ") if found else ""


def why(app):
    return [as_text(m.value).split("\n\n")[-1] for m in app.markdown if "Why did this happen?" in m.value]


def offered(app):
    """The buttons in the box of presets."""
    return [b for b in app.button if (b.key or "").startswith("choose_preset_")]


def marked(app):
    """The title that the box marks as the one that the page is at, or None."""
    return next((b.label for b in offered(app) if b.proto.icon), None)


def press(app, title):
    next(b for b in offered(app) if b.label == title).click().run()
    return app


def settings_of(preset):
    return widget_values(preset.config, preset.test_size) | {"data": preset.data, "target": preset.target}


@pytest.mark.usefixtures("engine")
class TestOnThePage:
    """One engine for all of these."""

    @pytest.mark.slow
    def test_a_press_sets_all_widgets_and_trains(self):
        app = open_page(data="wine", rules="7", lr="0.5", es="true", cw="balanced", test="0.5", opt="adam")
        assert watched(app) == "" and marked(app) is None
        press(app, "Rich get richer")
        assert not app.exception and not app.error
        assert values(app) == settings_of(BY_NAME["rich"])
        assert (watched(app), why(app)) == (BY_NAME["rich"].watch, [BY_NAME["rich"].why])
        assert all(b.disabled for b in offered(app))
        wait_for_end(app)
        assert metric(app, "Epoch") == "100 / 100" and app.session_state["view"] == "Firing"
        assert metric(app, "Accuracy") == f"{ran('rich').last.rca_test:.3f}"

    def test_the_counterpart_is_drawn_before_the_former_run(self):
        app = wait_for_end(press(open_page(), "Underflow in high dimension"))
        assert last_message(app)["comparison"] is None
        button(app, "Then: with softmax").click().run()
        wait_for_end(app)
        assert values(app) == settings_of(BY_NAME["softmax"])
        assert watched(app) == BY_NAME["softmax"].watch
        (against,) = (as_text(c.value) for c in app.caption if "Compared with the previous run" in c.value)
        assert against == "Compared with the previous run (dashed or outlined): f̄ paper → softmax."
        assert last_message(app)["comparison"]
        button(app, "Again: with the authors' formula").click().run()
        assert values(app) == settings_of(BY_NAME["paper"])
        button(app, "Stop").click().run()
        wait_for_end(app)

    def test_a_preset_is_compared_with_its_partner_and_not_with_another_preset(self):
        app = wait_for_end(press(open_page(), "Rich get richer"))
        wait_for_end(press(app, "Why UR works"))
        without = run_of(app)
        assert last_message(app)["comparison"] is None
        assert any("the other run of this preset, with UR, was not trained yet" in as_text(c.value) for c in app.caption)
        button(app, "Then: with UR").click().run()
        assert last_message(wait_for_end(app))["comparison"]["run"] == without

    def test_the_marked_preset_starts_again_and_the_words_stay_with_the_run_that_they_are_about(self):
        app = wait_for_end(press(open_page(), "Batch too large"))
        first = app.query_params["run"]
        press(app, "Batch too large")
        assert marked(app) == "Batch too large"
        wait_for_end(app)
        assert app.query_params["run"] != first
        assert values(app) == settings_of(BY_NAME["batch_all"])
        assert watched(app) == BY_NAME["batch_all"].watch
        app.number_input(key="batch").set_value(64).run()  # the settings of its counterpart, which is not trained
        assert (watched(app), marked(app)) == (BY_NAME["batch_all"].watch, "Batch too large")
        app.number_input(key="epochs").set_value(3).run()
        button(app, "Train").click().run()
        wait_for_end(app)
        assert (watched(app), why(app), marked(app)) == ("", [], None)
        assert not any(b.key == "preset_other" for b in app.button)

    def test_the_box_closes_though_the_script_is_started_again_before_the_browser_hears_of_it(self):
        app = open_page()
        app.session_state["preset_box"] = True
        app.run()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("ui.explore.steering.carry_out", lambda *_: st.stop())  # as where another change comes in
            press(app, "Batch too large")
        app.session_state["preset_box"] = True  # so the browser says
        assert not app.run().session_state["preset_box"]
        app.session_state["preset_box"] = True  # opened by hand
        assert app.run().session_state["preset_box"]
        button(app, "Stop").click().run()

    @pytest.mark.parametrize("preset", {preset.data: preset for preset in PRESETS}.values(), ids=lambda p: p.name)
    def test_a_link_opens_the_preset(self, preset):
        app = open_page(data=preset.data, target=preset.target, test=f"{preset.test_size:g}", **preset.config.to_url())
        assert not app.exception and not app.error and not app.info
        assert values(app) == settings_of(preset)
        assert watched(app) == preset.watch and marked(app) == preset.title

    def test_decisions_about_the_columns_are_taken_back(self):
        app = open_page(data="spirals", rules="30", epochs="60", bn="none")
        app.session_state["data_box"] = True
        assert watched(app.run())
        app.selectbox(key="decide:column:gallery:spirals:class").select("y").run()
        app.selectbox(key="decide:role of y:gallery:spirals:class").select("ignored").run()
        app.selectbox(key="decide:split:gallery:spirals").select("group").run()
        assert watched(app) == "" and any("1 feature," in e.label for e in app.expander)
        wait_for_end(press(app, "BN speeds up"))
        app.session_state["data_box"] = True
        assert any("2 features," in e.label for e in app.run().expander)
        assert app.selectbox(key="decide:split:gallery:spirals").value == "random"
        assert watched(app) == BY_NAME["bn_off"].watch
        assert metric(app, "Accuracy") == f"{ran('bn_off').last.rca_test:.3f}"

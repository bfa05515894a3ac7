"""The settings of readable rules on the page: their group, what is said of them, and what is sent while such rules train."""

import base64

import pytest

from tests.pages.helpers import as_text, box_mark, last_message, look_at, open_page, train, values
from tsk_core.config import TrainConfig
from tsk_core.settings import SETTINGS
from ui.platform import session
from ui.settings.controls import remarks, widget_values

KEYS = ("cons", "conditions", "sharp", "cover", "l1", "select")
READABLE = TrainConfig.readable
SINGLE = "Separate trainings have no effect: there is a single one, since"


@pytest.mark.usefixtures("engine")
class TestTheGroup:
    """One engine for all of these."""

    @pytest.mark.parametrize(
        ("link", "used"), [({"cons": "constant"}, 1), ({"l1": "0.002", "select": "7"}, 2), ({"sharp": "0.00"}, 0)]
    )
    def test_the_settings_of_a_link_are_counted_from_the_start(self, link, used):
        app = open_page(**link)
        assert box_mark(app, "readable") == box_mark(app.run(), "readable") == f" · {used} in use" * (used > 0)

    def test_the_starting_point_sets_them_all(self):
        app = open_page(**{"from": "readable"})
        wanted = widget_values(READABLE(), 0.3)
        assert {key: values(app)[key] for key in KEYS} == {key: wanted[key] for key in KEYS}
        assert "All settings as in the starting point Readable." in [as_text(c.value) for c in app.caption]
        mark = box_mark(app, "readable")
        assert mark == box_mark(app.switch_page("pages/sweep.py").run(), "readable") and "in use" in mark

    def test_what_has_no_effect_is_said_below_them(self):
        app = open_page(cons="constant", data="iris")
        said = [as_text(c.value) for c in app.caption]
        assert any("BN before the consequents has no effect" in text for text in said)
        app.selectbox(key="bn").select("gbn").run()
        assert not any("has no effect" in c.value for c in app.caption)
        app.selectbox(key="ln").select("relu").run()
        assert any("Layer normalisation has no effect: constant scores" in as_text(c.value) for c in app.caption)

    def test_the_tab_of_the_rules_gets_the_strengths_of_their_conditions(self):
        app = train(open_page(**{"data": "iris", "from": "readable", "epochs": "12", "rules": "3", "conditions": "2"}))
        look_at(app, "Rules")
        part = last_message(app)["shown"]["strengths"]
        assert len(part["features"]) == 4 and len(part["classes"]) == 3
        counts = [sum(byte > 0 for byte in base64.b64decode(record["strengths"])) for record in part["list"]]
        assert counts[0] == 12 and counts[-1] == 6
        assert all(len(record["classes"]) == 3 for record in part["list"])


@pytest.mark.parametrize(
    ("config", "begins"),
    [
        (TrainConfig(consequents="constant", shrinkage=0.0), "BN before"),
        (READABLE(batch_norm="rbn"), "BN before"),
        (READABLE(shrinkage=0.1), "Shrinkage κ has no effect"),
        (READABLE(max_conditions=0, selection_epoch=5), "“Conditions chosen after” has no effect"),
        (READABLE(max_epochs=120, selection_epoch=121), "Training ends before epoch 121"),
        (READABLE(ur_weight=0.0), "Sharpness without UR"),
        (TrainConfig(layer_norm="relu", n_trainings=2), f"{SINGLE} layer normalisation"),
        (TrainConfig(init="class-kmeans", n_trainings=2), f"{SINGLE} k-means"),
    ],
)
def test_each_remark_has_its_reason(config, begins):
    (said,) = remarks(config)
    assert said.startswith(begins) and said.endswith(".")


@pytest.mark.parametrize(
    "config",
    [TrainConfig(), TrainConfig.paper(), READABLE(), READABLE(batch_norm="gbn"), READABLE(max_epochs=120, selection_epoch=120)],
)
def test_nothing_is_said_where_all_settings_have_an_effect(config):
    assert remarks(config) == []


def test_nothing_else_of_a_session_has_the_key_of_a_setting():
    names = {key.name for key in vars(session).values() if isinstance(key, session.Key)}
    assert not names & {setting.key for setting in SETTINGS.values()}

"""A playlist on the page Explore: its steps in place of the presets, with their notes, by press and by key."""

import pytest

from tests.lessons.test_playlist import GOOD
from tests.pages.helpers import as_text, button, open_page, run_of, values, wait_for_end
from tests.pages.test_present import press as press_key
from tests.pages.test_present import typed  # noqa: F401
from tests.pages.test_presets import offered, watched


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TSK_LESSONS_DIR", str(tmp_path))
    quick = GOOD.replace("bn: none}", "bn: none, epochs: 5}").replace("{ur: 10}", "{ur: 10, epochs: 5}")
    (tmp_path / "week.yaml").write_text(quick)
    return tmp_path


def go_on(app, label):
    next(one for one in app.button if as_text(one.label) == label).click().run()
    return wait_for_end(app)


def test_a_link_begins_it_a_press_goes_on_and_whoever_leaves_it_has_the_built_in_presets():
    app = wait_for_end(open_page(playlist="week-3"))
    assert (values(app)["rules"], values(app)["ur"]) == (10, 0.0)
    assert watched(app) == "Ask: who wins?"
    assert app.query_params["playlist"] in ("week-3", ["week-3"])
    assert [as_text(b.label) for b in offered(app)] == ["1. Without UR", "2. With UR"]
    go_on(app, "Next: 2. With UR")
    assert values(app)["ur"] == 10.0 and watched(app) == "Every bar is near 1/R."
    again = open_page(playlist="week-3", run=run_of(app))
    assert watched(again) == "Every bar is near 1/R." and values(again)["ur"] == 10.0
    assert not [one for one in app.get("popover") if "Why?" in str(one.proto)]  # it has no answer
    go_on(app, "Next: 1. Without UR")
    assert values(app)["ur"] == 0.0
    button(app, "Leave the playlist").click().run()
    assert "Rich get richer" in [as_text(b.label) for b in offered(app)]
    assert "playlist" not in app.query_params


@pytest.mark.usefixtures("typed")
def test_keys_go_from_step_to_step():
    app = wait_for_end(open_page(playlist="week-3", present="1"))
    press_key(app, "n")
    wait_for_end(app)
    assert any("Every bar is near 1/R." in as_text(one.value) for one in app.markdown)


def test_an_unknown_one_is_named():
    app = open_page(playlist="nowhere")
    assert as_text(app.warning[0].value) == "This server has no playlist “nowhere”; the presets are the built-in ones."
    assert "playlist" not in app.query_params


def test_the_page_learn_lists_it_and_names_a_wrong_one(folder):
    (folder / "wrong.yaml").write_text(GOOD.replace("name: week-3", "name: wrong").replace("data: moons", "data: nowhere"))
    app = open_page(page="learn")
    assert button(app, "UR in five minutes · 2 steps")
    assert any(as_text(one.value).startswith("A playlist is not shown. wrong.yaml, line 12") for one in app.warning)

"""Painted points on the pages: in links, from page to page, trained on, followed, kept with their runs, and what is refused."""

import json

import pytest

from tests.pages.helpers import as_text, button, full_link, open_page, progress, run_of, said, train, values, wait_for_end
from tsk_core.data.painted import IN_LINK, MOST, NONE, SOURCE, from_text, preset
from tsk_core.data.painted import as_text as text_of
from ui.platform.engine import get_engine

SMALL = text_of(preset("islands", 60, 0.02))


def given(app):
    """What the painter in the browser is given."""
    (painter,) = (part for part in app.get("bidi_component") if part.key == "views:paint")
    return json.loads(painter.proto.json)["paint"]


def points_of_link(app):
    (text,) = app.query_params["points"] if isinstance(app.query_params["points"], list) else [app.query_params["points"]]
    return text


def painting(**link):
    return open_page(data="painted", rules="3", epochs="5", **link)


def test_a_link_with_points_opens_the_painter_with_them_and_trains():
    app = painting(points=SMALL)
    assert not app.exception and not app.error
    assert given(app)["text"] == SMALL and points_of_link(app) == SMALL
    assert "Points: 20 blue, 20 orange, 20 green." in said(app)
    assert values(app)["target"] == "class" and app.session_state["from"] == "recommended"
    train(app)
    assert progress(app).startswith("Finished")
    assert app.session_state["view"] == "Samples"
    about = get_engine().store.open(run_of(app)).about()["dataset"]
    assert (about["name"], about["source"], about["rows"]) == ("Painted points", SOURCE, 60)


@pytest.mark.parametrize(
    ("points", "text"),
    [
        ("2.AAAA", "does not begin with “1.”"),
        ("1.AAA", "damaged or cut off"),
        ("1." + "AAAA" * (IN_LINK + 1), "at most 1,500 are possible"),
        ("1.____", "place of a painted point is outside"),
        ("<script>", "does not begin with “1.”"),
    ],
)
def test_a_bad_link_says_one_sentence_and_the_painter_stays(points, text):
    app = painting(points=points)
    assert not app.exception
    (error,) = (as_text(e.value) for e in app.error)
    assert text in error and error.count(". ") == 0 and "<script>" not in error
    assert given(app)["text"] == NONE and button(app, "Train").disabled


def test_a_shape_follows_its_sliders_and_points_beyond_a_link_stay_in_the_session_and_with_their_run():
    app = painting()
    app.selectbox(key="paint_shape").select("moons").run()
    assert len(from_text(given(app)["text"])) == 200 and points_of_link(app) == given(app)["text"]
    app.slider(key="paint_rows").set_value(400).run()
    assert len(from_text(given(app)["text"], 8000)) == 400 and given(app)["version"] == 2
    assert "points" not in app.query_params
    assert f"A link has room for {IN_LINK} points, so these stay in this session" in said(app)
    assert not button(app, "Train").disabled
    other = open_page(data="painted", sha="0" * 64)  # what such a link opens
    assert any(f"at most {IN_LINK} painted points" in as_text(i.value) for i in other.info)
    train(app)
    other = open_page(run=run_of(app))
    assert not other.exception and not other.error
    assert values(other)["data"] == "painted" and given(other)["text"] == given(app)["text"]
    assert "Data changed" not in said(other)


def test_points_go_along_to_the_other_pages_leave_the_link_with_other_data_and_stand_in_the_full_link():
    app = painting(points=SMALL)
    for page in ("pages/compare.py", "pages/sweep.py"):
        app.switch_page(page).run()
        assert not app.exception and values(app)["data"] == "painted" and points_of_link(app) == SMALL
        assert "Points: 20 blue, 20 orange, 20 green." in said(app)
    app.switch_page("pages/explore.py").run()
    app.selectbox(key="data:list").select("iris").run()
    assert "points" not in app.query_params
    app.selectbox(key="data:list").select("painted").run()
    assert given(app)["text"] == SMALL
    assert f"points={SMALL}" in full_link(app)["link"]


def test_a_shape_chosen_beside_a_run_of_points_trains_again_unless_that_is_switched_off():
    app = painting(points=SMALL)
    assert not [t for t in app.toggle if t.label == "Train as I paint"]
    app.selectbox(key="paint_shape").select("xor").run()
    assert "run" not in app.query_params  # the first training is started by hand
    train(app)
    first = run_of(app)
    app.slider(key="paint_noise").set_value(0.1).run()
    second = run_of(app)
    assert second != first
    wait_for_end(app)
    app.toggle(key="paint_and_train").set_value(False).run()
    app.slider(key="paint_noise").set_value(0.02).run()
    assert run_of(app) == second
    assert "The data in the sidebar differ and apply to the next run." in said(app)


@pytest.fixture
def stroke(monkeypatch):
    """A function that says to the server of a page what a browser says after a stroke."""
    sent = []

    def mount(*views, calls, **given):
        if sent:
            calls["points"](sent.pop())

    def stroke(app, value):
        monkeypatch.setattr("ui.explore.painter.mount", mount)
        sent.append(value)
        app.run()
        monkeypatch.undo()
        return app.run()

    return stroke


def test_the_end_of_a_stroke_trains_on_the_new_points(stroke):
    app = train(painting(points=SMALL))
    first, more = run_of(app), text_of(preset("islands", 90, 0.02))
    stroke(app, {"version": given(app)["version"], "text": more})
    assert points_of_link(app) == more and run_of(app) != first
    wait_for_end(app)
    assert get_engine().store.open(run_of(app)).about()["dataset"]["rows"] == 90
    second = run_of(app)
    stroke(app, {"version": given(app)["version"], "text": more})  # the same again, as a browser may say it twice
    assert run_of(app) == second


def test_what_a_browser_says_is_checked(stroke):
    app = painting(points=SMALL)
    for value in (None, "text", {}, {"version": 0, "text": "1.AAAA"}):
        app = stroke(app, value)
        assert not app.exception and (given(app)["text"], given(app)["version"]) == (SMALL, 1)
    for version, more in enumerate(({}, {"text": "1.____"}, {"text": 7}, {"text": "1." + "AAAA" * (MOST + 1)}), 1):
        app = stroke(app, {"version": version} | more)
        assert not app.exception and (given(app)["text"], given(app)["version"]) == (SMALL, version + 1)  # it gets those back

"""The large picture of the stage in a browser: what the pointer marks, the switch between plane and grid, and what unfolds.

What both consist of is tested in stage_ground.test.js.
"""

import re

import pytest
from playwright.sync_api import expect

from tests.client.messages import show_views
from tests.client.rulebases import DATA, message_of_rules, pets, sentences
from tests.client.rulebases import PETS as ROWS
from tsk_core.live import as_snapshot

pytestmark = pytest.mark.browser

PLANE, GRID = ".tsk-ground-plane", ".tsk-ground-grid"
MARKED = 'const { options } = await import("/client/core/store.js"); return [options.pointed, options.kept];'
PLACES = f"""
const {{ drawingIn }} = await import("/client/plane/drawing.js"), place = document.querySelector("{PLANE}");
const named = ({{ at, rule, row }}) => [rule === undefined ? `row ${{row}}` : `rule ${{rule}}`, at];
return Object.fromEntries(drawingIn(place).shown.picture.spots.map(named));
"""
PIXELS = "const canvas = document.querySelector(given[0] + ' canvas'); return canvas.toDataURL();"


def show_stage(client, rows=ROWS):
    """The stage of a run with two rules that ended."""
    rules = pets()
    snapshot = as_snapshot(rules, 1)
    message = message_of_rules([snapshot], rules, [sentences(snapshot, rules, ROWS["x"])])
    page = show_views(client, message, "stage", data=next(DATA), run="now", rows=rows)
    page.locator(f"{PLANE} canvas").wait_for()
    client.frames()
    return page


def move(client, node, at):
    box = client.page.locator(f"{node} canvas").bounding_box()
    client.page.mouse.move(box["x"] + at[0], box["y"] + at[1])
    client.frames()
    return client.run(MARKED)


def test_pointing_at_a_rule_marks_it_a_click_keeps_it_and_a_click_beside_all_lets_go(client):
    page, places = show_stage(client), client.run(PLACES)
    before = client.run(PIXELS, PLANE)
    assert move(client, PLANE, places["rule 1"]) == [1, None]
    assert client.run(PIXELS, PLANE) != before
    expect(page.locator(f"{PLANE} .tsk-spot")).to_have_text("rule 2: 50.0% of the firing")
    page.mouse.down()
    page.mouse.up()
    assert client.run(MARKED) == [1, 1]
    assert move(client, PLANE, (2, 2)) == [None, 1]
    at = places["row 3"]
    move(client, PLANE, at)
    page.mouse.down()
    page.mouse.up()
    assert client.run(MARKED) == [None, 1]  # a row was chosen
    box = page.locator(f"{PLANE} canvas").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 0.6 * box["height"])
    assert client.run(MARKED)[1] is None


def test_the_switch_shows_the_grid_whose_rows_mark_rules(client):
    page = show_stage(client)
    page.get_by_role("button", name="Rules × features").click()
    expect(page.locator(PLANE)).to_be_hidden()
    expect(page.get_by_role("combobox", name="Across")).to_be_hidden()
    expect(page.locator(GRID)).to_have_accessible_name(re.compile(r"^Grid of 2 of 2 rules and 2 of 2 features: .* rules 1, 2\.$"))
    assert move(client, GRID, (60, 90)) == [0, None]
    expect(page.locator(f"{GRID} .tsk-spot")).to_contain_text("rule 1")
    page.mouse.down()
    page.mouse.up()
    assert client.run(MARKED) == [0, 0]
    page.mouse.move(2, 2)
    assert client.run(MARKED) == [None, 0]
    page.get_by_role("button", name="Plane", exact=True).click()
    expect(page.locator(GRID)).to_be_hidden()
    expect(page.get_by_role("button", name="Plane", exact=True)).to_have_attribute("aria-pressed", "true")


def test_what_unfolds_is_reached_by_keyboard_and_closes_with_escape_or_beside_it(client):
    page = show_stage(client)
    about = page.locator(".tsk-about-picture")
    about.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(about).to_contain_text("Dots are rows: hollow for training")
    expect(about).to_contain_text("Classes: cat dog")
    page.keyboard.press("Escape")
    expect(about.locator("p").first).to_be_hidden()
    expect(about.locator("summary")).to_be_focused()
    page.locator(".tsk-more summary").click()
    page.get_by_role("button", name="Zoom in").click()
    expect(page.get_by_role("button", name="Back to the first view")).to_be_enabled()
    page.get_by_role("button", name="Back to the first view").click()
    about.locator("summary").click()
    expect(page.get_by_role("button", name="Zoom in")).to_be_hidden()


def test_the_picture_is_as_high_as_its_place_follows_the_window_and_needs_no_rows(client):
    page = show_stage(client, rows=None)
    height = page.locator(f"{PLANE} canvas").bounding_box()["height"]
    assert abs(height - page.locator(".tsk-stage-ground").bounding_box()["height"]) < 1
    page.set_viewport_size({"width": 1280, "height": 1000})
    client.frames()
    assert page.locator(f"{PLANE} canvas").bounding_box()["height"] > height + 100

"""The views of a comparison, a sweep and a search: drawn in place, and what a click or a key in them tells the server."""

import pytest
from playwright.sync_api import expect

from tests.client.messages import list_part, value_part
from tests.experiments.sweeps import BASELINES, make_points
from tests.experiments.sweeps import make_plan as sweep_plan
from tests.pages.comparisons import make_plan, point_line
from tsk_core.experiments.sweep_summary import sentence, summarise
from ui.compare.panel import about
from ui.experiments import Collected
from ui.sweep.options import Wanted
from ui.sweep.panel import drawn_sweep

pytestmark = pytest.mark.browser
MOUNT = """
const { mount, receive } = await import("/client/client.js");
globalThis.sent = [];
const missing = receive(given[0]);
mount(document.getElementById("place"), { views: given[1] }, (name, value) => sent.push([name, value]));
return missing;
"""
CLICK = "document.querySelector('.tsk-chart').emit('plotly_click', { points: [given[0]] });"


def show(client, message, *views):
    """Mount views on a blank page after this message, and wait for a chart; what the message lacks."""
    missing = client.open().run(MOUNT, message, views)
    expect(client.page.locator(".tsk-chart .main-svg").first).to_be_visible()
    return missing


def sent(client):
    return client.page.evaluate("sent")


# A comparison.


def comparison(since=0):
    """What a page sends of a comparison of two seeds: a point for each training, with another score for each seed."""
    plan, known = make_plan(seeds=2), Collected()
    for number in range(plan.size):
        known.add(point_line(plan, number, 0.5 + number / 50))
    said = about(plan, ["setosa", "versicolor", "virginica"], known, "sd", ended=False)
    entries = [known.entry(record) for record in known.log[since:]]
    return [value_part("comparison", {"experiment": "a", **said}), list_part("records", "a", entries, since, "")]


def test_records_that_are_missing_are_reported_and_all_views_follow_one_epoch(client, phone):
    assert show(client, comparison(since=1), "compareBar", "compareBca", "compareFiring") == ["records"]
    assert client.receive(comparison()) == []
    page = client.page
    expect(page.locator(".tsk-view-compareBca .tsk-chart")).to_have_attribute(
        "aria-label", "Balanced accuracy (BCA) by epoch; at epoch 3: MBGD 0.510 (mean of 2), UR 0.550 (mean of 2)."
    )
    page.get_by_role("slider", name="Selected epoch").fill("1")
    expect(page.get_by_text("epoch 1 of 3")).to_be_visible()
    expect(page.locator(".tsk-view-compareFiring .tsk-caption")).to_contain_text("After epoch 0, 2 seeds each")
    assert client.run("return document.documentElement.scrollWidth <= 390;")


def test_a_comparison_is_replayed_from_its_first_epoch_to_the_newest(client):
    show(client, comparison(), "compareBar", "compareBca")
    client.run("""
        const label = document.querySelector(".tsk-epoch");
        globalThis.seen = [];
        new MutationObserver(() => seen.push(label.textContent)).observe(label, { childList: true });""")
    client.page.get_by_role("button", name="Replay training").click()
    client.page.wait_for_function("seen.at(-1) === 'epoch 3 of 3'")
    expect(client.page.get_by_role("button", name="Replay training")).to_be_visible()  # it has ended
    seen = client.page.evaluate("seen")
    assert seen[0] == "epoch 0 of 3" and seen == sorted(seen)


def test_a_click_on_the_line_of_a_seed_opens_its_training(client):
    show(client, comparison(), "compareBca")
    client.page.wait_for_function("() => document.querySelector('.tsk-chart')._ev?.listenerCount('plotly_click')")
    for point in ({"customdata": [3, 1]}, {}):
        client.run(CLICK, point)
    assert sent(client) == [["opened", 3]]


# A sweep.


def test_a_click_on_a_cell_of_the_map_names_it(client):
    plan = sweep_plan("batch=16,32", "ur=0,10", seeds=2)
    points = make_points(plan, [0.7, 0.8, 0.75, 0.6])
    cells = summarise(plan, points)
    wanted = Wanted(plan.seeds, "mean", "bca", "sd", "map")
    drawn = drawn_sweep(plan, points, cells, BASELINES, wanted, sentence(plan, cells, BASELINES))
    show(client, [value_part("sweep", drawn), value_part("sweep_chosen", None)], "sweep")
    page, box = client.page, client.page.locator(".tsk-view-sweep .nsewdrag").first.bounding_box()
    for share, variant in ((0.25, 1), (0.75, 3)):  # the upper row: λ 10
        page.mouse.move(box["x"] + share * box["width"], box["y"] + 0.3 * box["height"])
        expect(page.locator(".hoverlayer .hovertext")).to_contain_text(f"Batch size {16 if variant == 1 else 32}, λ 10")
        page.mouse.click(box["x"] + share * box["width"], box["y"] + 0.25 * box["height"])
        page.wait_for_function("variant => sent.at(-1)?.[1] === variant", arg=variant)
    assert sent(client) == [["chosen", 1], ["chosen", 3]]


# A search for good settings.


def trial(number, score, state="training", **changes):
    known = {"sd": 0.02, "validations": 5, "settings": f"scaled, R {number}", "own": number == 1}
    known |= {"error": 0.01, "conditions": None, "rules": number, "most": 0, "agreement": None, "literal": None}
    return {"number": number, "score": score, "state": state, **known, **changes}


def search(since, trials, **changes):
    payload = {"ended": False, "measure": "BCA", "curve": None, "trials": trials}
    return [{"kind": "tuning", "since": since, "payload": payload | changes}]


def test_the_table_has_the_best_first_and_the_figure_is_drawn_in_place(client):
    dropped = [trial(1, 0.8, "dropped"), trial(3, 0.93, "dropped", sd=None, validations=1)]
    show(client, search(1, [trial(4, 0.9), trial(2, 0.88), *dropped]), "search")
    client.run("globalThis.node = document.querySelector('.tsk-chart .main-svg');")
    client.page.get_by_text("All combinations tried, as a table (4)").click()
    rows = client.page.get_by_role("row")
    expect(rows).to_have_count(5)
    expect(rows.nth(1)).to_have_text("40.9000.0205still in tuningscaled, R 4")
    client.receive(search(2, [trial(2, 0.88, "finished")], ended=True))
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("kept to the end")
    assert client.run("return node === document.querySelector('.tsk-chart .main-svg');")


def test_a_rule_base_of_the_curve_is_chosen_by_keyboard_and_by_click_once_the_search_has_ended(client):
    sized = {"most": 3, "own": False, "agreement": 0.971}
    trials = [trial(n, 0.6 + n / 20, "finished", conditions=3 * n, **sized) for n in (3, 1, 2, 4)]
    show(client, search(1, trials, curve=[2, 3, 4]), "search")
    page, pressed = client.page, client.page.get_by_role("button", pressed=True)
    buttons = page.get_by_role("button", name="Choose the rule base with")
    expect(buttons).to_have_count(3)
    expect(buttons.nth(1)).to_be_disabled()
    expect(page.get_by_role("row").nth(1)).to_have_text("6 conditions230.7000.01097%–scaled, R 2")
    expect(pressed).to_have_text("9 conditions")
    client.receive(search(2, trials, curve=[2, 3, 4], ended=True))
    expect(buttons.nth(0)).to_be_enabled()
    buttons.nth(0).focus()
    page.keyboard.press("Enter")
    assert sent(client) == [["chosen", 2]]
    client.receive([value_part("tuning_chosen", 2)])
    expect(pressed).to_have_text("6 conditions")
    expect(pressed).to_be_focused()  # the table was drawn anew
    for point in ({"customdata": 4}, {"customdata": 1}, {"customdata": 1, "x": 6}):  # the second is not on the curve, its size is
        client.run(CLICK, point)
    assert sent(client) == [["chosen", 2], ["chosen", 4], ["chosen", 2]]

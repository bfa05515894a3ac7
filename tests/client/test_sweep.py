"""The figures and the table of a sweep."""

import pytest
from playwright.sync_api import expect

from tests.experiments.sweeps import BASELINES, make_plan, make_points
from tsk_core.experiments.sweep_summary import sentence, summarise
from ui.sweep.message import message
from ui.sweep.options import Wanted

pytestmark = pytest.mark.browser
MOUNT = """
const { mount, receive } = await import("/client/client.js");
globalThis.chosen = [];
receive([{ kind: "sweep", since: 1, payload: given[0] }]);
mount(document.getElementById("place"), { views: ["sweep"] }, (name, variant) => globalThis[name].push(variant));
"""


def sweep(plan, points, show="bca", band="sd", draw="map", baselines=BASELINES, chosen=None):
    """What the page sends."""
    cells = summarise(plan, points)
    text = sentence(plan, cells, baselines)
    (part,) = message(plan, points, cells, baselines, Wanted(plan.seeds, "mean", show, band, draw), text, chosen)
    return part["payload"]


def one_axis(text="batch=16,32,64", means=(0.7, 0.8, 0.797), **options):
    plan = make_plan(text, seeds=8)
    return plan, make_points(plan, list(means)), options


def test_the_table_names_the_runs_of_a_cell_and_the_figure_is_drawn_in_place(client):
    plan, points, _ = one_axis()
    client.open().run(MOUNT, sweep(plan, points[:8]))
    chart = client.page.locator(".tsk-view-sweep .tsk-chart")
    expect(chart.locator(".main-svg").first).to_be_visible()
    client.run("globalThis.node = document.querySelector('.tsk-chart .main-svg');")
    client.page.get_by_text("All cells as a table (3)").click()
    expect(client.page.get_by_role("row")).to_have_count(4)
    send = "(await import('/client/client.js')).receive([{ kind: 'sweep', since: given[1], payload: given[0] }]);"
    client.run(send, sweep(plan, points), 3)
    expect(client.page.get_by_role("row").nth(2)).to_contain_text("highest by BCA")
    client.run(send, sweep(plan, []), 2)
    client.page.get_by_role("button", name="Show the runs of batch size 64", exact=True).click()
    assert client.run("return globalThis.chosen;") == [2]
    expect(client.page.get_by_role("row").nth(2)).to_contain_text("highest by BCA")  # a late message changes nothing
    assert client.run("return node === document.querySelector('.tsk-chart .main-svg');")


def test_a_click_on_a_cell_of_the_map_names_it(client):
    plan = make_plan("batch=16,32", "ur=0,10", seeds=2)
    client.open().run(MOUNT, sweep(plan, make_points(plan, [0.7, 0.8, 0.75, 0.6])))
    drag = client.page.locator(".tsk-view-sweep .nsewdrag").first
    expect(drag).to_be_attached()
    box = drag.bounding_box()
    for share, variant in ((0.25, 1), (0.75, 3)):  # the upper row: λ 10
        client.page.mouse.move(box["x"] + share * box["width"], box["y"] + 0.3 * box["height"])
        expect(client.page.locator(".hoverlayer .hovertext")).to_contain_text(f"Batch size {16 if variant == 1 else 32}, λ 10")
        client.page.mouse.click(box["x"] + share * box["width"], box["y"] + 0.25 * box["height"])
        client.page.wait_for_function("variant => globalThis.chosen.at(-1) === variant", arg=variant)
    assert client.run("return globalThis.chosen;") == [1, 3]

"""The choices below a chart, figures side by side on equal scales, and bars under an outline, as Plotly draws them."""

import io
import json

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.client.messages import make_epoch, make_history, make_shown, message_of, show_views, value_part
from tsk_core.epoch import ENTROPY_BINS

pytestmark = pytest.mark.browser


def test_choices_below_the_loss_change_its_axes(client):
    show_views(client.open(), message_of(make_shown(make_history(5), metrics={})), "loss")
    page = client.page
    page.locator(".tsk-view-loss .main-svg").first.wait_for()
    page.get_by_role("combobox", name="Axis").select_option("steps")
    expect(page.locator(".tsk-view-loss .xtitle")).to_have_text("Gradient steps")
    log = page.get_by_role("button", name="Logarithmic loss axis")
    log.click()
    expect(log).to_have_attribute("aria-pressed", "true")
    axis = "() => document.querySelector('.tsk-view-loss .tsk-chart')._fullLayout.yaxis.type"
    page.wait_for_function(f"() => ({axis})() === 'log'")
    page.get_by_role("combobox", name="Axis").select_option("epochs")
    log.click()
    page.wait_for_function(f"() => ({axis})() === 'linear'")


# Equal scales, and side by side.

EVEN, UNEVEN = [0.25] * 4, [0.7, 0.2, 0.09, 0.01]


SIDES = """
await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
const of = ({ data: [{ y, zmax }], _fullLayout: { xaxis, yaxis, width } }) =>
  ({ y, zmax, x: xaxis.range, up: yaxis.range, width });
return [...document.querySelectorAll(`.tsk-view-${given[0]} .tsk-place > div .tsk-chart`)].map(of);
"""


def test_the_comparison_stands_beside_the_run_at_a_press(client):
    after, before = (
        make_shown(make_history(9, firing=EVEN), metrics={}),
        make_shown(make_history(12, firing=UNEVEN), "b", metrics={}),
    )
    show_views(client.open(), message_of(after, before), "order", "firing", "heat")
    page = client.page
    page.locator(".tsk-view-heat .main-svg").first.wait_for()
    assert len(client.run(SIDES, "firing")) == 1
    page.get_by_role("button", name="Draw the comparison beside the run").click()
    for name in ("firing", "heat"):
        page.locator(f".tsk-view-{name} .tsk-other .main-svg").first.wait_for()
        left, right = client.run(SIDES, name)
        assert left["x"] == right["x"] and left["width"] == pytest.approx(right["width"], abs=2)
        assert (left["zmax"], left["up"]) == (right["zmax"], right["up"])
    left, right = client.run(SIDES, "firing")
    assert (left["y"], right["y"]) == (UNEVEN, EVEN) and left["up"][1] > 0.7
    expect(page.locator(".tsk-view-firing .tsk-other")).to_contain_text("Comparison")
    guess = {"kind": "bars", "measure": "firing", "labels": list("1234"), "values": [0.9, 0.1, 0, 0], "label": "guess"}
    client.run('(await import("/client/client.js")).receive(JSON.parse(given[0]))', json.dumps([value_part("prediction", guess)]))
    page.get_by_text("guess").first.wait_for()
    assert min(side["up"][1] for side in client.run(SIDES, "firing")) > 0.9  # what was predicted is in sight
    page.get_by_role("button", name="Draw the comparison beside the run").click()
    assert len(client.run(SIDES, "firing")) == 1
    client.run('(await import("/client/client.js")).receive(JSON.parse(given[0]))', json.dumps(message_of(after)))
    expect(page.get_by_role("button", name="Draw the comparison beside the run")).to_be_hidden()


# Outlines over bars.

FEET = """
const node = document.querySelector(".tsk-view-entropy .tsk-chart"), { _fullLayout: { xaxis, yaxis, _size } } = node;
const box = node.getBoundingClientRect();
return given.map((bin) => [box.x + _size.l + xaxis.l2p((bin + 0.3) * Math.log(4) / 30), box.y + _size.t + yaxis.l2p(0)]);
"""


def test_bars_stand_on_their_axis_under_an_outline(client):
    """In pixels: where the comparison has no rows, its halo does not cut off the feet of the bars."""
    bars, past = np.ones(ENTROPY_BINS, int), np.zeros(ENTROPY_BINS, int)
    past[-1] = 30
    run, before = make_shown([make_epoch(entropy=bars)], metrics={}), make_shown([make_epoch(entropy=past)], "b", metrics={})
    show_views(client.open(), message_of(run, before), "entropy")
    page = client.page
    page.locator(".tsk-view-entropy .main-svg").first.wait_for()
    page.wait_for_timeout(100)
    places = client.run(FEET, 5, 12, 20)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    for x, y in places:
        column = [picture.getpixel((round(x), round(y) - up)) for up in (2, 3)]
        assert all(blue > red + 60 for red, _, blue in column), column

"""The choices below a chart, and figures side by side on equal scales, as Plotly draws them."""

import pytest
from playwright.sync_api import expect

from tests.client.messages import make_history, make_shown, message_of, show_views, value_part

pytestmark = pytest.mark.browser


def test_choices_below_the_loss_change_its_axes(client):
    page = show_views(client, message_of(make_shown(make_history(5), metrics={})), "loss")
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


EVEN, UNEVEN = [0.25] * 4, [0.7, 0.2, 0.09, 0.01]
SIDES = """
await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
const of = ({ data: [{ y, zmax }], _fullLayout: { xaxis, yaxis, width } }) =>
  ({ y, zmax, x: xaxis.range, up: yaxis.range, width });
return [...document.querySelectorAll(`.tsk-view-${given[0]} .tsk-place > div .tsk-chart`)].map(of);
"""


def test_the_comparison_stands_beside_the_run_at_a_press(client):
    after = make_shown(make_history(9, firing=EVEN), metrics={})
    before = make_shown(make_history(12, firing=UNEVEN), "b", metrics={})
    page = show_views(client, message_of(after, before), "order", "firing", "heat")
    beside = page.get_by_role("button", name="Draw the comparison beside the run")
    assert len(client.run(SIDES, "firing")) == 1
    beside.click()
    for name in ("firing", "heat"):
        page.locator(f".tsk-view-{name} .tsk-other .main-svg").first.wait_for()
        left, right = client.run(SIDES, name)
        assert left["x"] == right["x"] and left["width"] == pytest.approx(right["width"], abs=2)
        assert (left["zmax"], left["up"]) == (right["zmax"], right["up"])
    left, right = client.run(SIDES, "firing")
    assert (left["y"], right["y"]) == (UNEVEN, EVEN) and left["up"][1] > 0.7
    expect(page.locator(".tsk-view-firing .tsk-other")).to_contain_text("Comparison")
    guess = {"kind": "bars", "measure": "firing", "labels": list("1234"), "values": [0.9, 0.1, 0, 0], "label": "guess"}
    client.receive([value_part("prediction", guess)])
    page.get_by_text("guess").first.wait_for()
    assert min(side["up"][1] for side in client.run(SIDES, "firing")) > 0.9  # what was predicted is in sight
    beside.click()
    assert len(client.run(SIDES, "firing")) == 1
    client.receive(message_of(after))
    expect(beside).to_be_hidden()

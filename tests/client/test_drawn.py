"""Figures as Plotly really draws them, one after the other in the same place."""

import json

import pytest

from tests.client.told import make_epoch, make_history, make_shown, message_of

pytestmark = pytest.mark.browser

DRAWN = ["loss", "accuracy", "gradients", "firing", "heat", "entropy"]
MOUNT = """
const { mount, receive } = await import("/client/place.js");
const [message, options] = JSON.parse(given[0]);
receive(message);
mount(document.querySelector("#place"), options);
"""
RECEIVE = '(await import("/client/place.js")).receive(JSON.parse(given[0]))'
# What Plotly made of the axes, once it has drawn all that was asked for.
AXES = """
await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
const look = ({ range, autorange, type }) => ({ range, autorange, type });
const axes = ({ _fullLayout: { xaxis, yaxis } }) => ({ x: look(xaxis), y: look(yaxis) });
return Object.fromEntries(given[0].map((name) => [name, axes(document.querySelector(`.tsk-view-${name} .tsk-chart`))]));
"""


def show(client, *messages, names=DRAWN):
    """Draw these messages one after the other on a blank page; what the axes are in the end."""
    client.open().run(MOUNT, json.dumps([messages[0], {"views": names}]))
    client.page.locator(f".tsk-view-{names[-1]} .main-svg").first.wait_for()
    for message in messages[1:]:
        client.run(AXES, names)
        client.run(RECEIVE, json.dumps(message))
    return client.run(AXES, names)


def run_of(epochs, run="now", **changes):
    return message_of(make_shown(make_history(epochs, **changes), run, metrics={} if epochs else None))


def test_axes_after_a_reset_are_those_of_a_first_drawing(client):
    fresh = show(client, run_of(9, "second"))
    assert show(client, run_of(5, "first"), run_of(0, "second"), run_of(9, "second")) == fresh
    low, high = fresh["accuracy"]["y"]["range"]
    assert 0 <= low < 0.6 and 0.9 < high <= 1.1


@pytest.mark.parametrize("first", [0, 4])
def test_the_accuracy_axis_covers_each_run(client, first):
    axes = show(client, run_of(first, "first"), run_of(6, "second", rca_test=0.2, bca_test=0.1), names=["accuracy"])
    low, high = axes["accuracy"]["y"]["range"]
    assert 0 <= low < 0.1 and 0.9 < high <= 1.1


def test_a_part_that_was_zoomed_into_stays_through_an_update(client):
    show(client, run_of(9), names=["accuracy"])
    box = client.page.locator(".tsk-view-accuracy .nsewdrag").first.bounding_box()
    corner = (box["x"] + box["width"] / 4, box["y"] + box["height"] / 4)
    client.page.mouse.move(*corner)
    client.page.mouse.down()
    client.page.mouse.move(corner[0] + box["width"] / 2, corner[1] + box["height"] / 2, steps=4)
    client.page.mouse.up()
    zoomed = client.run(AXES, ["accuracy"])["accuracy"]["y"]
    assert zoomed["autorange"] is False
    history = [*make_history(9), make_epoch(10, rca_test=0.1)]
    client.run(RECEIVE, json.dumps(message_of(make_shown(history, metrics={}))))
    assert client.run(AXES, ["accuracy"])["accuracy"]["y"] == zoomed

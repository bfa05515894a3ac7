"""The page Learn replays a training that ended, when the server's count of replays grows."""

import json

import pytest

from tests.client.messages import make_history, make_shown, message_of, show_views, value_part

pytestmark = pytest.mark.browser

RECEIVE = """
const { receive } = await import("/client/client.js"), { state, subscribe } = await import("/client/core/store.js");
window.seen = [];
subscribe(() => { const { epoch } = state(); if (epoch && window.seen.at(-1) !== epoch.epoch) window.seen.push(epoch.epoch); });
receive(JSON.parse(given[0]));
"""


def send(client, count):
    client.run(RECEIVE, json.dumps([value_part("replay", count)]))


def open_run(client):
    show_views(client.open(), message_of(make_shown(make_history(12), metrics={})), "loss")
    client.page.locator(".tsk-view-loss .main-svg").first.wait_for()


def test_a_replay_begins_at_the_first_epoch_and_ends_at_the_last_without_a_slider(client):
    open_run(client)
    send(client, 1)
    client.page.wait_for_function("window.seen.length > 2 && window.seen.at(-1) === 12")
    seen = client.page.evaluate("window.seen")
    assert seen[0] == 12 or seen[0] < 4
    rest = seen[1:] if seen[0] == 12 else seen
    assert rest[0] < 4 and rest == sorted(rest)


def test_nothing_is_replayed_for_who_wants_no_motion_nor_for_an_old_count(client):
    open_run(client)
    client.page.emulate_media(reduced_motion="reduce")
    send(client, 1)
    client.run(
        "await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))"
    )
    assert set(client.page.evaluate("window.seen")) <= {12}
    client.page.emulate_media(reduced_motion="no-preference")
    send(client, 1)
    client.run(
        "await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))"
    )
    assert set(client.page.evaluate("window.seen")) <= {12}

"""Saving a figure: only where there is one."""

import json

import pytest
from playwright.sync_api import expect

from tests.client.messages import make_history, make_shown, message_of, show_views

pytestmark = pytest.mark.browser


def test_a_figure_can_be_saved_as_soon_as_there_is_one(client):
    show_views(client.open(), message_of(), "loss", "confusion")
    buttons = client.page.get_by_role("group", name="Save this figure").filter(visible=True)
    expect(client.page.locator(".tsk-view-confusion .tsk-caption")).to_contain_text("appears after the first epochs")
    expect(buttons).to_have_count(0)
    message = message_of(make_shown(make_history(3)))
    client.run('(await import("/client/core/store.js")).receive(JSON.parse(given[0]))', json.dumps(message))
    expect(buttons).to_have_count(1)  # the loss; there is no evaluation yet

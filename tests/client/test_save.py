"""Saving a figure: only where there is one."""

import json

import pytest
from playwright.sync_api import expect

from tests.client.rulebases import SHOW
from tests.client.told import make_history, make_shown, message_of

pytestmark = pytest.mark.browser


def test_a_figure_can_be_saved_as_soon_as_there_is_one(client):
    client.open().run(SHOW, json.dumps([message_of(), {"views": ["loss", "confusion"]}]))
    buttons = client.page.get_by_role("group", name="Save this figure").filter(visible=True)
    expect(client.page.locator(".tsk-view-confusion .tsk-caption")).to_contain_text("comes with the first epochs")
    expect(buttons).to_have_count(0)
    message = message_of(make_shown(make_history(3)))
    client.run('(await import("/client/store.js")).receive(JSON.parse(given[0]))', json.dumps(message))
    expect(buttons).to_have_count(1)  # the loss; nothing is known of mistakes

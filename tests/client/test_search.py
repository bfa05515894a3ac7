"""The figure and the table of a search for good settings."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def trial(number, score, state="training", **changes):
    known = {"sd": 0.02, "validations": 5, "settings": f"scaled, R {number}", "own": number == 1}
    known |= {"error": 0.01, "conditions": None, "rules": number, "most": 0, "agreement": None, "literal": None}
    return {"number": number, "score": score, "state": state, **known, **changes}


SEARCH = {
    "ended": False,
    "measure": "BCA",
    "curve": None,
    "chosen": 4,
    "trials": [trial(4, 0.9), trial(2, 0.88), trial(1, 0.8, "dropped"), trial(3, 0.93, "dropped", sd=None, validations=1)],
}
MOUNT = """
const { mount, receive } = await import("/client/client.js");
receive([{ kind: "tuning", since: 1, payload: given[0] }]);
mount(document.getElementById("place"), { views: ["search"] });
"""


def test_the_table_has_the_best_first_and_the_figure_is_drawn_in_place(client):
    client.open().run(MOUNT, SEARCH)
    chart = client.page.locator(".tsk-view-search .tsk-chart")
    expect(chart.locator(".main-svg").first).to_be_visible()
    client.run("globalThis.node = document.querySelector('.tsk-chart .main-svg');")
    client.page.get_by_text("All combinations tried, as a table (4)").click()
    rows = client.page.get_by_role("row")
    expect(rows).to_have_count(5)
    expect(rows.nth(1)).to_have_text("40.9000.0205still in tuningscaled, R 4")
    client.run(
        "(await import('/client/client.js')).receive([{ kind: 'tuning', since: 2, payload: given[0] }]);",
        {"ended": True, "measure": "BCA", "curve": None, "chosen": 2, "trials": [trial(2, 0.88, "finished")]},
    )
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("kept to the end")
    assert client.run("return node === document.querySelector('.tsk-chart .main-svg');")


RECEIVE = "(await import('/client/client.js')).receive([{ kind: 'tuning', since: given[0], payload: given[1] }]);"
READABLE = {
    "ended": False,
    "measure": "BCA",
    "curve": [2, 3, 4],
    "chosen": 3,
    "trials": [trial(n, 0.6 + n / 20, "finished", conditions=3 * n, most=3, own=False, agreement=0.971) for n in (3, 1, 2, 4)],
}
MOUNT_READABLE = """
const { mount, receive } = await import("/client/client.js");
globalThis.sent = [];
receive([{ kind: "tuning", since: 1, payload: given[0] }]);
mount(document.getElementById("place"), { views: ["search"] }, (name, value) => globalThis.sent.push([name, value]));
"""


def test_a_rule_base_of_the_curve_is_chosen_by_keyboard_and_by_click_once_the_search_has_ended(client):
    client.open().run(MOUNT_READABLE, READABLE)
    page = client.page
    expect(page.locator(".tsk-view-search .main-svg").first).to_be_visible()
    buttons = page.get_by_role("button", name="Choose the rule base with")
    expect(buttons).to_have_count(3)
    expect(buttons.nth(1)).to_be_disabled()
    expect(page.get_by_role("row").nth(1)).to_have_text("6 conditions230.7000.01097%–scaled, R 2")
    expect(page.get_by_role("button", pressed=True)).to_have_text("9 conditions")
    client.run(RECEIVE, 2, READABLE | {"ended": True})
    expect(buttons.nth(0)).to_be_enabled()
    buttons.nth(0).focus()
    page.keyboard.press("Enter")
    assert client.run("return globalThis.sent;") == [["chosen", 2]]
    client.run(RECEIVE, 3, READABLE | {"ended": True, "chosen": 2})
    expect(page.get_by_role("button", pressed=True)).to_have_text("6 conditions")
    expect(page.get_by_role("button", pressed=True)).to_be_focused()  # the table was drawn anew
    client.run("document.querySelector('.tsk-chart').emit('plotly_click', { points: [{ customdata: 4 }] });")
    assert client.run("return globalThis.sent;") == [["chosen", 2], ["chosen", 4]]
    client.run("document.querySelector('.tsk-chart').emit('plotly_click', { points: [{ customdata: 1 }] });")  # not on the curve
    assert len(client.run("return globalThis.sent;")) == 2
    client.run("document.querySelector('.tsk-chart').emit('plotly_click', { points: [{ customdata: 1, x: 6 }] });")  # lies on one
    assert client.run("return globalThis.sent.at(-1);") == ["chosen", 2]

"""The figure and the table of a search for good settings."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def trial(number, score, state="training", **changes):
    known = {"sd": 0.02, "validations": 5, "settings": f"scaled, R {number}", "own": number == 1}
    return {"number": number, "score": score, "state": state, **known, **changes}


SEARCH = {
    "ended": False,
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
    expect(rows.nth(1)).to_have_text("40.9000.0205in the racescaled, R 4")
    client.run(
        "(await import('/client/client.js')).receive([{ kind: 'tuning', since: 2, payload: given[0] }]);",
        {"ended": True, "trials": [trial(2, 0.88, "finished")]},
    )
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("in the race to the end")
    assert client.run("return node === document.querySelector('.tsk-chart .main-svg');")

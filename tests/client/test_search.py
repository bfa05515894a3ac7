"""The figure and the table of a search for good settings."""

import json

import plotly.graph_objects as go
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


def figure(client, search, dark=False):
    return client.call("tuning/search.js", "searchFigure", search, dark)


def points(drawn):
    return {trace["name"]: list(zip(trace["x"], trace["y"], strict=True)) for trace in drawn["data"] if trace["x"]}


def test_a_dot_is_filled_while_in_the_race_hollow_when_dropped_and_a_star_when_best(client):
    drawn = figure(client, SEARCH)
    assert points(drawn) == {"dropped": [(1, 0.8), (3, 0.93)], "in the race": [(2, 0.88)], "best so far": [(4, 0.9)]}
    symbols = {trace["name"]: trace["marker"].get("symbol", "circle") for trace in drawn["data"]}
    assert symbols == {"dropped": "circle-open", "in the race": "circle", "best so far": "star"}
    [line] = drawn["layout"]["shapes"]
    assert line["y0"] == line["y1"] == 0.9
    assert "4 combinations" in drawn["name"] and "best so far is number 4 with 0.900" in drawn["name"]


def test_a_dot_says_its_settings_and_score(client):
    texts = [text for trace in figure(client, SEARCH)["data"] for text in trace["text"]]
    assert "1: your settings: scaled, R 1<br>BCA 0.800 (SD 0.020 over 5 folds), dropped" in texts
    assert "3: scaled, R 3<br>BCA 0.930 (one fold), dropped" in texts


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(
    "search", [SEARCH, {**SEARCH, "ended": True}, {"ended": False, "trials": []}], ids=["now", "end", "none"]
)
def test_the_figure_is_drawn_at_any_time(client, search, dark):
    drawn = figure(client, search, dark)
    go.Figure(drawn["data"], drawn["layout"])  # refuses names and values that Plotly does not have
    assert not any(word in json.dumps(drawn) for word in ("NaN", "undefined", "Infinity", "[object"))


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

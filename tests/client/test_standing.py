"""Where something stands that goes on: a sentence with a bar, lines with bars of their own, and a table."""

import pytest
from playwright.sync_api import expect

from tests.client.messages import show_views, value_part

pytestmark = pytest.mark.browser

LINES = [{"text": "2 of 3 folds", "bold": True, "share": 0.25}, {"text": "tuned", "bold": False}]
TABLE = {"columns": ["Variant", "BCA"], "rows": [["none", "0.910"], ["<b>UR</b>", "0.930"]]}
WHOLE = {"share": 0.5, "text": "Training…", "lines": LINES, "table": TABLE}


def standing(said, of="a"):
    return [value_part("standing", said, of)]


def show(client, said=None, **options):
    """The view of "a" after this was said of it."""
    page = show_views(client, standing(said) if said else [], "standing", of="a", **options)
    return page.locator(".tsk-view-standing")


def bars(view):
    """Name and share of each bar in sight; None for one without an end."""
    return view.locator("progress:visible").evaluate_all("nodes => nodes.map((node) => [node.ariaLabel, node.value])")


def lines(view):
    return view.locator("p:visible").evaluate_all("nodes => nodes.map((node) => [node.textContent, node.className])")


def test_nothing_is_drawn_before_it_is_known_and_what_is_of_something_else_is_not(client):
    view = show(client)
    expect(view).to_have_text("")
    client.receive(standing(WHOLE, "b"))
    client.frames()
    assert (bars(view), lines(view), view.locator("table:visible").count()) == ([], [], 0)
    client.receive(standing(WHOLE))
    expect(view.get_by_role("status")).to_have_text("Training…")


def test_a_sentence_has_a_bar_where_its_share_is_known_and_both_go_at_the_end(client):
    view = show(client, {"share": 0.25, "text": "Training…"})
    expect(view.get_by_role("status")).to_have_text("Training…")
    assert bars(view) == [["Training…", 0.25]]
    client.receive(standing({"share": None, "text": "Starting…"}))
    expect(view.get_by_role("status")).to_have_text("Starting…")
    assert bars(view) == []
    client.receive(standing({"share": 1.0, "text": ""}))
    expect(view.get_by_role("status")).to_have_count(0)
    assert bars(view) == []


def test_lines_have_bars_of_their_own_and_a_table_has_its_text_as_it_is(client):
    view = show(client, WHOLE)
    assert lines(view) == [["2 of 3 folds", "tsk-bold"], ["tuned", "tsk-caption"]]
    assert bars(view) == [["Training…", 0.5], ["2 of 3 folds", 0.25]]
    expect(view.get_by_role("row")).to_have_text(["VariantBCA", "none0.910", "<b>UR</b>0.930"])
    client.receive(standing({"share": 0.75, "text": "Training…", "lines": LINES[1:]}))
    expect(view.get_by_role("table")).to_have_count(0)
    assert lines(view) == [["tuned", "tsk-caption"]]
    assert bars(view) == [["Training…", 0.75]]


def test_a_line_whose_share_is_zero_has_a_bar(client):
    assert bars(show(client, {"share": None, "text": "", "lines": [{"text": "waits", "bold": False, "share": 0.0}]})) == [
        ["waits", 0]
    ]


@pytest.mark.parametrize(("part", "status", "below"), [("text", 1, 0), ("lines", 0, 1)])
def test_a_page_may_have_the_sentence_and_the_rest_in_two_places(client, part, status, below):
    view = show(client, WHOLE, part=part)
    expect(view.get_by_role("status")).to_have_count(status)
    expect(view.get_by_role("table")).to_have_count(below)
    assert len(lines(view)) == 2 * below


def test_both_places_follow_what_is_said(client):
    show_views(client, standing(WHOLE), "standing", of="a", part="text")
    client.run("""
        const { mount } = await import("/client/client.js");
        mount(document.body.appendChild(document.createElement("section")), { views: ["standing"], of: "a", part: "lines" });""")
    client.receive(standing({**WHOLE, "text": "Testing…"}))
    expect(client.page.get_by_role("status")).to_have_text("Testing…")
    expect(client.page.get_by_role("table")).to_have_count(1)

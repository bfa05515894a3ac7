"""The rule list as a figure: drawn on wide pages, told as sentences on narrow ones and to screen readers, saved and printed."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.client.rulebases import make_rows, show_rules
from tests.explain.readable.readable_bases import readable_base
from tsk_core.explain import RuleBaseSummary, rule_grid

pytestmark = pytest.mark.browser
SVG = "{http://www.w3.org/2000/svg}"


def test_the_rule_list_is_a_figure_that_follows_the_page_and_can_be_saved_and_printed(client):
    rules, Z, y = readable_base(5, 3, 2)
    rules["classes"][0] = "<b>c0</b>"
    book = RuleBaseSummary.build(rules, Z, y)
    grid = rule_grid(book.rule_list, Z.min(0), Z.max(0))
    rows = make_rows(Z.tolist(), y.tolist())
    page = show_rules(client, rules, rows, beside=("readable",), change=lambda base: base.update(list=grid), dark=True)
    figure, lines = page.locator(".tsk-readable-frame > svg"), page.locator(".tsk-readable-lines li")
    expect(lines).to_have_text(grid["lines"])
    drawn = [text for text in figure.locator("text").evaluate_all("nodes => nodes.map((node) => node.firstChild.data)") if text]
    assert [text for text in drawn if text.startswith("rule ")] == [f"rule {line['rule']}" for line in grid["items"][:-1]]
    assert "otherwise" in drawn and figure.locator("text").first.get_attribute("fill") == "#E6E6E6"
    page.get_by_role("combobox", name="Rows").select_option("class")
    classes = [line["class"] for line in sorted(grid["items"][:-1], key=lambda line: rules["classes"].index(line["class"]))]
    bold = figure.locator("text[font-weight]").evaluate_all("nodes => nodes.map((node) => node.firstChild.data)")
    assert bold[:-1] == classes
    with page.expect_download() as download:
        page.get_by_role("button", name="Save this figure as SVG").click()
    saved = ElementTree.fromstring(Path(download.value.path()).read_text())
    assert {node.get("fill") for node in saved.iter(f"{SVG}text")} == {"#000000"}
    assert {"<b>c0</b>"} & set(bold) <= {node.text for node in saved.iter(f"{SVG}text")}
    page.evaluate("() => { window.print = () => { window.printed = document.querySelector('.tsk-sheet').textContent; }; }")
    page.get_by_role("button", name="Print this figure on a landscape page").click()
    assert all(line in page.evaluate("window.printed") for line in grid["lines"])
    page.emulate_media(media="print")
    expect(page.locator(".tsk-sheet svg")).to_be_visible()
    expect(figure).to_be_hidden()
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    expect(page.locator(".tsk-sheet")).to_have_count(0)
    page.set_viewport_size({"width": 390, "height": 800})
    expect(figure).to_be_hidden()
    assert lines.first.bounding_box()["height"] > 20 and np.isclose(lines.first.bounding_box()["width"], 360, atol=40)

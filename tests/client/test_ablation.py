"""Taking rules and conditions out on the tab Rules, and the pictures below the rules: what they draw, and that they follow the
row and what is taken out; the rule list as a figure.
"""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from tests.client.rulebases import COLUMNS, choose_row, make_rows, show_rules
from tests.explain.examples import base, random_base, rule, slow_firing
from tests.explain.readable.readable_bases import readable_base
from tsk_core.explain import RuleBaseSummary, rule_grid

pytestmark = pytest.mark.browser
slow = pytest.mark.slow


def pets():
    """Small ones are cats; large ones and red ones are dogs."""
    small = rule([1.0, 0.5, 0.5], [1.0, None, None], [[1.0, 0, 0, 0], [0, 0, 0, 0]])
    large = rule([4.0, 0.5, 0.5], [1.0, None, None], [[0, 0, 0, 0], [1.0, 0, 0, 0]])
    red = rule([1.0, 1.0, 0.0], [2.0, 0.3, 0.3], [[0, 0, 0, 0], [4.0, 0, 0, 0]])
    return base(COLUMNS, [small, large, red], ("cat", "dog"))


PETS = make_rows(
    [[1.0, 1, 0], [1.5, 1, 0], [2.0, 0, 1], [4.0, 0, 1], [4.5, 0, 1], [1.2, 1, 0]], [1, 1, 0, 1, 1, 1], [0, 1, 1, 0, 1, 1]
)


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def test_a_rule_is_taken_out_and_put_back(client):
    page = show_rules(client, pets(), PETS, beside=("reasons",))
    panel = page.locator(".tsk-effect")
    expect(panel).to_be_hidden()
    button(page, "Take rule 3 out").click()
    expect(panel.get_by_role("status")).to_have_text(
        "Taken out: rule 3. The prediction stays the same for 2 of 4 test rows (50.0%)."
    )
    expect(panel).to_contain_text("Accuracy (RCA)1.0000.500−0.500")
    expect(panel).to_contain_text("Balanced accuracy (BCA)1.0000.667−0.333")
    expect(panel).to_contain_text("Measured on all 4 test rows.")
    expect(panel.locator(".tsk-affected > summary")).to_have_text("Changed predictions: 2 test rows and 1 training row")
    panel.locator(".tsk-affected > summary").click()
    expect(panel.locator(".tsk-affected .tsk-caption")).to_have_text(
        "2 test rows and 1 training row, of 4 test rows and 2 training rows at hand."
    )
    expect(panel.locator(".tsk-affected tbody tr").first).to_have_text(re.compile(r"^\s*1\s*training\s*dog\s*dog\s*cat\s*$"))
    page.get_by_role("button", name="Open row 2 in the tab Samples").click()
    expect(page.locator(".tsk-head")).to_contain_text("Row 2 (test)")
    expect(button(page, "Put rule 3 back")).to_have_attribute("aria-pressed", "true")
    button(page, "Undo the last step").click()
    expect(panel).to_be_hidden()
    expect(button(page, "Take rule 3 out")).to_be_visible()


@slow
def test_conditions_are_taken_out_one_by_one_and_put_back_together(client):
    page = show_rules(client, pets(), PETS)
    eye = page.get_by_role("button", name="Take the condition on colour in rule 3 out")
    eye.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Put the condition on colour of rule 3 back")).to_be_focused()
    page.get_by_role("button", name="Take the condition on size in rule 1 out").click()
    status = page.locator(".tsk-effect").get_by_role("status")
    expect(status).to_contain_text("Taken out: colour in rule 3 and size in rule 1.")
    button(page, "Undo the last step").click()
    expect(status).to_contain_text("Taken out: colour in rule 3.")
    button(page, "Put all rules and conditions back").click()
    expect(status).to_have_text("All rules and conditions are back.")
    button(page, "Undo the last step").click()
    expect(status).to_contain_text("Taken out: colour in rule 3.")
    for r in (1, 2):
        button(page, f"Take rule {r} out").click()
    expect(button(page, "Take rule 3 out")).to_be_disabled()  # the last one
    expect(button(page, "Put rule 1 back")).to_be_enabled()
    client.run('(await import("/client/rules/context.js")).setRows({ views: [], run: "another", rows: null });')
    expect(status).to_contain_text("so nothing is computed")  # without rows


@slow
def test_samples_predict_without_what_is_taken_out(client):
    page = show_rules(client, pets(), PETS, beside=("plane", "reasons"))
    sentence, head = page.locator(".tsk-if"), page.locator(".tsk-head")
    choose_row(page, 2)
    expect(head).to_contain_text("the model predicts dog")
    button(page, "Take rule 3 out").click()
    expect(head).to_contain_text("the model predicts cat")
    expect(page.locator(".tsk-view-reasons")).to_contain_text("Without rule 3, which the tab Rules took out.")
    expect(page.locator(".tsk-view-plane .tsk-chart")).to_have_accessible_name(re.compile("and 2 rules"))
    expect(sentence).to_have_text(re.compile(r"^Rule 1 .* size is .*✓"))
    page.get_by_role("button", name="Take the condition on size in rule 1 out").click()
    expect(sentence).not_to_contain_text(" size is ")


# Pictures.


def unfold(page, kind):
    fold = page.locator(f".tsk-picture-{kind}")
    fold.locator(":scope > summary").click()
    fold.locator(".tsk-picture").wait_for()
    return fold


def fires(grid, rules, x):
    """Whether the grid shows the firing levels of this row, beside the names of the rules."""
    order = [int(text.split()[1]) - 1 for text in grid.locator("tbody th").all_inner_texts()]
    levels = slow_firing(rules, x)
    expect(grid.locator("tbody .tsk-value")).to_have_text([f"{100 * levels[r]:.1f}%" for r in order])


@slow
def test_a_line_that_is_dragged_changes_the_row_and_what_fires(client):
    rules = pets()
    page = show_rules(client, rules, PETS, beside=("reasons",))
    changed = page.locator(".tsk-changed")
    expect(page.locator(".tsk-picture")).to_have_count(0)  # nothing is drawn before it is unfolded
    grid = unfold(page, "grid")
    fires(grid, rules, [0, 0, 0])  # what replaces missing values
    cell = grid.locator(".tsk-draggable").first
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 9)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] + 40, box["y"] + 9)  # beyond the data, where it stops
    page.mouse.up()
    expect(changed).to_contain_text("With size 4.5 instead of")
    expect(grid.get_by_role("status")).to_contain_text("a typical row with your changes. The model predicts dog")
    fires(grid, rules, [4.5, 0, 0])
    grid.get_by_role("slider", name="size").press("Home")
    expect(changed).to_contain_text("With size 1 instead of")
    grid.get_by_role("combobox", name="colour").select_option("red")
    expect(changed).to_contain_text("colour red instead of")
    grid.get_by_role("button", name="Undo the changes to the row").click()
    expect(changed).to_be_empty()


@slow
def test_many_rules_and_features_come_in_pages_and_those_taken_out_are_left_out(client):
    rules, Z = random_base(11, 8, 2, 0, nulls=0)
    page = show_rules(client, rules, make_rows(Z.tolist(), [n % 2 for n in range(len(Z))]))
    grid = unfold(page, "grid")
    rows, columns = grid.locator("tbody th"), grid.locator("thead th")
    expect(rows).to_have_count(8)
    first = rows.first.inner_text()
    button(grid, "Next rules").click()
    expect(rows).to_have_count(3)
    expect(button(grid, "Next rules")).to_be_disabled()
    button(grid, "Previous rules").click()
    expect(rows.first).to_have_text(first)
    before = columns.all_inner_texts()
    button(grid, "Next features").click()
    expect(columns.nth(1)).not_to_have_text(before[1])
    assert not set(before[1:-2]) & set(columns.all_inner_texts()[1:-2])
    button(page, f"Take {first.lower()} out").click()
    expect(grid.get_by_text("rules 1 to 8 of 10")).to_be_visible()


@slow
def test_every_picture_is_drawn_with_its_table_and_follows_what_is_taken_out(client):
    page = show_rules(client, pets(), PETS)
    for kind, name in (("terms", "3 terms of size"), ("network", "Rules that fire"), ("classes", "Confidence of 3 rules")):
        fold = unfold(page, kind)
        fold.locator(".main-svg").first.wait_for()
        expect(fold.get_by_role("img").first).to_have_accessible_name(re.compile(name))
    classes, network = page.locator(".tsk-picture-classes"), page.locator(".tsk-picture-network")
    classes.locator(".tsk-tried > summary").click()
    expect(classes.locator("tbody tr")).to_have_count(3)
    button(page, "Take rule 3 out").click()
    expect(classes.locator("tbody tr")).to_have_count(2)
    expect(page.locator(".tsk-picture-terms .tsk-chart")).to_have_accessible_name(re.compile("^2 terms of size over the data"))
    network.get_by_role("combobox").select_option("0.05")
    expect(network.locator(".tsk-tried > summary")).to_contain_text("The same as a table (")


# The rule list as a figure: drawn on wide pages, told as sentences on narrow ones and to screen readers, saved and printed.

SVG = "{http://www.w3.org/2000/svg}"


@slow
def test_the_rule_list_is_a_figure_that_follows_the_page_and_can_be_saved_and_printed(client):
    rules, Z, y = readable_base(5, 3, 2)
    rules["classes"][0] = "<b>c0</b>"
    grid = rule_grid(RuleBaseSummary.build(rules, Z, y).rule_list, Z.min(0), Z.max(0))
    rows = make_rows(Z.tolist(), y.tolist())
    page = show_rules(client, rules, rows, beside=("readable",), change=lambda base: base.update(list=grid), dark=True)
    figure, lines = page.locator(".tsk-readable-frame > svg"), page.locator(".tsk-readable-lines li")
    expect(lines).to_have_text(grid["lines"])
    drawn = [text for text in figure.locator("text").evaluate_all("nodes => nodes.map((node) => node.firstChild.data)") if text]
    assert [text for text in drawn if text.startswith("rule ")] == [f"rule {line['rule']}" for line in grid["items"][:-1]]
    assert "otherwise" in drawn and figure.locator("text").first.get_attribute("fill") == "#E6E6E6"
    page.get_by_role("combobox", name="Rows").select_option("class")
    classes = [line["class"] for line in sorted(grid["items"][:-1], key=lambda line: rules["classes"].index(line["class"]))]
    bold = figure.locator("text[font-weight]")
    expect(bold).to_have_text([*(re.compile(f"^{re.escape(name)}") for name in classes), re.compile(".")])  # the last: otherwise
    with page.expect_download() as download:
        page.get_by_role("button", name="Save this figure as SVG").click()
    saved = ElementTree.fromstring(Path(download.value.path()).read_text())
    assert {node.get("fill") for node in saved.iter(f"{SVG}text")} == {"#000000"}
    assert {"<b>c0</b>"} & set(classes) <= {node.text for node in saved.iter(f"{SVG}text")}
    page.evaluate("() => { window.print = () => { window.printed = document.querySelector('.tsk-sheet').textContent; }; }")
    page.get_by_role("button", name="Print this figure on a landscape page").click()
    page.wait_for_function("window.printed")
    assert all(line in page.evaluate("window.printed") for line in grid["lines"])
    page.emulate_media(media="print")
    expect(page.locator(".tsk-sheet svg")).to_be_visible()
    expect(figure).to_be_hidden()
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    expect(page.locator(".tsk-sheet")).to_have_count(0)
    page.set_viewport_size({"width": 390, "height": 800})
    expect(figure).to_be_hidden()
    assert lines.first.bounding_box()["height"] > 20

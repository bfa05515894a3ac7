"""The pictures below the rules: what they draw against the formulas, and that they follow the row and what is taken out."""

import pytest
from playwright.sync_api import expect

from tests.client.rulebases import make_rows, show_rules
from tests.client.test_ablation import PETS, pets
from tests.explain.examples import random_base, slow_firing

pytestmark = pytest.mark.browser


def unfold(page, kind):
    fold = page.locator(f".tsk-picture-{kind}")
    fold.locator(":scope > summary").click()
    fold.locator(".tsk-picture").wait_for()
    return fold


def percents(fold):
    return [float(text.rstrip("%")) / 100 for text in fold.locator("tbody .tsk-value").all_inner_texts()]


def test_nothing_is_drawn_before_it_is_unfolded(client):
    page = show_rules(client, pets(), PETS)
    assert page.locator(".tsk-picture").count() == 0
    unfold(page, "grid")
    assert page.locator(".tsk-picture").count() == 1


def test_a_line_that_is_dragged_changes_the_row_and_what_fires(client):
    rules = pets()
    page = show_rules(client, rules, PETS, beside=("reasons",))
    grid = unfold(page, "grid")
    order = [int(text.split()[1]) - 1 for text in grid.locator("tbody th").all_inner_texts()]
    assert percents(grid) == pytest.approx(
        [slow_firing(rules, [0, 0, 0])[r] for r in order], abs=6e-4
    )  # what replaces missing values
    cell = grid.locator(".tsk-draggable").first
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 9)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] + 40, box["y"] + 9)  # beyond the data, where it stops
    page.mouse.up()
    expect(page.locator(".tsk-changed")).to_contain_text("With size 4.5 instead of")
    expect(grid.get_by_role("status")).to_contain_text("a typical row with your changes. The model predicts dog")
    assert percents(grid) == pytest.approx([slow_firing(rules, [4.5, 0, 0])[r] for r in order], abs=6e-4)
    grid.get_by_role("slider", name="size").press("Home")
    expect(page.locator(".tsk-changed")).to_contain_text("With size 1 instead of")
    grid.get_by_role("combobox", name="colour").select_option("red")
    expect(page.locator(".tsk-changed")).to_contain_text("colour red instead of")
    expect(grid.locator("tbody tr", has_text="Rule 3").get_by_role("img").last).to_have_accessible_name(
        "Rule 3, colour: membership 1.00"
    )
    grid.get_by_role("button", name="Undo the changes to the row").click()
    expect(page.locator(".tsk-changed")).to_be_empty()


def test_many_rules_and_features_come_in_pages_and_those_taken_out_are_left_out(client):
    rules, Z = random_base(11, 8, 2, 0, nulls=0)
    page = show_rules(client, rules, make_rows(Z.tolist(), [n % 2 for n in range(len(Z))]))
    grid = unfold(page, "grid")
    names = grid.locator("tbody th")
    expect(names).to_have_count(8)
    first = names.first.inner_text()
    grid.get_by_role("button", name="Next rules").click()
    expect(names).to_have_count(3)
    expect(grid.get_by_role("button", name="Next rules")).to_be_disabled()
    grid.get_by_role("button", name="Previous rules").click()
    expect(names.first).to_have_text(first)
    before = grid.locator("thead th").all_inner_texts()
    grid.get_by_role("button", name="Next features").click()
    assert not set(before[1:-2]) & set(grid.locator("thead th").all_inner_texts()[1:-2])
    page.get_by_role("button", name=f"Take {first.lower()} out", exact=True).click()
    expect(grid.get_by_text("rules 1 to 8 of 10")).to_be_visible()


def test_every_picture_is_drawn_with_its_table_and_follows_what_is_taken_out(client):
    page = show_rules(client, pets(), PETS)
    for kind, name in (
        ("terms", "All terms|3 terms of size"),
        ("network", "Rules that fire"),
        ("classes", "Confidence of 3 rules"),
    ):
        fold = unfold(page, kind)
        fold.locator(".main-svg").first.wait_for()
        assert any(part in fold.get_by_role("img").first.get_attribute("aria-label") for part in name.split("|"))
    classes = page.locator(".tsk-picture-classes")
    classes.locator(".tsk-tried > summary").click()
    expect(classes.locator("tbody tr")).to_have_count(3)
    page.get_by_role("button", name="Take rule 3 out", exact=True).click()
    expect(classes.locator("tbody tr")).to_have_count(2)
    expect(page.locator(".tsk-picture-terms .tsk-chart")).to_have_accessible_name(
        "2 terms of size over the data: the membership functions of the rules, solid where a sentence has the condition."
    )
    page.locator(".tsk-picture-network").get_by_role("combobox").select_option("0.05")
    expect(page.locator(".tsk-picture-network .tsk-tried > summary")).to_contain_text("The same as a table (")

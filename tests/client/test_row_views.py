"""What the tab Samples says of one row: sums that add up on the screen, what would flip the decision, rows like it, rows found by
conditions, and response curves; held against Python.
"""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.client.rulebases import make_rows, show_samples
from tests.client.samples import PETS, choose_row, open_pets, pets, said
from tests.explain.examples import base, category, number, rule
from tests.explain.row.mixed import features_of, mixed_base
from tsk_core.explain import scores
from tsk_core.explain.row import decompose
from tsk_core.explain.row.features import typical_row
from tsk_core.live import as_snapshot

pytestmark = pytest.mark.browser
HOSTILE = ["<img src=x onerror=alert(1)>", "$x$", "a|b"]


def numbers(page, kind):
    """The lines of a table of sums: {text: number}."""
    found = {}
    for line in page.locator(f".tsk-by-{kind} tbody tr").all():
        cells = line.locator("th, td").all_inner_texts()
        found[cells[0]] = float(cells[2].replace("−", "-").replace("±", ""))
    return found


def test_both_sums_add_up_on_the_screen_to_the_score_that_python_has(client):
    rules, page = open_pets(client)
    Z = np.array(PETS["x"], float)
    assert list(numbers(page, "feature")) == ["a typical row", "different rules fire", "Sum: the score"]  # nothing is chosen
    for row in (0, 3):
        choose_row(page, row + 1)
        expect(said(page, "head")).to_contain_text(f"Row {row + 1} ")
        why = decompose(rules, Z[row], typical_row(rules["columns"]), features_of(rules, Z)).centred()
        best = int(scores(rules, Z[[row]])[0].argmax())
        for kind in ("rule", "feature"):
            shown = numbers(page, kind)
            total = shown.pop("Sum: the score")
            assert sum(shown.values()) == pytest.approx(total, abs=1e-9)
            assert total == pytest.approx(why.scores[best], abs=0.0051)
        assert shown[f"size = {Z[row, 0]:g}"] == pytest.approx(why.by_feature[0, best], abs=0.0101)
        assert shown["different rules fire"] == pytest.approx(why.by_firing[best], abs=0.0101)
    page.get_by_role("combobox", name="Score of").select_option("cat")
    assert numbers(page, "rule")["Sum: the score"] == pytest.approx(why.scores[0], abs=0.0051)


def test_the_nearest_change_is_said_applied_and_locked(client):
    rules, page = open_pets(client)
    choose_row(page, 1)
    change = r"With size [\d.]+ instead of 1 \([\d.]+ standard deviations\), the model predicts dog\."
    expect(said(page, "turn")).to_contain_text(re.compile(change))
    page.get_by_role("button", name=re.compile("^Apply this change: size")).first.click()
    expect(said(page, "changed")).to_contain_text("the prediction changes from cat to dog.")
    page.get_by_role("button", name="Undo changes").click()
    expect(said(page, "changed")).to_be_empty()
    lock = page.get_by_role("button", name="Lock size: no suggested change may touch it")
    expect(lock).to_have_attribute("aria-pressed", "false")
    lock.focus()
    page.keyboard.press("Enter")
    expect(lock).to_have_attribute("aria-pressed", "true")
    expect(said(page, "turn")).to_contain_text(re.compile("^With colour blue instead of red|No change .* with size locked"))
    page.get_by_role("button", name="Lock colour: no suggested change may touch it").click()
    expect(said(page, "turn")).to_have_text(
        "No change of one or two features within the range of the data flips the decision, with size and colour locked."
    )


def test_with_more_classes_a_change_can_lead_to_a_wanted_one(client):
    rules, Z = mixed_base(3, 3, seed=11)
    rows = make_rows(Z.tolist(), [0] * 25, [0] * 25)
    rows["view"]["scale"] = Z.std(0).tolist()
    page = show_samples(client, [as_snapshot(rules, 1)], rules, rows=rows)
    choose_row(page, 3)
    own = int(scores(rules, Z[[2]])[0].argmax())
    page.get_by_role("combobox", name="Flip it to").select_option(f"c{own}")
    expect(said(page, "turn")).to_have_text(f"The model already predicts c{own}.")
    other = (own + 1) % 3
    page.get_by_role("combobox", name="Flip it to").select_option(f"c{other}")
    expect(said(page, "turn")).to_contain_text(re.compile(rf"the model predicts c{other}\.|flips the decision to c{other}\."))


def test_rows_like_it_are_training_rows_by_distance_and_one_click_away(client):
    _, page = open_pets(client)  # rows 1 and 4 are training rows
    choose_row(page, 2)
    lines = page.locator(".tsk-alike li")
    expect(lines).to_have_count(2)
    expect(lines.nth(0)).to_contain_text("Row 1 cat; 0.50 away, firing levels overlap by")
    expect(lines.nth(1)).to_contain_text("Row 4 dog; 3.20 away")  # √(2.5² + 2²)
    expect(page.locator(".tsk-near .tsk-caption")).to_contain_text("1 of these 2 have the predicted class.")
    lines.nth(1).get_by_role("button", name="Select row 4").click()
    expect(said(page, "head")).to_contain_text("Row 4 (training)")


def add_condition(page, number, on):
    page.get_by_role("button", name=re.compile("^Add (a|another) condition$")).click()
    page.get_by_role("combobox", name=f"Condition {number} is on").select_option(on)


def counted(rows):
    """As "3 found (2 test rows and 1 training row)"."""
    tests = sum(PETS["part"][n] for n in rows)
    parts = [(tests, "test"), (len(rows) - tests, "training")]
    words = [f"{count} {part} row{'' if count == 1 else 's'}" for count, part in parts if count]
    return f"{len(rows)} found ({' and '.join(words)})"


def test_two_changes_of_a_condition_before_the_next_drawing_both_count(client):
    _, page = open_pets(client)
    page.locator("summary", has_text="Find rows").click()
    add_condition(page, 1, "size")
    page.locator(".tsk-wanted-0").evaluate(
        """(line) => {
          for (const [input, value] of [[".tsk-low", "1.2"], [".tsk-high", "4"]]) {
            const node = line.querySelector(input);
            node.value = value;
            node.dispatchEvent(new Event("input"));
          }
        }"""
    )
    expect(said(page, "found")).to_have_text(
        f"{counted([n for n in range(6) if 1.2 <= PETS['x'][n][0] <= 4])} among 6 rows drawn: size 1.2 to 4."
    )


@pytest.mark.slow
def test_rows_are_found_by_conditions_and_stepped_through(client):
    rules, page = open_pets(client)
    page.locator("summary", has_text="Find rows").click()
    add_condition(page, 1, "size")
    page.get_by_role("spinbutton", name="Condition 1, from").fill("1.2")
    page.get_by_role("spinbutton", name="Condition 1, to").fill("4")
    expect(said(page, "found")).to_have_text(
        f"{counted([n for n in range(6) if 1.2 <= PETS['x'][n][0] <= 4])} among 6 rows drawn: size 1.2 to 4."
    )
    add_condition(page, 2, "Prediction")
    wrong = np.array(scores(rules, PETS["x"]).argmax(1) != np.array(PETS["y"]))
    found = [n + 1 for n in range(6) if 1.2 <= PETS["x"][n][0] <= 4 and wrong[n]]
    assert found
    expect(said(page, "found")).to_contain_text(
        f"{counted([n - 1 for n in found])} among 6 rows drawn: size 1.2 to 4 and misclassified."
    )
    row = page.get_by_role("spinbutton", name="Row", exact=True)
    for expected in [*found, found[0]]:
        page.get_by_role("button", name="Next row found").click()
        expect(row).to_have_value(str(expected))
    page.get_by_role("button", name="Previous row found").click()
    expect(row).to_have_value(str(found[-1]))
    expect(said(page, "found")).to_contain_text(f"Row {len(found)} of the {len(found)} found")
    page.get_by_role("button", name="Remove condition 1").click()
    expect(said(page, "found")).to_contain_text("rows drawn: misclassified.")
    page.get_by_role("combobox", name="Condition 1 is on").select_option("colour")
    page.get_by_role("combobox", name="Value of condition 1").select_option("blue")
    expect(said(page, "found")).to_contain_text(
        f"{counted([n for n in range(6) if PETS['x'][n][2]])} among 6 rows drawn: colour is blue."
    )
    found = page.locator(".tsk-found-rows").get_by_role("button", name="Select row 5")
    found.focus()
    page.keyboard.press("Enter")
    expect(row).to_have_value("5")
    expect(found).to_be_focused()  # though the table is drawn again, from this row on
    page.get_by_role("button", name="Remove all conditions").click()
    expect(said(page, "found")).to_be_hidden()


def test_the_curve_s_slider_moves_the_row_and_the_figure_says_where_it_stands(client):
    _, page = open_pets(client)
    choose_row(page, 1)
    chart = page.locator(".tsk-view-curves .tsk-chart")
    expect(chart).to_have_accessible_name(re.compile(r"Probability of each class along size: cat is highest at .* own 1 it has"))
    page.get_by_role("slider", name="size, of the row").focus()
    page.keyboard.press("End")
    expect(said(page, "changed")).to_contain_text("With size 4.5 instead of 1")
    expect(chart).to_have_accessible_name(re.compile(r"at the row's own 4\.5 it has"))
    page.get_by_role("combobox", name="Along").select_option("colour")
    expect(chart).to_have_accessible_name(re.compile(r"along colour: .* own red it has"))


def test_names_are_shown_as_text(client):
    columns = [number(HOSTILE[0]), category(HOSTILE[1], HOSTILE[0]), category(HOSTILE[1], HOSTILE[2])]
    _, page = open_pets(client, classes=(HOSTILE[0], HOSTILE[1]), columns=columns)
    choose_row(page, 1)
    expect(said(page, "turn")).to_contain_text(f"With {HOSTILE[0]} ")
    page.locator("summary", has_text="Find rows").click()
    add_condition(page, 1, "True class")
    expect(said(page, "found")).to_contain_text(f"true class {HOSTILE[0]}")
    assert page.locator("#place img").count() == 0


def test_without_rows_there_is_nothing_to_find_but_something_to_turn(client):
    rules = pets()
    page = show_samples(client, [as_snapshot(rules, 1)], rules)
    expect(page.locator(".tsk-find")).to_be_hidden()
    expect(page.locator(".tsk-near")).to_be_hidden()
    expect(said(page, "turn")).to_contain_text(re.compile("the model predicts|No change"))
    expect(page.locator(".tsk-view-curves .tsk-caption")).to_contain_text("for a typical row")


def test_a_single_constant_category_has_no_curve(client):
    rules = base([category("kind", "only")], [rule([0.5], [1.0], [[0.0, 0.0], [1.0, 0.0]])])
    page = show_samples(client, [as_snapshot(rules, 1)], rules, rows=make_rows([[1], [1]], [0, 1]))
    expect(page.locator(".tsk-view-curves")).to_be_hidden()
    expect(said(page, "turn")).to_contain_text("No change")

"""What the tab Samples says of one row: sums that add up on the screen, what would flip the decision, rows like it, rows found by
conditions, and response curves; held against Python.
"""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.client.rulebases import PETS, choose_row, make_rows, pets, said, show_pets
from tests.explain.examples import base, category, rule
from tests.explain.row.mixed import features_of
from tsk_core.explain import scores
from tsk_core.explain.row import decompose
from tsk_core.explain.row.features import typical_row

pytestmark = pytest.mark.browser
slow = pytest.mark.slow


def numbers(page, kind, *present):
    """The lines of a table of sums, once it has these: {text: number}."""
    lines = page.locator(f".tsk-by-{kind} tbody tr")
    for text in present:
        expect(lines.filter(has_text=text)).to_have_count(1)
    cells = lines.evaluate_all("all => all.map((one) => [...one.cells].map((cell) => cell.textContent))")
    return {name: float(value.replace("−", "-").replace("±", "")) for name, _, value, *_ in cells}


def test_both_sums_add_up_on_the_screen_to_the_score_that_python_has(client):
    rules, Z = pets(), np.array(PETS["x"], float)
    page = show_pets(client, rules)
    typical = ["a typical row", "different rules fire", "Sum: the score"]  # nothing is chosen
    assert list(numbers(page, "feature", *typical)) == typical
    for row in (0, 3):
        choose_row(page, row + 1)
        expect(said(page, "head")).to_contain_text(f"Row {row + 1} ")
        why = decompose(rules, Z[row], typical_row(rules["columns"]), features_of(rules, Z)).centred()
        best = int(scores(rules, Z[[row]])[0].argmax())
        shown = {kind: numbers(page, kind, *of) for kind, of in (("feature", [f"size = {Z[row, 0]:g}"]), ("rule", []))}
        for parts in shown.values():
            assert parts["Sum: the score"] == pytest.approx(why.scores[best], abs=0.0051)
            assert sum(parts.values()) == pytest.approx(2 * parts["Sum: the score"], abs=1e-9)
        assert shown["feature"][f"size = {Z[row, 0]:g}"] == pytest.approx(why.by_feature[0, best], abs=0.0101)
        assert shown["feature"]["different rules fire"] == pytest.approx(why.by_firing[best], abs=0.0101)
    page.get_by_role("combobox", name="Score of").select_option("cat")
    total = page.locator(".tsk-by-rule tbody tr", has_text="Sum: the score").locator("td").last
    expect(total).to_have_text(re.compile(f"^{why.scores[0]:.2f}$".replace("-", "−")))


def test_the_nearest_change_is_said_applied_and_locked(client):
    page, turn = show_pets(client), said(client.page, "turn")
    choose_row(page, 1)
    change = r"With size [\d.]+ instead of 1 \([\d.]+ standard deviations\), the model predicts dog\."
    expect(turn).to_contain_text(re.compile(change))
    page.get_by_role("button", name=re.compile("^Apply this change: size")).first.click()
    expect(said(page, "changed")).to_contain_text("the prediction changes from cat to dog.")
    page.get_by_role("button", name="Undo changes").click()
    expect(said(page, "changed")).to_be_empty()
    lock = page.get_by_role("button", name="Lock size: no suggested change may touch it")
    expect(lock).to_have_attribute("aria-pressed", "false")
    lock.focus()
    page.keyboard.press("Enter")
    expect(lock).to_have_attribute("aria-pressed", "true")
    expect(turn).to_contain_text(re.compile("^With colour blue instead of red|No change .* with size locked"))
    page.get_by_role("button", name="Lock colour: no suggested change may touch it").click()
    expect(turn).to_have_text(
        "No change of one or two features within the range of the data flips the decision, with size and colour locked."
    )


def add_condition(page, number, on):
    page.get_by_role("button", name=re.compile("^Add (a|another) condition$")).click()
    page.get_by_role("combobox", name=f"Condition {number} is on").select_option(on)


def counted(holds, text):
    """As "3 found (2 test rows and 1 training row) among 6 rows drawn: size 1.2 to 4", for the rows of which this holds."""
    rows = [n for n in range(6) if holds(n)]
    tests = sum(PETS["part"][n] for n in rows)
    parts = [(tests, "test"), (len(rows) - tests, "training")]
    words = [f"{count} {part} row{'' if count == 1 else 's'}" for count, part in parts if count]
    return f"{len(rows)} found ({' and '.join(words)}) among 6 rows drawn: {text}."


def middling(n):
    return 1.2 <= PETS["x"][n][0] <= 4


@slow
def test_rows_are_found_by_conditions_and_stepped_through(client):
    page, rules = show_pets(client), pets()
    found, row = said(page, "found"), page.get_by_role("spinbutton", name="Row", exact=True)
    page.locator("summary", has_text="Find rows").click()
    add_condition(page, 1, "size")
    page.locator(".tsk-wanted-0").evaluate(
        """(line) => { // both before the next drawing
          for (const [input, value] of [[".tsk-low", "1.2"], [".tsk-high", "4"]]) {
            const node = line.querySelector(input);
            node.value = value;
            node.dispatchEvent(new Event("input"));
          }
        }"""
    )
    expect(found).to_have_text(counted(middling, "size 1.2 to 4"))
    add_condition(page, 2, "Prediction")
    wrong = np.array(scores(rules, PETS["x"]).argmax(1) != np.array(PETS["y"]))
    hits = [n + 1 for n in range(6) if middling(n) and wrong[n]]
    assert hits
    expect(found).to_contain_text(counted(lambda n: middling(n) and wrong[n], "size 1.2 to 4 and misclassified"))
    for expected in [*hits, hits[0]]:
        page.get_by_role("button", name="Next row found").click()
        expect(row).to_have_value(str(expected))
    page.get_by_role("button", name="Previous row found").click()
    expect(row).to_have_value(str(hits[-1]))
    expect(found).to_contain_text(f"Row {len(hits)} of the {len(hits)} found")
    page.get_by_role("button", name="Remove condition 1").click()
    expect(found).to_contain_text("rows drawn: misclassified.")
    page.get_by_role("combobox", name="Condition 1 is on").select_option("colour")
    page.get_by_role("combobox", name="Value of condition 1").select_option("blue")
    line = page.locator(".tsk-found-rows").get_by_role("button", name="Select row 5")
    line.focus()
    page.keyboard.press("Enter")
    expect(row).to_have_value("5")
    expect(line).to_be_focused()  # though the table is drawn again, from this row on
    page.get_by_role("button", name="Remove all conditions").click()
    expect(found).to_be_hidden()


@slow
def test_the_curve_s_slider_moves_the_row_and_the_figure_says_where_it_stands(client):
    page = show_pets(client)
    choose_row(page, 1)
    chart = page.locator(".tsk-view-curves .tsk-chart")
    expect(chart).to_have_accessible_name(re.compile(r"Probability of each class along size: cat is highest at .* own 1 it has"))
    page.get_by_role("slider", name="size, of the row").focus()
    page.keyboard.press("End")
    expect(said(page, "changed")).to_contain_text("With size 4.5 instead of 1")
    expect(chart).to_have_accessible_name(re.compile(r"at the row's own 4\.5 it has"))
    page.get_by_role("combobox", name="Along").select_option("colour")
    expect(chart).to_have_accessible_name(re.compile(r"along colour: .* own red it has"))
    rules = base([category("kind", "only")], [rule([0.5], [1.0], [[0.0, 0.0], [1.0, 0.0]])])
    page = show_pets(client, rules, rows=make_rows([[1], [1]], [0, 1]))
    expect(page.locator(".tsk-view-curves")).to_be_hidden()  # a single constant category
    expect(said(page, "turn")).to_contain_text("No change")

"""Taking rules and conditions out on the tab Rules: what it changes at once, against the reader in Python, and the way back."""

import re

import pytest
from playwright.sync_api import expect

from tests.client.rulebases import make_rows, show_rules
from tests.explain.examples import HOSTILE, base, category, number, rule

pytestmark = pytest.mark.browser


COLUMNS = [number("size"), category("colour", "red"), category("colour", "blue")]


def pets(columns=COLUMNS, classes=("cat", "dog")):
    """Small ones are cats; large ones and red ones are dogs."""
    small = rule([1.0, 0.5, 0.5], [1.0, None, None], [[1.0, 0, 0, 0], [0, 0, 0, 0]])
    large = rule([4.0, 0.5, 0.5], [1.0, None, None], [[0, 0, 0, 0], [1.0, 0, 0, 0]])
    red = rule([1.0, 1.0, 0.0], [2.0, 0.3, 0.3], [[0, 0, 0, 0], [4.0, 0, 0, 0]])
    return base(columns, [small, large, red], classes)


PETS = make_rows(
    [[1.0, 1, 0], [1.5, 1, 0], [2.0, 0, 1], [4.0, 0, 1], [4.5, 0, 1], [1.2, 1, 0]], [1, 1, 0, 1, 1, 1], [0, 1, 1, 0, 1, 1]
)


def test_a_rule_is_taken_out_and_put_back(client):
    page = show_rules(client, pets(), PETS)
    panel = page.locator(".tsk-effect")
    expect(panel).to_be_hidden()
    page.get_by_role("button", name="Take rule 3 out", exact=True).click()
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
    assert panel.locator(".tsk-affected tbody tr").all_inner_texts()[0].split() == ["1", "training", "dog", "dog", "cat"]
    back = page.get_by_role("button", name="Put rule 3 back", exact=True)
    expect(back).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Undo the last step").click()
    expect(panel).to_be_hidden()
    expect(page.get_by_role("button", name="Take rule 3 out", exact=True)).to_be_visible()


def test_conditions_are_taken_out_one_by_one_and_put_back_together(client):
    page = show_rules(client, pets(), PETS)
    page.get_by_role("button", name="Take the condition on colour in rule 3 out").click()
    page.get_by_role("button", name="Take the condition on size in rule 1 out").click()
    status = page.locator(".tsk-effect").get_by_role("status")
    expect(status).to_contain_text("Taken out: colour in rule 3 and size in rule 1.")
    page.get_by_role("button", name="Undo the last step").click()
    expect(status).to_contain_text("Taken out: colour in rule 3.")
    page.get_by_role("button", name="Put all rules and conditions back").click()
    expect(status).to_have_text("All rules and conditions are back.")
    page.get_by_role("button", name="Undo the last step").click()
    expect(status).to_contain_text("Taken out: colour in rule 3.")


def test_the_last_rule_stays(client):
    page = show_rules(client, pets(), PETS)
    for r in (1, 2):
        page.get_by_role("button", name=f"Take rule {r} out", exact=True).click()
    expect(page.get_by_role("button", name="Take rule 3 out", exact=True)).to_be_disabled()
    expect(page.get_by_role("button", name="Put rule 1 back", exact=True)).to_be_enabled()


def test_the_keyboard_stays_at_the_eye_that_it_pressed(client):
    page = show_rules(client, pets(), PETS)
    eye = page.get_by_role("button", name="Take the condition on colour in rule 3 out")
    eye.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Put the condition on colour of rule 3 back")).to_be_focused()


def test_samples_predict_without_what_is_taken_out(client):
    page = show_rules(client, pets(), PETS, beside=("plane", "reasons"))
    page.get_by_role("spinbutton", name="Row", exact=True).fill("2")
    page.keyboard.press("Enter")
    expect(page.locator(".tsk-head")).to_contain_text("the model predicts dog")
    page.get_by_role("button", name="Take rule 3 out", exact=True).click()
    expect(page.locator(".tsk-head")).to_contain_text("the model predicts cat")
    expect(page.locator(".tsk-view-reasons")).to_contain_text("Without rule 3, which the tab Rules took out.")
    expect(page.locator(".tsk-view-plane .tsk-chart")).to_have_accessible_name(re.compile("and 2 rules"))


def test_the_sentence_of_a_row_has_no_condition_that_is_taken_out(client):
    page = show_rules(client, pets(), PETS, beside=("reasons",))
    page.get_by_role("spinbutton", name="Row", exact=True).fill("1")
    page.keyboard.press("Enter")
    expect(page.locator(".tsk-if")).to_contain_text("✓")
    sentence = page.locator(".tsk-if").inner_text()
    strongest = re.match(r"Rule (\d)", sentence)[1]
    assert " size is " in sentence
    page.get_by_role("button", name=f"Take the condition on size in rule {strongest} out").click()
    expect(page.locator(".tsk-if")).not_to_contain_text(" size is ")


def test_without_rows_nothing_is_claimed(client):
    page = show_rules(client, pets(), PETS)
    client.run("""
      const { setRows } = await import("/client/rules/context.js");
      setRows({ views: [], run: "another", rows: null });
    """)
    page.get_by_role("button", name="Take rule 3 out", exact=True).click()
    expect(page.locator(".tsk-effect").get_by_role("status")).to_contain_text("so nothing is computed")


def test_names_stay_text(client):
    columns = [number(HOSTILE[0]), category(HOSTILE[1], HOSTILE[0]), category(HOSTILE[1], "`x`|\\input{x}")]
    page = show_rules(client, pets(columns, ("=cmd()", "<b>dog</b>")), PETS)
    page.get_by_role("button", name="Take rule 3 out", exact=True).click()
    page.locator(".tsk-affected > summary").click()
    page.locator(".tsk-legend > summary").click()
    for notation in ("numbers", "formula", "words"):
        page.get_by_role("combobox", name="Rules in").select_option(notation)
        expect(page.locator(".tsk-sentence", has_text=HOSTILE[0]).first).to_be_visible()
    expect(page.locator(".tsk-affected")).to_contain_text("<b>dog</b>")
    assert page.locator(".tsk-view-rules img, .tsk-view-rules b b").count() == 0

"""The reasons for a row's prediction: what they say of a row, and what changes with it."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.client.rulebases import COLUMNS, PETS, choose_row, pets, said, sentences, show_pets, show_samples
from tests.explain.examples import category, number
from tsk_core import TSKClassifier, load_dataset
from tsk_core.data import Split
from tsk_core.explain import contributions, firing_levels, rows_to_show, scores
from tsk_core.live import as_snapshot
from tsk_core.numbers import signed

pytestmark = pytest.mark.browser
slow = pytest.mark.slow
IMAGE, LINK = "<img src=x onerror=alert(1)>", "[x](javascript:alert(1)) and so on, until there are more than sixty"
LINES = """(node) => {
  const lines = [], range = document.createRange(), walk = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  let top = null;
  while (walk.nextNode()) for (let k = 0; k < walk.currentNode.length; k++) {
    range.setStart(walk.currentNode, k), range.setEnd(walk.currentNode, k + 1);
    const box = range.getBoundingClientRect();
    if (top !== box.top) lines.push("");
    top = box.top;
    lines.push(lines.pop() + range.toString());
  }
  return lines;
}"""


def typed(page):
    return page.get_by_role("spinbutton", name="size, as a number")


def colour(page):
    return page.get_by_role("combobox", name="colour", exact=True)


def test_a_row_s_reasons_are_the_reader_s(client):
    """Medians that differ between training and all rows: the typical row is that of training."""
    iris = load_dataset("iris")
    X, y, split = iris.X, iris.y, Split(np.arange(0, 150, 5), np.flatnonzero(np.arange(150) % 5))
    classifier = TSKClassifier(n_rules=5, max_epochs=5, random_state=0).fit(X.iloc[split.train], y[split.train])
    rules, rows = classifier.to_dict(), rows_to_show(classifier.encoder_, classifier.classes_, X, y, split)
    page = show_pets(client, rules, rows=rows)
    training = X.iloc[split.train].median()
    assert (training != X.median()).any()
    for name, value in training.items():
        shown = page.get_by_role("spinbutton", name=f"{name}, as a number").input_value()
        assert float(shown) == pytest.approx(value, abs=0.006)
    choose_row(page, 71)
    index = rows["row"].index(70)
    why = contributions(rules, [rows["x"][index]])
    probabilities = np.exp(why.scores[0] - why.scores[0].max())
    probabilities /= probabilities.sum()
    best = int(probabilities.argmax())
    end = "correct" if best == rows["y"][index] else "misclassified"
    expect(said(page, "head")).to_have_text(
        re.compile(rf"Row 71 \((test|training)\): true class versicolor; the model predicts {rules['classes'][best]} with "
                   rf"probability {100 * probabilities[best]:.1f}% after epoch 1 \({end}\)\.")
    )  # fmt: skip
    order = np.argsort(-why.firing[0])
    lines = [re.compile(rf"^\s*Rule {r + 1}{100 * why.firing[0, r]:.1f}%") for r in order]
    expect(page.locator(".tsk-rules tbody tr")).to_have_text(lines)
    expect(page.locator(".tsk-rules .tsk-caption")).to_contain_text(f"as for {why.effective[0]:.1f} equally firing rule")
    for c, line in enumerate(page.locator(".tsk-classes tbody tr").all()):
        expect(line).to_contain_text(re.compile(rf"{rules['classes'][c]}.*{100 * probabilities[c]:.1f}%"))
        parts = why.contribution[0, :, c] - why.contribution[0].mean(1)
        expect(line.locator("td").last).to_have_text(signed(float(parts.sum()), 2))
        title = line.locator("td").nth(1).get_attribute("title")
        assert all(f"rule {r + 1} {signed(float(parts[r]), 2)}" in title for r in order)


def test_changing_a_feature_changes_the_prediction_until_it_is_undone(client):
    rules, changed = pets(), said(client.page, "changed")
    page = show_pets(client, rules)
    choose_row(page, 1)
    expect(said(page, "head")).to_contain_text("Row 1 (training): true class cat; the model predicts cat")
    back, slider = page.get_by_role("button", name="Undo changes"), page.get_by_role("slider", name="size", exact=True)
    expect(back).to_be_disabled()
    typed(page).fill("4.2")
    expect(changed).to_have_text("With size 4.2 instead of 1, the prediction changes from cat to dog.")
    expect(slider).to_have_value("4.2")
    typed(page).fill("1e6")  # beyond the data
    expect(changed).to_contain_text("With size 1000000 instead of 1, the prediction changes")
    expect(slider).to_have_value("4.5")  # as far as it goes
    typed(page).fill("")  # half a number
    expect(changed).to_contain_text("With size 1000000 instead of 1")
    typed(page).fill("1.1")
    expect(changed).to_have_text(re.compile("With size 1.1 instead of 1, the prediction stays cat, with prob"))
    colour(page).select_option("blue")
    expect(changed).to_contain_text("With size 1.1 instead of 1 and colour blue instead of red")
    winner = int(firing_levels(rules, [[1.1, 0, 1]])[0].argmax())
    expect(said(page, "if")).to_contain_text(f"Rule {winner + 1} fires most")
    back.click()
    expect(changed).to_be_empty()
    expect(slider).to_have_value("1")
    slider.focus()
    page.keyboard.press("End")
    expect(changed).to_contain_text("With size 4.5 instead of 1, ")


@slow
def test_misclassified_test_rows_can_be_stepped_through_in_both_directions(client):
    rules = pets()
    page = show_pets(client, rules)
    predicted = scores(rules, PETS["x"]).argmax(1)
    wrong = [n + 1 for n in range(6) if PETS["part"][n] and predicted[n] != PETS["y"][n]]
    assert len(wrong) >= 2
    expect(page.get_by_text(f"4 test rows, {len(wrong)} of them misclassified")).to_be_visible()
    row = page.get_by_role("spinbutton", name="Row", exact=True)
    for expected in [*wrong, wrong[0]]:
        page.get_by_role("button", name="Next misclassified test row").click()
        expect(row).to_have_value(str(expected))
    page.get_by_role("button", name="Previous misclassified test row").click()
    expect(row).to_have_value(str(wrong[-1]))


@slow
def test_a_row_s_rule_has_the_server_s_sentence_and_each_condition_its_mark(client):
    rules = pets()
    written = sentences(as_snapshot(rules, 1), rules, PETS["x"])
    (text,) = (one for one in written["rules"] if one["rule"] == 2)
    page = show_pets(client, rules, written=[written])
    choose_row(page, 4)  # 4.0, blue
    expect(said(page, "if")).to_have_text(
        f"Rule 2 fires most: IF {text['if'][0]} ✓ 1.00 AND {text['if'][1]} ✓ 1.00 THEN {text['then']}. "
        "All its conditions hold (✓)."
    )
    typed(page).fill("2.7")
    expect(said(page, "if")).to_contain_text(re.compile(r"✗ 0\.43.*✓.* 1 of its 2 conditions holds\."))
    rules["rules"][0]["sigmas"] = [0.1, 0.5, None]  # so narrow that the other one is nearer
    choose_row(show_pets(client, rules), 4)
    typed(page).fill("2.7")
    colour(page).select_option("red")
    nearest = r"^Rule 2 fires most, being the nearest: IF .*None of its conditions holds \(✗\)\.$"
    expect(said(page, "if")).to_have_text(re.compile(nearest))
    rules["rules"][1]["sigmas"] = [None, None, 9e9]
    choose_row(show_pets(client, rules), 4)
    expect(said(page, "if")).to_contain_text("Rule 2 fires most: IF anything THEN dog.")
    other = sentences(as_snapshot(rules, 7), rules, PETS["x"])
    for bases, end in (([other], " There is no sentence of it for epoch 1."), ([], "")):  # none: before the first ones come
        choose_row(show_pets(client, rules, written=bases), 4)
        expect(said(page, "if")).to_have_text(f"Rule 2 fires most.{end}")


@slow
def test_without_rows_the_reasons_are_those_of_a_typical_row(client):
    columns = [{**number("size"), "impute": 1.5}, *({**one, "impute": "blue"} for one in COLUMNS[1:])]
    page = show_pets(client, pets(columns=columns), rows=None, note="The data are not here.")
    expect(page.get_by_text("The data are not here.")).to_be_visible()
    expect(said(page, "head")).to_contain_text(
        "For a typical row (training medians and most frequent values), the model predicts"
    )
    expect(typed(page)).to_have_value("1.5")
    expect(colour(page).locator("option:checked")).to_have_text("blue")
    typed(page).fill("4.5")
    expect(said(page, "changed")).to_contain_text("With size 4.5 instead of 1.5")
    expect(said(page, "turn")).to_contain_text(re.compile("the model predicts|No change"))
    expect(page.locator(".tsk-view-curves .tsk-caption")).to_contain_text("for a typical row")
    expect(page.get_by_role("spinbutton", name="Row", exact=True)).to_have_count(0)
    for hidden in ("find", "near"):
        expect(said(page, hidden)).to_be_hidden()


def test_hostile_names_are_text_and_make_no_elements(client):
    columns = [number(IMAGE), category(LINK, "<b>red</b>"), category(LINK, IMAGE)]
    page = show_pets(client, pets((IMAGE, LINK), columns))
    choose_row(page, 1)
    page.get_by_role("combobox", name=LINK, exact=True).select_option(IMAGE)
    expect(said(page, "changed")).to_contain_text(f"With {LINK} {IMAGE} instead of <b>red</b>")
    expect(page.locator(".tsk-classes tbody th").first).to_have_text(IMAGE)
    page.get_by_role("button", name="Undo changes").click()
    expect(said(page, "turn")).to_contain_text(f"With {IMAGE} ")
    page.locator("summary", has_text="Find rows").click()
    page.get_by_role("button", name="Add a condition").click()
    page.get_by_role("combobox", name="Condition 1 is on").select_option("True class")
    expect(said(page, "found")).to_contain_text(f"true class {IMAGE}")
    expect(page.locator("main :is(img, a, script)")).to_have_count(0)
    expect(page.locator("main b")).to_have_text([re.compile(f"^({re.escape(IMAGE)}|{re.escape(LINK)})$")])  # the predicted class


def test_the_rules_are_those_of_the_epoch_looked_at(client):
    first, second = pets(), pets()
    second["rules"].reverse()  # the numbers of the rules change places
    page = show_samples(client, [as_snapshot(first, 1), as_snapshot(second, 5)], first, rows=PETS, ended=False)
    choose_row(page, 1)
    for index, epoch, winner in ((None, 5, 2), (0, 1, 1)):
        client.select(index)
        expect(said(page, "if")).to_contain_text(f"Rule {winner} fires most")
        expect(said(page, "head")).to_contain_text(f"after epoch {epoch}")

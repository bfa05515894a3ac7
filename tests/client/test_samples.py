"""The reasons for a row's prediction on a blank page: what they say of a row, and what changes with it."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.client.rulebases import sentences, show_samples
from tests.client.samples import COLUMNS, PETS, choose_row, open_pets, pets, said
from tests.explain.examples import category, number
from tsk_core import TSKClassifier, load_dataset
from tsk_core.data import Split
from tsk_core.explain import contributions, firing_levels, rows_to_show, scores
from tsk_core.live import as_snapshot
from tsk_core.numbers import signed

pytestmark = pytest.mark.browser
IMAGE, LINK = "<img src=x onerror=alert(1)>", "[x](javascript:alert(1)) and so on, until there are more than sixty"


@pytest.fixture(scope="module")
def iris():
    dataset = load_dataset("iris")
    split = dataset.split(0.3, 0)
    X, y = dataset.X, dataset.y
    classifier = TSKClassifier(n_rules=5, max_epochs=20, random_state=0).fit(X.iloc[split.train], y[split.train])
    return classifier.to_dict(), rows_to_show(classifier.encoder_, classifier.classes_, X, y, split)


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


def test_a_row_s_reasons_are_the_reader_s(client, iris):
    rules, rows = iris
    page = show_samples(client, [as_snapshot(rules, 1)], rules, rows=rows)
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
    table = page.locator(".tsk-rules tbody tr")
    order = np.argsort(-why.firing[0])
    for line, r in zip(table.all(), order, strict=True):
        expect(line).to_contain_text(f"Rule {r + 1}{100 * why.firing[0, r]:.1f}%")
    expect(page.locator(".tsk-rules .tsk-caption")).to_contain_text(f"as for {why.effective[0]:.1f} equally firing rule")
    for line, c in zip(page.locator(".tsk-classes tbody tr").all(), range(3), strict=True):
        expect(line).to_contain_text(rules["classes"][c])
        expect(line).to_contain_text(f"{100 * probabilities[c]:.1f}%")
        centred = (why.contribution[0] - why.contribution[0].mean(1, keepdims=True)).sum(0)
        expect(line.locator("td").last).to_have_text(signed(float(centred[c]), 2))
        for r in order:
            part = why.contribution[0, r, c] - why.contribution[0, r].mean()
            own = re.compile(rf"rule {r + 1} {re.escape(signed(float(part), 2))}\b")
            expect(line.locator("td").nth(1)).to_have_attribute("title", own)


def test_changing_a_feature_changes_the_prediction_until_it_is_undone(client):
    rules, page = open_pets(client)
    choose_row(page, 1)
    expect(said(page, "head")).to_contain_text("Row 1 (training): true class cat; the model predicts cat")
    expect(said(page, "changed")).to_be_empty()
    back = page.get_by_role("button", name="Undo changes")
    expect(back).to_be_disabled()
    page.get_by_role("spinbutton", name="size, as a number").fill("4.2")
    expect(said(page, "changed")).to_have_text("With size 4.2 instead of 1, the prediction changes from cat to dog.")
    expect(page.get_by_role("slider", name="size", exact=True)).to_have_value("4.2")
    page.get_by_role("spinbutton", name="size, as a number").fill("1.1")
    expect(said(page, "changed")).to_have_text(re.compile("With size 1.1 instead of 1, the prediction stays cat, with prob"))
    page.get_by_role("combobox", name="colour", exact=True).select_option("blue")
    expect(said(page, "changed")).to_contain_text("With size 1.1 instead of 1 and colour blue instead of red")
    winner = int(firing_levels(rules, [[1.1, 0, 1]])[0].argmax())
    expect(said(page, "if")).to_contain_text(f"Rule {winner + 1} fires most")
    back.click()
    expect(said(page, "changed")).to_be_empty()
    expect(page.get_by_role("slider", name="size", exact=True)).to_have_value("1")


def test_a_slider_moves_by_keys(client):
    _, page = open_pets(client)
    choose_row(page, 1)
    slider = page.get_by_role("slider", name="size", exact=True)
    expect(slider).to_have_value("1")
    slider.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(said(page, "changed")).to_contain_text(re.compile(r"With size 1\.(09|1)\d* instead of 1, "))
    page.keyboard.press("End")
    expect(said(page, "changed")).to_contain_text("With size 4.5 instead of 1, ")


def test_a_number_beyond_the_data_is_taken_and_half_a_number_is_not(client):
    _, page = open_pets(client)
    choose_row(page, 1)
    typed = page.get_by_role("spinbutton", name="size, as a number")
    typed.fill("1e6")
    expect(said(page, "changed")).to_contain_text("With size 1000000 instead of 1, the prediction changes")
    expect(page.get_by_role("slider", name="size", exact=True)).to_have_value("4.5")  # as far as it goes
    typed.fill("")
    expect(said(page, "changed")).to_contain_text("With size 1000000 instead of 1")


def test_misclassified_test_rows_can_be_stepped_through_in_both_directions(client):
    rules, page = open_pets(client)
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


def test_the_typical_row_is_training_s_also_where_other_rows_are_at_hand(client):
    dataset = load_dataset("iris")
    X, y, split = dataset.X, dataset.y, Split(np.arange(0, 150, 5), np.flatnonzero(np.arange(150) % 5))
    classifier = TSKClassifier(n_rules=3, max_epochs=2, random_state=0).fit(X.iloc[split.train], y[split.train])
    training, whole = X.iloc[split.train].median(), X.median()
    assert (training != whole).any()
    rules = classifier.to_dict()
    page = show_samples(
        client, [as_snapshot(rules, 1)], rules, rows=rows_to_show(classifier.encoder_, classifier.classes_, X, y, split)
    )
    for name, value in training.items():
        typed = page.get_by_role("spinbutton", name=f"{name}, as a number").input_value()
        assert float(typed) == pytest.approx(value, abs=0.006)


def test_a_row_s_rule_has_the_server_s_sentence_and_each_condition_its_mark(client):
    rules = pets()
    written = sentences(as_snapshot(rules, 1), rules, PETS["x"])
    (text,) = (one for one in written["rules"] if one["rule"] == 2)
    page = show_samples(client, [as_snapshot(rules, 1)], rules, rows=PETS, written=[written])
    choose_row(page, 4)  # 4.0, blue
    expect(said(page, "if")).to_have_text(
        f"Rule 2 fires most: IF {text['if'][0]} ✓ 1.00 AND {text['if'][1]} ✓ 1.00 THEN {text['then']}. "
        "All its conditions hold (✓)."
    )
    page.get_by_role("spinbutton", name="size, as a number").fill("2.7")
    expect(said(page, "if")).to_contain_text(re.compile(r"✗ 0\.43.*✓.* 1 of its 2 conditions holds\."))
    rules["rules"][0]["sigmas"] = [0.1, 0.5, None]  # so narrow that the other one is nearer
    page = show_samples(client, [as_snapshot(rules, 1)], rules, rows=PETS)
    choose_row(page, 4)
    page.get_by_role("spinbutton", name="size, as a number").fill("2.7")
    page.get_by_role("combobox", name="colour", exact=True).select_option("red")
    expect(said(page, "if")).to_have_text(
        re.compile(r"^Rule 2 fires most, being the nearest: IF .*None of its conditions holds \(✗\)\.$")
    )
    rules["rules"][1]["sigmas"] = [None, None, 9e9]
    page = show_samples(client, [as_snapshot(rules, 1)], rules, rows=PETS)
    choose_row(page, 4)
    expect(said(page, "if")).to_contain_text("Rule 2 fires most: IF anything THEN dog.")


def test_a_rule_that_adds_most_to_another_class_says_why(client):
    rules = pets()
    written = sentences(as_snapshot(rules, 1), rules, PETS["x"])
    for one in written["rules"]:
        one["then"] = "no clear class"
    page = show_samples(client, [as_snapshot(rules, 1)], rules, rows=PETS, written=[written])
    choose_row(page, 4)
    expect(said(page, "if")).to_contain_text("THEN no clear class.")
    expect(page.locator(".tsk-rules .tsk-caption")).to_contain_text(
        "Rule 2 adds most to dog: its THEN part is a linear function of the features."
    )


def test_an_epoch_without_sentences_says_so(client):
    rules = pets()
    other = sentences(as_snapshot(rules, 7), rules, PETS["x"])
    page = show_samples(client, [as_snapshot(rules, 1)], rules, rows=PETS, written=[other])
    choose_row(page, 4)
    expect(said(page, "if")).to_have_text("Rule 2 fires most. There is no sentence of it for epoch 1.")
    page = show_samples(client, [as_snapshot(rules, 1)], rules, rows=PETS, written=[])  # before the first sentences come
    choose_row(page, 4)
    expect(said(page, "if")).to_have_text("Rule 2 fires most.")


def test_without_rows_the_reasons_are_those_of_a_typical_row(client):
    columns = [{**number("size"), "impute": 1.5}, *({**one, "impute": "blue"} for one in COLUMNS[1:])]
    rules = pets(columns=columns)
    page = show_samples(client, [as_snapshot(rules, 1)], rules, note="The data are not here.")
    expect(page.get_by_text("The data are not here.")).to_be_visible()
    expect(said(page, "head")).to_contain_text(
        "For a typical row (training medians and most frequent values), the model predicts"
    )
    expect(page.get_by_role("spinbutton", name="size, as a number")).to_have_value("1.5")
    expect(page.get_by_role("combobox", name="colour", exact=True).locator("option:checked")).to_have_text("blue")
    page.get_by_role("spinbutton", name="size, as a number").fill("4.5")
    expect(said(page, "changed")).to_contain_text("With size 4.5 instead of 1.5")
    expect(page.get_by_role("spinbutton", name="Row", exact=True)).to_have_count(0)


def test_hostile_names_are_text_and_make_no_elements(client):
    columns = [number(IMAGE), category(LINK, "<b>red</b>"), category(LINK, IMAGE)]
    _, page = open_pets(client, classes=(IMAGE, LINK), columns=columns)
    choose_row(page, 1)
    page.get_by_role("combobox", name=LINK, exact=True).select_option(IMAGE)
    expect(said(page, "changed")).to_contain_text(f"With {LINK} {IMAGE} instead of <b>red</b>")
    expect(page.locator(".tsk-classes tbody th").first).to_have_text(IMAGE)
    expect(page.locator("main :is(img, a, script)")).to_have_count(0)
    assert page.locator("main b").all_inner_texts() in ([IMAGE], [LINK])  # the predicted class


def test_the_rules_are_those_of_the_epoch_looked_at(client):
    first = pets()
    second = pets()
    second["rules"].reverse()  # the numbers of the rules change places
    snapshots = [as_snapshot(first, 1), as_snapshot(second, 5)]
    page = show_samples(client, snapshots, first, rows=PETS, ended=False)
    choose_row(page, 1)
    expect(said(page, "if")).to_contain_text("Rule 2 fires most")
    expect(said(page, "head")).to_contain_text("after epoch 5")
    client.run('(await import("/client/core/store.js")).selectEpoch(0)')
    expect(said(page, "if")).to_contain_text("Rule 1 fires most")
    expect(said(page, "head")).to_contain_text("after epoch 1")


def test_on_a_phone_bars_are_long_and_names_break_where_words_end(client):
    long, unbroken = "very_damp_grey_soil_under_a_vegetation_of_stubble_and_reed", "x" * 60
    page = client.page
    page.set_viewport_size({"width": 320, "height": 700})
    try:
        _, page = open_pets(client, classes=(long, unbroken))
        choose_row(page, 1)
        for bar in page.locator(".tsk-bar").all():
            assert bar.bounding_box()["width"] > 110
        for name in page.locator(".tsk-classes tbody .tsk-named").all():
            swatch, whole = name.locator("i").bounding_box(), name.bounding_box()
            assert whole["x"] == swatch["x"] and swatch["y"] < whole["y"] + 12 and whole["x"] + whole["width"] <= 320
        heading = page.get_by_text("Less likely").bounding_box()
        assert heading["height"] < 2 * page.get_by_text("Score", exact=True).bounding_box()["height"]
        lines = page.locator(".tsk-classes tbody .tsk-named").first.evaluate(LINES)
        assert 2 <= len(lines) <= 3 and all(line.endswith("_") for line in lines[:-1]) and "".join(lines) == long
    finally:
        page.set_viewport_size({"width": 1280, "height": 720})

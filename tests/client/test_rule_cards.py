"""What stands on the cards of the tab Rules and around them: claims, readings, notations, and one row worked through."""

import math
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.client.rulebases import show_rules
from tests.client.test_ablation import PETS, pets
from tests.explain.examples import HOSTILE, slow_firing, slow_outputs, slow_scores, slow_weights

pytestmark = pytest.mark.browser
COUNTS = {
    "headline": f"True of 28 of 45 test rows; 26 of these (93%, 95% interval 77% to 98%) are {HOSTILE[0]}.",
    "remarks": [], "right": 26 / 28, "interval": [0.77, 0.98],
}  # fmt: skip
INFERENCES = [
    {"name": "conditions with their scores", "fidelity": 0.93, "accuracy": 0.9, "text": "Conditions as printed."},
    {"name": "strongest", "fidelity": 0.79, "accuracy": None, "text": "The strongest rule decides."},
]  # fmt: skip


def counted(**changes):
    """A change to the rules in words: the counts of each."""

    def change(written):
        for one in written["rules"]:
            one.update(COUNTS | changes)

    return change


def choose(page, name, option):
    page.get_by_role("combobox", name=name).select_option(option)


def test_a_card_says_first_what_can_be_recounted_and_unfolds_the_rest(client):
    page = show_rules(client, pets(), PETS, change=counted())
    card = page.locator(".tsk-card").first
    line = card.locator(".tsk-recount")
    expect(line).to_have_text(COUNTS["headline"])
    band = line.locator(".tsk-band").evaluate("(node) => [node.style.left, node.style.width].map(parseFloat)")
    assert band == pytest.approx([77, 21])
    expect(card.locator(".tsk-recount-remarks")).to_be_hidden()
    measured = card.locator(".tsk-measured")
    expect(measured).to_be_hidden()
    card.locator(".tsk-about > summary").click()
    expect(measured).to_contain_text("firing level")
    assert page.locator(".tsk-view-rules img").count() == 0


def test_a_card_says_where_its_class_does_not_follow_from_its_rows(client):
    remark = "It is true of no training row of a known class."
    page = show_rules(
        client, pets(), PETS, change=counted(headline="True of no test row.", remarks=[remark], right=None, interval=None)
    )
    card = page.locator(".tsk-card").first
    expect(card.locator(".tsk-recount-remarks")).to_have_text(remark)
    for hidden in ("recount-bar", "band"):
        expect(card.locator(f".tsk-recount .tsk-{hidden}")).to_be_hidden()


def test_a_card_says_how_often_its_rule_comes_back_once_that_was_checked(client):
    checked = {"times": 3, "of": 10, "chance": 1.24, "compared": None}
    page = show_rules(client, pets(), PETS, change=lambda base: base["rules"][0].update(stability=checked))
    lines = page.locator(".tsk-card > .tsk-stable")
    expect(lines.first).to_have_text("Comes back in 3 of 10 seeds (by chance: 1.2 of 10)")
    expect(lines.first).not_to_have_class(re.compile("tsk-weak"))
    expect(lines.nth(1)).to_be_hidden()
    rare = checked | {"times": 1, "compared": 12}
    page = show_rules(client, pets(), PETS, change=lambda base: base["rules"][0].update(stability=rare))
    text = "Comes back in 1 of 10 seeds (by chance: 1.2 of 10), compared by its 12 strongest conditions"
    expect(lines.first).to_have_text(text)
    expect(lines.first).to_have_class(re.compile("tsk-weak"))


def test_rules_stand_by_dominance_as_sent_by_firing_or_by_number(client):
    def change(written):
        written["rules"] = [
            dict(one, support=s, rule=r) for one, s, r in zip(written["rules"], (0.2, 0.5, 0.3), (3, 1, 2), strict=True)
        ]

    page = show_rules(client, pets(), PETS, change=change)
    for order, expected in (("dominance", [3, 1, 2]), ("active", [1, 2, 3]), ("number", [1, 2, 3])):
        choose(page, "Order of rules", order)
        expect(page.locator(".tsk-card .tsk-name").first).to_have_text(f"Rule {expected[0]}")
        assert page.locator(".tsk-card .tsk-name").all_inner_texts() == [f"Rule {r}" for r in expected]


def test_each_reading_of_the_printed_rules_has_its_fidelity(client):
    def change(written):
        written["printed"] = INFERENCES
        written["uncovered"] = {"rows": 1, "of": 6, "text": "For 1 of 6 test rows no rule's conditions all hold."}

    rows = PETS | {"x": [*PETS["x"][:5], [40.0, 0, 1]]}
    page = show_rules(client, pets(), rows, change=change)
    lines = page.locator(".tsk-inferences li")
    assert [line.split("\n")[-1] for line in lines.all_inner_texts()] == [
        "agrees with the model on 93.0%, accuracy 90.0%",
        "agrees with the model on 79.0%",
    ]
    expect(lines.first.locator(".tsk-inference")).to_have_attribute("data-explanation", INFERENCES[0]["text"])
    assert lines.locator(".tsk-inference").all_inner_texts() == [INFERENCES[0]["name"], "one class per rule, strongest decides"]
    expect(page.locator(".tsk-uncovered")).to_contain_text("For 1 of 6 test rows no rule's conditions all hold.")
    page.get_by_text("List the rows for which no sentence is true").click()
    expect(page.locator(".tsk-uncovered tbody tr")).to_have_count(1)
    expect(page.locator(".tsk-uncovered tbody .tsk-cell")).to_have_text("6")


def test_a_row_of_a_list_opens_in_samples(client):
    page = show_rules(client, pets(), PETS, beside=("reasons",))
    page.get_by_role("button", name="Take rule 3 out", exact=True).click()
    page.locator(".tsk-affected > summary").click()
    page.get_by_role("button", name="Open row 2 in the tab Samples").click()
    expect(page.locator(".tsk-head")).to_contain_text("Row 2 (test)")


def test_conditions_in_numbers_and_as_formulas_are_those_of_the_model(client):
    rules = pets()
    page = show_rules(client, rules, PETS)
    choose(page, "Rules in", "numbers")
    sentence = page.locator(".tsk-card", has_text="Rule 1").locator(".tsk-sentence")
    expect(sentence).to_have_text(re.compile(r"^IF size is (between|≤) [\d.]+( and [\d.]+)? THEN "))
    choose(page, "Rules in", "formula")
    expect(sentence).to_have_text("IF size: exp(−(x − 1)² / (2 · 1²)) THEN score of cat = 1score of dog = 0")
    red = page.locator(".tsk-card", has_text="Rule 3").locator(".tsk-sentence")
    blue = math.exp(-2 / (2 * 0.3**2))  # both columns differ from the likeliest category's by 1
    expect(red).to_contain_text(f"colour: red 1.00, blue {blue:.2f}")
    expect(red).to_contain_text("score of dog = 4")


def test_a_formula_writes_a_linear_function_with_the_largest_terms_first(client):
    rules = pets()
    rules["rules"][0]["consequents"] = [[1.5, -0.25, 0.0, 3.0], [0.0, 1e-6, 0.0, 0.0]]
    rules["rules"][0]["centers"][0] = -0.5
    page = show_rules(client, rules, PETS)
    choose(page, "Rules in", "formula")
    sentence = page.locator(".tsk-card", has_text="Rule 1").locator(".tsk-sentence")
    expect(sentence).to_contain_text("size: exp(−(x + 0.5)² / (2 · 1²))")
    expect(sentence).to_contain_text("score of cat = 1.5 + 3 · [colour is blue] − 0.25 · size")
    expect(sentence).to_contain_text("score of dog = 0 + 1.00e−6 · size")


@pytest.mark.parametrize("layer_norm", [False, True])
def test_a_row_is_worked_through_from_memberships_to_the_class(client, layer_norm):
    rules = pets()
    if layer_norm:
        rules["normalisation"] = {"kind": "layer-relu", "epsilon": 1e-5, "of": rules["normalisation"]}
        for one in rules["rules"]:
            one.update(scale=1.5, shift=0.25)
    page = show_rules(client, rules, PETS, beside=("reasons",))
    page.get_by_role("spinbutton", name="Row", exact=True).fill("4")
    page.keyboard.press("Enter")
    page.get_by_text("What do the numbers mean?").click()
    x = PETS["x"][3]
    firing, outputs, total = slow_firing(rules, x), slow_outputs(rules, x), slow_scores(rules, x)
    r, c = int(np.argmax(firing)), int(np.argmax(total))
    raw = [
        math.exp(-sum((v - m) ** 2 / (2 * s**2) for v, m, s in zip(x, one["centers"], one["sigmas"], strict=True) if s))
        for one in rules["rules"]
    ]
    text = page.locator(".tsk-worked").inner_text()
    assert "Row 4, worked through:" in text and f"in the conditions of rule {r + 1}: size (4) 1.00" in text
    before, after = re.search(r"is ([\d.e−]+), and that of all rules together ([\d.e−]+)\. ", text).groups()
    assert float(before) == pytest.approx(raw[r], rel=0.06) and float(after.replace("−", "-")) == pytest.approx(
        sum(raw), rel=0.06
    )
    assert f"Its share is the firing level: {100 * firing[r]:.1f}%" in text
    weight = slow_weights(rules, firing)[r]
    assert f"{weight:.3f} × {outputs[r][c]:.3f} = {weight * outputs[r][c]:.2f}" in text
    assert (f"Layer normalisation and ReLU make {weight:.3f} of this level. " in text) == layer_norm
    assert f"All rules together give {rules['classes'][c]} the score {total[c]:.2f}" in text

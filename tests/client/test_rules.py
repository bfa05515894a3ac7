"""The tab Rules: sentences at the epoch looked at, in the order and the notation that is chosen, what stands on the cards and
around them, and one row worked through.
"""

import itertools
import math
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.client.messages import make_history, make_shown, message_of, show_views
from tests.client.rulebases import choose_row, show_rules
from tests.client.test_ablation import PETS, pets
from tests.explain.examples import HOSTILE, slow_firing, slow_outputs, slow_scores, slow_weights

pytestmark = pytest.mark.browser
slow = pytest.mark.slow
BESIDE = "Draw the comparison beside the run"
names = (f"run {k}" for k in itertools.count())  # the scale of the bars is kept by run


def rule(number, support=0.25, conditions=("size is low",), then="cat", dead=False, **more):
    said = [f"Rule {number} never fires."] if dead else ["Typical case: cat +1.00.", f"Firing level {support:.0%}."]
    features = [text.split(" is ")[0] for text in conditions]
    return {
        "rule": number, "if": list(conditions), "features": features, "then": then, "dead": dead, "support": support,
        "measured": said, **more,
    }  # fmt: skip


def rule_base(epoch, *rules, end=False):
    return {"epoch": epoch, "end": end, "summary": [f"{len(rules)} rules.", "They are right."], "rules": list(rules)}


def show(client, *rule_bases, ended=True, note=""):
    """The view of a run of nine epochs with these rule bases."""
    shown = make_shown(make_history(9), next(names), metrics={} if ended else None)
    return show_views(client, message_of(shown, lists={"ruleBases": {"list": list(rule_bases)}}), "ruleBar", "rules", note=note)


def choose(page, name, option):
    page.get_by_role("combobox", name=name).select_option(option)


def order_is(page, *rules):
    expect(page.locator(".tsk-card .tsk-name")).to_have_text([f"Rule {number}" for number in rules])


def test_rules_follow_the_epoch_looked_at_and_end_with_the_model_kept(client):
    page = show(
        client, rule_base(9, rule(1, then="end"), end=True), rule_base(2, rule(1, then="two")), rule_base(5, rule(1, then="five"))
    )
    sentence, when = page.locator(".tsk-sentence"), page.locator(".tsk-when")
    for index, then, text in (
        (None, "end", "epoch 9: the kept model"), (7, "five", "epoch 5 (the last one recorded up to epoch 8)"),
        (4, "five", "epoch 5"), (1, "two", "epoch 2"), (0, "two", "epoch 2 (the first one recorded)"),
    ):  # fmt: skip
        client.select(index)
        expect(sentence).to_have_text(f"IF size is low THEN {then}")
        expect(when).to_have_text(f"After {text}.")


def test_a_rule_is_a_sentence_its_share_and_what_was_measured(client):
    """A rule that never fires says only that."""
    conditions = (f"{HOSTILE[0]} is low", "colour is red")
    page = show(client, rule_base(9, rule(3, 0.5, conditions, "<b>cat</b>"), rule(1, 0.25, ()), rule(2, 0, dead=True), end=True))
    first, second, dead = page.locator(".tsk-card").all()
    expect(first.locator(".tsk-sentence")).to_have_text(f"IF {HOSTILE[0]} is low AND colour is red THEN <b>cat</b>")
    expect(first.locator("b")).to_have_text(["Rule 3", "IF", "AND", "THEN", "<b>cat</b>"])
    expect(page.locator(".tsk-card img")).to_have_count(0)
    expect(first.locator(".tsk-measured")).to_have_text("Typical case: cat +1.00.\nFiring level 50%.")
    expect(second.locator(".tsk-sentence")).to_have_text("IF anything THEN cat")
    expect(dead.locator(".tsk-measured")).to_have_text("Rule 2 never fires.")
    expect(page.locator(".tsk-summary-of-rules")).to_have_text("3 rules.\nThey are right.")
    expect(page.locator(".tsk-more")).to_be_hidden()
    widths = [card.locator(".tsk-share .tsk-part").evaluate("(part) => part.style.width") for card in (first, second)]
    assert widths == ["100%", "62.5%"]  # of the most that a rule carried at any epoch, 40% here
    even = first.locator(".tsk-equal").evaluate("(line) => parseFloat(line.style.left)")
    assert even == pytest.approx(100 / 3 / 0.4)
    page.locator(".tsk-share").first.hover()  # numbers explain themselves
    said = page.locator(".tsk-share").first.evaluate("(node) => getComputedStyle(node, '::after').content")
    assert "equal share, 1/R" in said
    for order, expected in (("dominance", (3, 1, 2)), ("active", (3, 1, 2)), ("number", (1, 2, 3))):
        choose(page, "Order of rules", order)
        order_is(page, *expected)
    expect(page.locator(".tsk-card").nth(1).locator(".tsk-sentence")).to_be_hidden()


@slow
def test_many_rules_are_folded_and_stay_unfolded_through_time(client):
    many = [rule(number, 1 / number) for number in range(1, 13)]
    page = show(client, rule_base(9, *many, end=True), rule_base(2, *many[::-1]))
    order_is(page, *range(1, 11))  # the others are made when they are unfolded
    more = page.locator(".tsk-more > summary")
    expect(more).to_have_text("2 more rules")
    more.click()
    expect(page.locator(".tsk-card").filter(visible=True)).to_have_count(12)
    client.select(3)
    expect(page.locator(".tsk-card .tsk-name").first).to_have_text("Rule 12")
    expect(page.locator(".tsk-card").filter(visible=True)).to_have_count(12)


# Cards, beside the model and rows.

HEADLINE = f"True of 28 of 45 test rows; 26 of these (93%, 95% interval 77% to 98%) are {HOSTILE[0]}."
COUNTS = {"headline": HEADLINE, "remarks": [], "right": 26 / 28, "interval": [0.77, 0.98]}
STABLE = {"times": 3, "compared": None, "of": 10, "chance": 1.24}


def written(texts):
    """What the server adds to the rules in words: their counts, how often they come back, and what the printed ones are worth."""
    for one in texts["rules"]:
        one.update(COUNTS)
    first, second, _ = texts["rules"]
    first.update(stability=STABLE)
    remark = {"headline": "True of no test row.", "remarks": ["It is true of no training row."], "right": None, "interval": None}
    second.update(stability=STABLE | {"times": 1, "compared": 12}, **remark)
    texts["printed"] = [
        {"name": "conditions with their scores", "fidelity": 0.93, "accuracy": 0.9, "text": "Conditions as printed."},
        {"name": "strongest", "fidelity": 0.79, "accuracy": None, "text": "The strongest rule decides."},
    ]
    texts["uncovered"] = {"rows": 1, "of": 6, "text": "For 1 of 6 test rows no rule's conditions all hold."}


def test_a_card_says_first_what_can_be_recounted_and_unfolds_the_rest(client):
    page = show_rules(client, pets(), PETS | {"x": [*PETS["x"][:5], [40.0, 0, 1]]}, change=written)
    first, second, third = page.locator(".tsk-card").all()
    expect(first.locator(".tsk-recount")).to_have_text(HEADLINE)
    band = first.locator(".tsk-band").evaluate("(node) => [node.style.left, node.style.width].map(parseFloat)")
    assert band == pytest.approx([77, 21])
    for hidden in (first.locator(".tsk-recount-remarks"), first.locator(".tsk-measured"), second.locator(".tsk-band")):
        expect(hidden).to_be_hidden()
    first.locator(".tsk-about > summary").click()
    expect(first.locator(".tsk-measured")).to_contain_text("firing level")
    expect(page.locator(".tsk-view-rules img")).to_have_count(0)
    expect(second.locator(".tsk-recount-remarks")).to_have_text("It is true of no training row.")
    often = "Comes back in {} of 10 seeds (by chance: 1.2 of 10)"
    expect(first.locator(".tsk-stable")).to_have_text(often.format(3))
    expect(first.locator(".tsk-stable")).to_have_class(re.compile("^(?!.*tsk-weak)"))
    expect(second.locator(".tsk-stable")).to_have_text(f"{often.format(1)}, compared by its 12 strongest conditions")
    expect(second.locator(".tsk-stable")).to_have_class(re.compile("tsk-weak"))
    expect(third.locator(".tsk-stable")).to_be_hidden()
    agreement = [r"agrees with the model on 93\.0%, accuracy 90\.0%$", r"agrees with the model on 79\.0%$"]
    expect(page.locator(".tsk-inferences li")).to_have_text([re.compile(text) for text in agreement])
    page.get_by_text("List the rows for which no sentence is true").click()
    expect(page.locator(".tsk-uncovered tbody .tsk-cell")).to_have_text("6")


@slow
def test_conditions_in_numbers_and_as_formulas_are_those_of_the_model(client):
    page = show_rules(client, pets(), PETS)
    choose(page, "Rules in", "numbers")
    sentence = page.locator(".tsk-card", has_text="Rule 1").locator(".tsk-sentence")
    expect(sentence).to_have_text(re.compile(r"^IF size is (between|≤) [\d.]+( and [\d.]+)? THEN "))
    choose(page, "Rules in", "formula")
    expect(sentence).to_have_text("IF size: exp(−(x − 1)² / (2 · 1²)) THEN score of cat = 1score of dog = 0")


@slow
@pytest.mark.parametrize("layer_norm", [False, True])
def test_a_row_is_worked_through_from_memberships_to_the_class(client, layer_norm):
    rules = pets()
    if layer_norm:
        rules["normalisation"] = {"kind": "layer-relu", "epsilon": 1e-5, "of": rules["normalisation"]}
        for one in rules["rules"]:
            one.update(scale=1.5, shift=0.25)
    page = show_rules(client, rules, PETS, beside=("reasons",))
    choose_row(page, 4)
    page.get_by_text("What do the numbers mean?").click()
    x = PETS["x"][3]
    firing, outputs, total = slow_firing(rules, x), slow_outputs(rules, x), slow_scores(rules, x)
    r, c = int(np.argmax(firing)), int(np.argmax(total))
    raw = [
        math.exp(-sum((v - m) ** 2 / (2 * s**2) for v, m, s in zip(x, one["centers"], one["sigmas"], strict=True) if s))
        for one in rules["rules"]
    ]
    expect(page.locator(".tsk-worked")).to_contain_text("Row 4, worked through:")
    text = page.locator(".tsk-worked").inner_text()
    assert f"in the conditions of rule {r + 1}: size (4) 1.00" in text
    before, after = re.search(r"is ([\d.e−]+), and that of all rules together ([\d.e−]+)\. ", text).groups()
    assert [float(one.replace("−", "-")) for one in (before, after)] == pytest.approx([raw[r], sum(raw)], rel=0.06)
    assert f"Its share is the firing level: {100 * firing[r]:.1f}%" in text
    weight = slow_weights(rules, firing)[r]
    assert f"{weight:.3f} × {outputs[r][c]:.3f} = {weight * outputs[r][c]:.2f}" in text
    assert (f"Layer normalisation and ReLU make {weight:.3f} of this level. " in text) == layer_norm
    assert f"All rules together give {rules['classes'][c]} the score {total[c]:.2f}" in text

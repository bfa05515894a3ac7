"""The tab Rules: sentences at the epoch looked at, in the order and the notation that is chosen, what stands on the cards and
around them, and one row worked through.
"""

import itertools
import math
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.client.messages import list_part, make_history, make_shown, message_of, show_views
from tests.client.rulebases import choose_row, show_pets, show_rules
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


@slow
def test_the_page_says_when_rules_come_and_of_what_epoch_they_are(client):
    end, training = rule_base(9, rule(1), end=True), [rule_base(1, rule(1, then="one")), rule_base(7, rule(1, then="seven"))]
    when = client.page.locator(".tsk-when")
    for bases, ended, index, note, said in (
        ([], False, None, "", "The rules appear after the first epochs."),
        ([], False, None, "The data are not here.", "The data are not here."),
        ([end], True, 2, "The data are not here.", "After epoch 9 (the first one recorded). The data are not here."),
        (training, False, None, "", "After epoch 7."),
    ):
        page = show(client, *bases, ended=ended, note=note)
        client.select(index)
        expect(when).to_have_text(said)
    expect(page.locator(".tsk-sentence")).to_have_text("IF size is low THEN seven")


@slow
def test_the_rules_of_the_comparison_stand_beside_those_of_the_run(client):
    shown, before = (make_shown(make_history(9), next(names), metrics={}) for _ in range(2))
    now, then = ([rule(1, 0.3), rule(2, 0.2)], [rule(1, 0.6, then="dog"), rule(2, 0.1)])
    parts = [list_part("ruleBases", run.id, [rule_base(9, *rules, end=True)]) for run, rules in ((shown, now), (before, then))]
    page = show_views(client, message_of(shown, before) + parts, "order", "rules")
    expect(page.locator(".tsk-card")).to_have_count(2)
    page.get_by_role("button", name=BESIDE).click()
    expect(page.locator(".tsk-other .tsk-sentence").first).to_have_text("IF size is low THEN dog")
    expect(page.locator(".tsk-own .tsk-sentence").first).to_have_text("IF size is low THEN cat")
    widths = page.locator(".tsk-card:first-child .tsk-part").evaluate_all("(parts) => parts.map((part) => part.style.width)")
    assert widths == ["100%", "50%"]  # on one scale
    page.get_by_role("button", name=BESIDE).click()
    expect(page.locator(".tsk-card")).to_have_count(2)


@slow
def test_numbers_explain_themselves_to_whoever_points_taps_or_tabs(client):
    page = show_pets(client, rows=PETS | {"tests": 9, "y": [0, 0, 0, 1, 1, 0]})
    count = page.locator(".tsk-select-row .tsk-explained")
    expect(count).to_have_text(re.compile("^4 of 9 test rows drawn, "))
    shown = "(node) => getComputedStyle(node, '::after').content"
    assert count.evaluate(shown) == "none"
    count.focus()
    assert "rare classes have more than their share" in count.evaluate(shown)
    heads = page.locator(".tsk-view-reasons th.tsk-explained")
    for text in ("Firing level", "Probability", "Score"):
        expect(heads.filter(has_text=text).first).to_have_attribute("aria-description", re.compile("[a-z]{3}"))
    show(client, rule_base(9, rule(1), end=True))
    bar = page.locator(".tsk-share")
    bar.hover()
    assert "equal share, 1/R" in bar.evaluate(shown)
    page.get_by_text("More about this rule").click()
    page.locator(".tsk-measured").click()
    assert "Strongest rule for" in page.locator(".tsk-measured").evaluate(shown)


# Cards, beside the model and rows.

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


def test_a_card_says_first_what_can_be_recounted_and_unfolds_the_rest(client):
    page = show_rules(client, pets(), PETS, change=counted())
    card = page.locator(".tsk-card").first
    line, measured, remarks = (card.locator(f".tsk-{part}") for part in ("recount", "measured", "recount-remarks"))
    expect(line).to_have_text(COUNTS["headline"])
    band = line.locator(".tsk-band").evaluate("(node) => [node.style.left, node.style.width].map(parseFloat)")
    assert band == pytest.approx([77, 21])
    expect(remarks).to_be_hidden()
    expect(measured).to_be_hidden()
    card.locator(".tsk-about > summary").click()
    expect(measured).to_contain_text("firing level")
    expect(page.locator(".tsk-view-rules img")).to_have_count(0)
    remark = "It is true of no training row of a known class."
    none = counted(headline="True of no test row.", remarks=[remark], right=None, interval=None)
    show_rules(client, pets(), PETS, change=none)
    expect(remarks).to_have_text(remark)
    for hidden in ("recount-bar", "band"):
        expect(line.locator(f".tsk-{hidden}")).to_be_hidden()


@slow
@pytest.mark.parametrize(("checked", "text", "weak"), [
    ({"times": 3, "compared": None}, "3 of 10 seeds (by chance: 1.2 of 10)", False),
    ({"times": 1, "compared": 12}, "1 of 10 seeds (by chance: 1.2 of 10), compared by its 12 strongest conditions", True),
])  # fmt: skip
def test_a_card_says_how_often_its_rule_comes_back_once_that_was_checked(client, checked, text, weak):
    stability = checked | {"of": 10, "chance": 1.24}
    page = show_rules(client, pets(), PETS, change=lambda base: base["rules"][0].update(stability=stability))
    first, second = page.locator(".tsk-card > .tsk-stable").nth(0), page.locator(".tsk-card > .tsk-stable").nth(1)
    expect(first).to_have_text(f"Comes back in {text}")
    expect(first).to_have_class(re.compile("tsk-weak") if weak else re.compile("^(?!.*tsk-weak)"))
    expect(second).to_be_hidden()


@slow
def test_each_reading_of_the_printed_rules_has_its_fidelity(client):
    def change(written):
        written["printed"] = INFERENCES
        written["uncovered"] = {"rows": 1, "of": 6, "text": "For 1 of 6 test rows no rule's conditions all hold."}

    page = show_rules(client, pets(), PETS | {"x": [*PETS["x"][:5], [40.0, 0, 1]]}, change=change)
    lines, uncovered = page.locator(".tsk-inferences li"), page.locator(".tsk-uncovered")
    agreement = [r"agrees with the model on 93\.0%, accuracy 90\.0%$", r"agrees with the model on 79\.0%$"]
    expect(lines).to_have_text([re.compile(text) for text in agreement])
    expect(lines.first.locator(".tsk-inference")).to_have_attribute("data-explanation", INFERENCES[0]["text"])
    expect(lines.locator(".tsk-inference")).to_have_text([INFERENCES[0]["name"], "one class per rule, strongest decides"])
    expect(uncovered).to_contain_text("For 1 of 6 test rows no rule's conditions all hold.")
    page.get_by_text("List the rows for which no sentence is true").click()
    expect(uncovered.locator("tbody tr")).to_have_count(1)
    expect(uncovered.locator("tbody .tsk-cell")).to_have_text("6")


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

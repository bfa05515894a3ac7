"""The tab Rules in the browser: sentences at the epoch looked at, as text, in the order that is chosen."""

import pytest
from playwright.sync_api import expect

from tests.client.messages import make_history, make_shown, message_of, show_views

pytestmark = pytest.mark.browser

HOSTILE = "<img src=x onerror=alert(1)>"


def rule(number, support=0.25, conditions=("size is low",), then="cat", dead=False, **more):
    said = [f"Rule {number} never fires."] if dead else ["Typical case: cat +1.00.", f"Firing level {support:.0%}."]
    features = [text.split(" is ")[0] for text in conditions]
    return {
        "rule": number, "if": list(conditions), "features": features, "then": then, "dead": dead, "support": support,
        "measured": said, **more,
    }  # fmt: skip


def rule_base(epoch, *rules, end=False):
    return {"epoch": epoch, "end": end, "summary": [f"{len(rules)} rules.", "They are right."], "rules": list(rules)}


def show(client, *rule_bases, ended=True, note="", epochs=9):
    """The view of a run with these rule bases on a blank page."""
    shown = make_shown(make_history(epochs), metrics={} if ended else None)
    message = message_of(shown, lists={"ruleBases": {"list": list(rule_bases)}})
    show_views(client.open(), message, "ruleBar", "rules", note=note)
    return client.page


def order_of(page):
    return page.get_by_role("combobox", name="Order of rules")


def select(client, index):
    client.run('(await import("/client/core/store.js")).selectEpoch(given[0])', index)


def names(page):
    return page.locator(".tsk-card .tsk-name").all_inner_texts()


def test_rules_follow_the_epoch_looked_at_and_end_with_the_model_kept(client):
    page = show(
        client, rule_base(9, rule(1, then="end"), end=True), rule_base(2, rule(1, then="two")), rule_base(5, rule(1, then="five"))
    )
    sentence, when = page.locator(".tsk-sentence"), page.locator(".tsk-when")
    expect(sentence).to_have_text("IF size is low THEN end")
    expect(when).to_have_text("After epoch 9: the kept model.")
    for index, epoch, then in ((7, 5, "five"), (4, 5, "five"), (3, 2, "two"), (1, 2, "two")):
        select(client, index)
        expect(sentence).to_have_text(f"IF size is low THEN {then}")
        other = "" if index + 1 == epoch else f" (the last one recorded up to epoch {index + 1})"
        expect(when).to_have_text(f"After epoch {epoch}{other}.")
    select(client, 0)
    expect(when).to_have_text("After epoch 2 (the first one recorded).")
    select(client, None)
    expect(sentence).to_have_text("IF size is low THEN end")


def test_a_rule_is_a_sentence_its_share_and_what_was_measured(client):
    page = show(client, rule_base(9, rule(3, 0.5, ("size is low", "colour is red")), rule(1, 0.25, ()), end=True))
    first, second = page.locator(".tsk-card").all()
    expect(first.locator(".tsk-sentence")).to_have_text("IF size is low AND colour is red THEN cat")
    assert first.locator("b").all_inner_texts() == ["Rule 3", "IF", "AND", "THEN", "cat"]
    expect(first.locator(".tsk-measured")).to_have_text("Typical case: cat +1.00.\nFiring level 50%.")
    expect(second.locator(".tsk-sentence")).to_have_text("IF anything THEN cat")
    widths = [card.locator(".tsk-share .tsk-part").evaluate("(part) => part.style.width") for card in (first, second)]
    assert widths == ["100%", "62.5%"]  # of the most that a rule carried at any epoch, 40% here
    even = first.locator(".tsk-equal").evaluate("(line) => parseFloat(line.style.left)")
    assert even == pytest.approx(100 * 0.5 / 0.4)
    expect(page.locator(".tsk-summary-of-rules")).to_have_text("2 rules.\nThey are right.")


def test_a_rule_that_never_fires_says_only_that(client):
    page = show(client, rule_base(9, rule(1), rule(2, 0, dead=True), end=True))
    dead = page.locator(".tsk-card").nth(1)
    expect(dead.locator(".tsk-sentence")).to_be_hidden()
    expect(dead.locator(".tsk-measured")).to_have_text("Rule 2 never fires.")
    order_of(page).select_option("number")
    expect(dead.locator(".tsk-sentence")).to_be_hidden()


def test_rules_stand_by_support_or_by_number(client):
    page = show(client, rule_base(9, rule(3, 0.5), rule(1, 0.3), rule(2, 0.2), end=True))
    assert names(page) == ["Rule 3", "Rule 1", "Rule 2"]
    order_of(page).select_option("number")
    expect(page.locator(".tsk-card .tsk-name").first).to_have_text("Rule 1")
    assert names(page) == ["Rule 1", "Rule 2", "Rule 3"]


def test_many_rules_are_folded_and_stay_unfolded_through_time(client):
    many = [rule(number, 1 / number) for number in range(1, 13)]
    page = show(client, rule_base(9, *many, end=True), rule_base(2, *many[::-1]))
    assert names(page) == [f"Rule {number}" for number in range(1, 11)]
    more = page.locator(".tsk-more")
    expect(more.locator(":scope > summary")).to_have_text("2 more rules")
    expect(page.locator(".tsk-card")).to_have_count(10)  # the others are made when they are unfolded
    expect(page.locator(".tsk-card").filter(visible=True)).to_have_count(10)
    more.locator(":scope > summary").click()
    expect(page.locator(".tsk-card").filter(visible=True)).to_have_count(12)
    select(client, 3)
    expect(page.locator(".tsk-card .tsk-name").first).to_have_text("Rule 12")
    expect(page.locator(".tsk-card").filter(visible=True)).to_have_count(12)
    select(client, None)


def test_few_rules_have_nothing_folded(client):
    page = show(client, rule_base(9, rule(1), end=True))
    expect(page.locator(".tsk-more")).to_be_hidden()


def test_names_of_the_data_are_text(client):
    page = show(client, rule_base(9, rule(1, conditions=(f"{HOSTILE} is low",), then="<b>cat</b>"), end=True))
    expect(page.locator(".tsk-sentence")).to_have_text(f"IF {HOSTILE} is low THEN <b>cat</b>")
    assert page.locator(".tsk-card img").count() == 0


def test_before_the_first_rules_the_page_says_when_they_come(client):
    page = show(client, ended=False)
    expect(page.locator(".tsk-when")).to_have_text("The rules appear after the first epochs.")
    page = show(client, ended=False, note="The data are not here.")
    expect(page.locator(".tsk-when")).to_have_text("The data are not here.")


def test_without_the_data_the_rules_of_the_end_say_that_they_are_of_the_end(client):
    page = show(client, rule_base(9, rule(1), end=True), note="The data are not here.")
    select(client, 2)
    expect(page.locator(".tsk-when")).to_have_text("After epoch 9 (the first one recorded). The data are not here.")
    select(client, None)


def test_what_it_trains_towards_is_the_newest(client):
    page = show(client, rule_base(1, rule(1, then="one")), rule_base(7, rule(1, then="seven")), ended=False)
    expect(page.locator(".tsk-sentence")).to_have_text("IF size is low THEN seven")
    expect(page.locator(".tsk-when")).to_have_text("After epoch 7.")

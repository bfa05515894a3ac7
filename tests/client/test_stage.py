"""The charts of the stage on a page: a rule pointed at or kept is marked on all of them, and the strip selects an epoch."""

import pytest
from playwright.sync_api import expect

from tests.client.messages import make_epoch, make_shown, message_of, show_views
from tests.client.rulebases import PETS, pets, sentences
from tsk_core.live import as_snapshot

pytestmark = pytest.mark.browser


def show_stage(client, *, rows=PETS, worded=True, epochs=4):
    """The stage of a run of two rules; at first the second one fires most. worded: whether the rules are known in words."""
    history = [make_epoch(n, (0.3 + 0.1 * n, 0.7 - 0.1 * n), entropy=[0] * 20 + [6] + [0] * 9) for n in range(1, epochs + 1)]
    snapshot, shared = as_snapshot(pets(), 1), {name: value for name, value in pets().items() if name != "rules"}
    lists = {"snapshots": {"list": [snapshot], "base": shared}}
    if worded:
        lists["ruleBases"] = {"list": [sentences(snapshot, pets(), PETS["x"], PETS["y"])]}
    message = message_of(make_shown(history, epochs=4), lists=lists if epochs else None)
    page = show_views(client, message, "stage", data="pets", run="now", rows=rows)
    page.locator(".tsk-stage-bars [role=option], .tsk-stage-finding").first.wait_for()
    return page


def bar(page, rule):
    return page.get_by_role("option", name=f"Rule {rule}:")


def title(page, part):
    return page.locator(f".tsk-stage-{part} .tsk-stage-finding")


def line(page):
    return page.locator(".tsk-stage-line")


def card(page):
    return page.get_by_role("complementary", name="The kept rule")


def test_titles_say_what_is_found(client):
    page = show_stage(client)
    expect(title(page, "bars")).to_have_text("Every rule fires: .30 to .70 (equal share .50)")
    expect(title(page, "entropy")).to_have_text("Mean entropy 0.5 of 0.7: about 2 rules fire per row")
    expect(line(page)).to_contain_text("Most active rule 1 IF")
    expect(page.locator(".tsk-stage-strip svg")).to_have_attribute(
        "aria-label", "Loss and accuracy by epoch; in epoch 4: Loss 0.250, Accuracy 0.700, Balanced accuracy 0.600."
    )


def test_pointing_at_a_bar_marks_its_rule_until_the_pointer_leaves(client):
    page = show_stage(client)
    bar(page, 2).hover()
    expect(title(page, "bars")).to_have_text("Rule 2: .30, 0.6 times an equal share")
    expect(line(page)).to_contain_text("Rule 2 IF")
    expect(bar(page, 1)).to_have_class("tsk-dim")
    expect(bar(page, 2)).to_have_class("tsk-marked")
    page.mouse.move(5, 5)
    expect(line(page)).to_contain_text("Most active rule 1 IF")
    expect(bar(page, 1)).to_have_class("")


def test_a_click_keeps_a_rule_and_opens_its_card_with_the_rows_it_fires_for(client):
    page = show_stage(client)
    bar(page, 2).click()
    page.mouse.move(5, 5)
    expect(bar(page, 2)).to_have_attribute("aria-selected", "true")
    expect(card(page)).to_contain_text("Rule 2")
    expect(card(page)).to_contain_text("The 6 rows for which it fires most")
    first = card(page).locator("tbody tr").first
    expect(first).to_contain_text("dog")
    card(page).get_by_role("button", name="Select row 5").click()
    expect(card(page).get_by_role("button", name="Select row 5")).to_have_attribute("aria-pressed", "true")
    card(page).get_by_role("button", name="Let go of the rule").click()
    expect(card(page)).to_be_hidden()
    expect(bar(page, 1)).to_have_class("")


def test_the_sentence_keeps_its_rule(client):
    page = show_stage(client)
    line(page).click()
    expect(line(page)).to_have_attribute("aria-pressed", "true")
    expect(card(page)).to_contain_text("Rule 1")
    page.keyboard.press("Escape")
    expect(card(page)).to_be_hidden()


def test_bars_are_reached_and_kept_by_the_keyboard(client):
    page = show_stage(client)
    bar(page, 1).focus()
    page.keyboard.press("ArrowRight")
    expect(bar(page, 2)).to_be_focused()
    expect(line(page)).to_contain_text("Rule 2 IF")
    page.keyboard.press("Enter")
    expect(card(page)).to_be_visible()
    page.keyboard.press("Home")
    expect(bar(page, 1)).to_be_focused()
    page.keyboard.press("Escape")
    expect(card(page)).to_be_hidden()


def test_bars_stay_the_same_elements_while_epochs_change(client):
    page = show_stage(client)
    page.evaluate("globalThis.kept = document.querySelector('.tsk-stage-bars [data-rule=\"0\"]')")
    client.select(0)
    expect(title(page, "bars")).to_have_text("Every rule fires: .40 to .60 (equal share .50)")
    assert page.evaluate("kept.isConnected")


def test_a_press_on_the_strip_selects_the_epoch_there(client):
    page = show_stage(client)
    box = page.locator(".tsk-stage-strip svg").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 40, middle)
    page.mouse.down()
    client.frames()
    assert client.run('return (await import("/client/core/store.js")).state().epoch.epoch;') == 1
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.up()
    client.frames()
    assert 1 < client.run('return (await import("/client/core/store.js")).state().epoch.epoch;') < 4


def test_before_there_are_words_a_rule_is_said_by_its_narrowest_conditions(client):
    page = show_stage(client, worded=False)
    expect(line(page)).to_have_text("Most active rule 1 IF size is near 1 THEN cat")


def test_without_rows_a_kept_rule_has_its_sentence_alone(client):
    page = show_stage(client, rows=None)
    bar(page, 1).click()
    expect(card(page)).to_contain_text("Rule 1")
    expect(card(page).locator("table")).to_be_hidden()


def test_before_the_first_epoch_the_stage_says_what_will_come(client):
    page = show_stage(client, epochs=0)
    expect(title(page, "bars")).to_have_text("Average firing levels come with the first epoch")
    expect(line(page)).to_have_text("The sentence appears with the first rules.")


def test_on_a_phone_the_charts_stand_one_below_the_other(phone):
    page = show_stage(phone)
    tops = page.evaluate(
        "['ground', 'bars', 'sentence', 'entropy', 'strip'].map((name) => "
        "document.querySelector(`.tsk-stage-${name}`).getBoundingClientRect().top)"
    )
    assert tops == sorted(tops)
    assert phone.run("return document.documentElement.scrollWidth <= 390;")

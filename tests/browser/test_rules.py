"""Rules and mistakes through time, in a real browser: they follow the time bar, and can be read while the model learns."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import choose, metric, progress, rules, run_of, start_a_long_run, stop, tab, train_to_the_end

pytestmark = pytest.mark.browser


def look_at_first(page):
    slider = page.get_by_role("slider", name="Selected epoch")
    slider.focus()
    slider.press("Home")


@pytest.mark.slow
def test_rules_and_mistakes_follow_the_time_bar(visit):
    page = visit("/?rules=5&epochs=40")
    train_to_the_end(page)
    expect(rules(page)).to_have_count(5)
    end = rules(page).first.inner_text()
    when = page.locator(".tsk-when")
    expect(when).to_have_text("After epoch 40: the model kept.")
    look_at_first(page)
    expect(page.locator(".tsk-tile-label").first).to_have_text("Test RCA, epoch 1")  # so do the scores
    expect(metric(page, "Test RCA")).to_be_hidden()
    expect(when).to_have_text("After epoch 1.")
    expect(page.locator(".tsk-summary-of-rules")).to_have_text(re.compile("5 rules, at most 4 conditions each"))
    tab(page, "Mistakes").click()
    matrix = page.get_by_role("img", name=re.compile("^Confusion matrix after epoch 1: "))
    expect(matrix).to_be_visible()
    page.get_by_role("button", name="Newest epoch").click()
    expect(page.get_by_role("img", name=re.compile("^Confusion matrix: "))).to_be_visible()
    expect(rules(page).first).to_have_text(end)
    expect(metric(page, "Test RCA")).to_be_visible()


@pytest.mark.slow
def test_a_rule_is_taken_out_and_the_rows_that_change_open_in_samples(visit):
    page = visit("/?rules=4&epochs=30")
    train_to_the_end(page)
    expect(rules(page)).to_have_count(4)
    for number in (1, 2):
        page.get_by_role("button", name=f"Take rule {number} out", exact=True).click()
    panel = page.get_by_role("region", name="Taken out")
    expect(panel).to_contain_text("Measured on all 45 test rows.")
    panel.locator("summary").click()
    row = panel.get_by_role("button", name=re.compile(r"^Open row \d+ in the tab Samples$")).first
    number = row.inner_text()
    row.click()
    expect(page.get_by_role("spinbutton", name="Row", exact=True)).to_have_value(number)
    expect(page.get_by_text("Without rules 1 and 2, which the tab Rules took out.")).to_be_visible()


@pytest.mark.slow
def test_rules_are_read_while_they_are_learnt(visit):
    page = visit("/?data=breast_cancer&rules=4&epochs=2000&batch=16")
    start_a_long_run(page)
    expect(rules(page).first).to_have_text(re.compile(r"THEN (mostly )?(benign|malignant)( or (benign|malignant))?$"))
    expect(page.locator(".tsk-when")).to_have_text(re.compile(r"^After epoch \d+\.$"))
    stop(page)
    expect(page.locator(".tsk-when")).to_have_text(re.compile(r"^After epoch \d+: the model kept\.$"))
    expect(rules(page).first).to_be_visible()


@pytest.mark.slow
def test_a_smaller_rule_base_is_a_run_of_its_own_and_one_without_a_rule_is_another(visit):
    page = visit("/?rules=4&epochs=10")
    train_to_the_end(page)
    full = run_of(page)
    tab(page, "Rules").click()
    page.get_by_role("button", name=re.compile("^Simplify and refit")).click()
    choose(page, "Score terms", "5")
    page.get_by_role("button", name="Simplify and refit", exact=True).last.click()
    expect(page.get_by_text("What simplifying changed")).to_be_visible()
    expect(progress(page)).to_contain_text("Finished")
    small = run_of(page)
    assert small != full
    tab(page, "Rules").click()
    page.get_by_text("The rules in full: everything a prediction needs").click()
    expect(page.get_by_text(re.compile("^Each rule fires as far as its conditions hold"))).to_be_visible()
    left = rules(page).count()
    name = page.get_by_role("button", name=re.compile(r"^Take rule \d+ out$")).first
    name.click()
    page.get_by_role("button", name="Train on without what is taken out, as a run of its own").click()
    expect(rules(page)).to_have_count(left - 1)
    assert run_of(page) not in (full, small)

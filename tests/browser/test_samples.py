"""The tab Samples through the whole app: a click on a row and its reasons, and the plane through time."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.helpers import choose, open_tab, start_a_long_run, stop, train_to_the_end, upload
from tests.tables import pets
from tsk_core import TrainConfig, TSKClassifier, load_dataset

pytestmark = [pytest.mark.browser, pytest.mark.slow]
LONG = "data=breast_cancer&epochs=2000&batch=2&rules=20"  # 400,000 steps: it trains until someone stops it


def samples(page):
    open_tab(page, "Samples")
    expect(page.locator(".tsk-view-plane .main-svg").first).to_be_visible()


def head(page):
    return page.locator(".tsk-head")


def test_a_click_on_a_flower_says_what_the_classifier_says(visit):
    page = visit("/?from=paper&rules=5&epochs=60&seed=0")
    train_to_the_end(page)
    samples(page)
    expect(head(page)).to_contain_text("No row is selected: click one in the plane")
    page.locator(".tsk-view-plane .scatterlayer .trace .point").last.scroll_into_view_if_needed()
    traces = page.locator(".tsk-view-plane .scatterlayer .trace")
    points = traces.nth(5).locator(".point")  # test rows: the key is three traces, training rows two
    points.first.click(force=True)
    expect(head(page)).to_have_text(re.compile(r"^Row \d+ \(test\): true class .*; the model predicts \w+ with probability .*%"))
    dataset = load_dataset("iris")
    split = dataset.split(0.3, 0)
    settings = TrainConfig.paper(n_rules=5, max_epochs=60, random_state=0).to_dict()
    classifier = TSKClassifier(**settings).fit(dataset.X.iloc[split.train], dataset.y[split.train])
    row = int(page.get_by_role("spinbutton", name="Row", exact=True).input_value()) - 1
    scores = classifier.decision_function(dataset.X.iloc[[row]])[0]
    predicted, sure = classifier.classes_[scores.argmax()], 100 * np.exp(scores.max()) / np.exp(scores).sum()
    expect(head(page)).to_contain_text(
        f"true class {dataset.y[row]}; the model predicts {predicted} with probability {sure:.1f}%"
    )


def test_the_plane_follows_training_and_the_epoch_slider(visit):
    page = visit(f"/?{LONG}")
    start_a_long_run(page)
    samples(page)
    page.get_by_role("button", name="Next misclassified test row").click()
    first = int(re.search(r"after epoch (\d+)", head(page).inner_text())[1])
    page.wait_for_function(
        "(first) => Number(/after epoch (\\d+)/.exec(document.querySelector('.tsk-head').textContent)[1]) > first", arg=first
    )
    page.get_by_role("slider", name="Selected epoch").focus()
    page.keyboard.press("Home")
    expect(head(page)).to_contain_text("after epoch 1 (")
    page.get_by_role("button", name="Newest epoch").click()
    expect(head(page)).not_to_contain_text("after epoch 1 (")
    stop(page)
    expect(page.locator(".tsk-view-plane .main-svg").first).to_be_visible()


def test_a_run_whose_table_was_not_kept_can_still_be_asked_what_if(visit):
    page = visit("/?rules=3&epochs=30")
    choose(page, "Data", "Your table (upload)")
    upload(page, "my pets.csv", pets())
    train_to_the_end(page)
    other = visit(re.search(r"\?run=[^&]*|[?&](run=[^&]*)", page.url)[0].replace("&", "?"))
    samples(other)
    expect(other.get_by_text("hoose the same file in the sidebar")).to_be_visible()
    other.get_by_role("combobox", name="colour", exact=True).select_option("blue")
    expect(head(other)).to_contain_text("For a typical row")
    choose(other, "Data", "Your table (upload)")
    upload(other, "my pets.csv", pets())
    expect(other.get_by_text("hoose the same file in the sidebar")).to_have_count(0)
    other.get_by_role("spinbutton", name="Row", exact=True).fill("3")
    other.keyboard.press("Enter")
    expect(head(other)).to_have_text(re.compile(r"^Row 3 \((test|training)\): true class (cat|dog)"))

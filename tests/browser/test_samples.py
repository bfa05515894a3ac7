"""The tab Samples through the whole app: a click on a row and its reasons, and the plane through time."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.helpers import open_tab, train_to_the_end
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

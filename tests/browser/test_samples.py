"""The tab Samples through the whole app: a click on a row and its reasons, and the plane through time."""

import itertools
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
    expect(page.locator(".tsk-view-plane canvas").first).to_be_visible()


def point_at(page, wanted):
    """Move the pointer over the plane until it names something that matches."""
    canvas, label = page.locator(".tsk-view-plane canvas"), page.locator(".tsk-view-plane .tsk-spot")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    for place in itertools.product(range(60, int(box["width"]), 9), range(40, int(box["height"]) - 50, 9)):
        page.mouse.move(box["x"] + place[0], box["y"] + place[1])
        if label.is_visible() and re.search(wanted, label.inner_text()):
            return
    pytest.fail(f"nothing on the plane is {wanted}")


def head(page):
    return page.locator(".tsk-head")


def test_a_click_on_a_flower_says_what_the_classifier_says(visit):
    page = visit("/?from=paper&rules=5&epochs=60&seed=0")
    train_to_the_end(page)
    samples(page)
    expect(head(page)).to_contain_text("No row is selected: click one in the plane")
    point_at(page, r"^row \d+ \(test\)")
    page.mouse.down()
    page.mouse.up()
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

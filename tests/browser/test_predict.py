"""Predicting in a real browser: a file goes up and comes down again with its predictions; a row is typed in."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import button, choose, open_tab, shown, train_to_the_end, upload
from tests.tables import pets

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAME = "<b>size</b> **x**"
CLASSES = ("cat <i>&amp;</i> $x$", "dog")


@pytest.fixture
def trained(visit):
    """A page with a run on pets with hostile names, its tab Predict open."""
    page = visit("/?data=upload&rules=3&epochs=40&target=species")
    upload(page, "pets.csv", pets(f"{NAME},colour,species", classes=CLASSES))
    train_to_the_end(page)
    open_tab(page, "Predict")
    return page


def panel(page):
    return page.get_by_role("tabpanel", name="Predict")


def give(page, content):
    panel(page).locator("input[type=file]").set_input_files({"name": "new.csv", "mimeType": "text/csv", "buffer": content})


def test_a_row_is_predicted_while_it_is_typed(trained):
    panel(trained).get_by_role("radio", name="One row").click()
    number = panel(trained).get_by_role("spinbutton")
    sentence = panel(trained).locator("p", has_text=re.compile("Predicted by the final model: .* with a probability"))
    number.fill("0.4")
    number.press("Enter")
    choose(trained, "colour", "red")
    expect(sentence).to_contain_text(re.compile(shown(CLASSES[0])))
    number.fill("3.6")
    number.press("Enter")
    choose(trained, "colour", "blue")
    expect(sentence).to_contain_text("dog")
    expect(panel(trained).get_by_text(re.compile(r"Rule \d fires most: IF"))).to_be_visible()
    number.fill("")  # missing
    number.press("Enter")
    expect(number).to_have_attribute("placeholder", "(missing)")
    expect(number).to_have_value("")
    open_tab(trained, "Rules")
    open_tab(trained, "Predict")
    expect(panel(trained).get_by_role("spinbutton")).to_have_value("")
    expect(button(trained, "Train")).to_be_enabled()

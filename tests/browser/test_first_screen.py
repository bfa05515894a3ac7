"""The first screen in a real browser: what moves there, its doors, and the way to a trained model of one's own table by mouse."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import at_rest, button, choice, open_drawer, progress
from tests.tables import pets

pytestmark = pytest.mark.browser

FILE = {"name": "my pets.csv", "mimeType": "text/csv", "buffer": pets()}
COUNT = "globalThis.clicks = 0; document.addEventListener('click', (event) => { clicks += event.isTrusted; }, true);"
DROP = """(text) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], "dropped.csv"));
  const place = document.querySelector("[data-testid=stMain]");
  for (const kind of ["dragover", "drop"]) {
    place.dispatchEvent(new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true }));
  }
}"""


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_from_the_first_screen_to_a_trained_model_of_ones_own_table_takes_three_clicks_at_most(visit, width, height):
    page = visit("/", viewport={"width": width, "height": height})
    page.locator(".tsk-drop").wait_for(state="attached")
    page.evaluate(COUNT)
    for way in ("Upload your table", "Choose a dataset"):
        expect(button(page, way)).to_be_in_viewport(ratio=1)
    with page.expect_file_chooser() as chooser:
        button(page, "Upload your table").click()
    chooser.value.set_files(FILE)
    expect(page.locator(".st-key-table_card")).to_contain_text("my pets: 60 rows, 3 columns.")
    expect(page.locator(".st-key-card_check")).to_be_in_viewport(ratio=1)
    if width <= 640:  # a phone hides the sidebar
        open_drawer(page)
    expect(button(page, "Train")).to_be_in_viewport(ratio=1)
    expect(choice(page, "Target column")).to_have_value("species")
    button(page, "Train").click()
    expect(progress(page)).to_contain_text("Finished")
    assert page.evaluate("clicks") <= 3


def test_a_file_dropped_on_a_page_is_its_data_and_the_link_names_no_file(visit):
    page = visit("/sweep")
    page.locator(".tsk-drop").wait_for(state="attached")
    at_rest(page)
    page.evaluate(DROP, pets().decode())
    expect(page.locator(".st-key-table_card")).to_contain_text("dropped: 60 rows")
    expect(choice(page, "Data")).to_have_value("Your table (dropped.csv)")
    assert "data=upload" in page.url and "dropped" not in page.url


def epoch(page):
    """What the recorded training says of itself."""
    return page.locator(".tsk-demonstration .tsk-epoch")


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_a_training_moves_by_itself_on_the_first_screen_below_a_sentence_and_doors(visit, width, height):
    page = visit("/", viewport={"width": width, "height": height})
    expect(page.get_by_role("heading", name="Watch a fuzzy classifier learn")).to_be_in_viewport(ratio=1)
    for door in ("Play", "Learn", "Upload your table", "Choose a dataset"):
        expect(button(page, door)).to_be_in_viewport(ratio=1)
    expect(epoch(page)).to_have_text(re.compile(r"^epoch \d+ of 40$"))
    before = epoch(page).text_content()
    expect(epoch(page)).not_to_have_text(before, timeout=2000)
    expect(page.locator(".tsk-demonstration canvas").first).to_be_visible()
    if width > 640:
        expect(page.locator(".tsk-demonstration .tsk-stage")).to_be_in_viewport(ratio=1)


def test_the_recorded_training_stands_at_its_end_for_those_who_prefer_less_motion_until_they_press_play(visit):
    page = visit("/", reduced_motion="reduce")
    expect(epoch(page)).to_have_text("epoch 40 of 40")
    page.wait_for_timeout(2500)  # longer than the pause at the end
    expect(epoch(page)).to_have_text("epoch 40 of 40")
    button(page, "Replay training").click()
    expect(epoch(page)).not_to_have_text("epoch 40 of 40")


def test_play_trains_with_one_press_and_whoever_comes_back_begins_with_that_run(visit):
    page = visit("/")
    expect(epoch(page)).to_have_text(re.compile("of 40$"))
    button(page, "Play").click()
    expect(progress(page)).to_contain_text("Finished")
    expect(page.locator(".tsk-demonstration")).to_have_count(0)
    expect(page.locator(".tsk-view-epochs .tsk-epoch")).to_have_text("epoch 40 of 40")
    run = re.search("run=([0-9a-f]{32})", page.url)[0]
    page.goto(page.url.partition("?")[0])
    expect(page.get_by_text("Your last run.")).to_be_visible()
    assert run in page.url
    button(page, "Start over").click()
    expect(epoch(page)).to_have_text(re.compile("of 40$"))
    assert "run=" not in page.url


def test_learn_is_a_door_and_p_begins_and_ends_presenting_where_no_other_action_has_that_key(visit):
    page = visit("/")
    button(page, "Learn").click()
    expect(page).to_have_url(re.compile("/learn$"))
    expect(page.get_by_role("heading", name="Learn", exact=True)).to_be_visible()
    at_rest(page)
    page.keyboard.press("p")
    expect(page).to_have_url(re.compile("present=1"))
    expect(button(page, "Leave")).to_be_visible()
    at_rest(page)
    page.keyboard.press("p")
    expect(page).to_have_url(re.compile(r"/learn$"))

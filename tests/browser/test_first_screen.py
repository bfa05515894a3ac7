"""From the first screen to a trained model of one's own table, with the mouse alone, in a real browser."""

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

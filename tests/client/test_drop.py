"""Files that are dropped anywhere on a page, and the buttons that open the file chooser."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

PAGE = """
const { takeFiles } = await import("/client/drop.js");
document.body.insertAdjacentHTML("beforeend", `
  <div class="st-key-file" hidden><section data-testid="stFileUploaderDropzone"><input type="file"></section></div>
  <div class="st-key-predict_file"><section data-testid="stFileUploaderDropzone">another</section></div>
  <div role="dialog">
    <button aria-label="Close"></button><div class="st-key-upload_from_gallery"><button>Upload</button></div>
  </div>
`);
globalThis.taken = [];
globalThis.closings = 0;
const input = document.querySelector("input[type=file]");
input.addEventListener("change", () => taken.push([...input.files].map((file) => file.name)));
document.querySelector("[aria-label=Close]").addEventListener("click", () => { closings += 1; });
globalThis.leave = takeFiles("CSV or Excel", "At most 1 MB; zip it.", 2 ** 20);
"""
DRAG = """([kind, where, names, size]) => {
  const carried = new DataTransfer();
  for (const name of names) carried.items.add(new File(["x".repeat(size)], name));
  const event = new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true });
  document.querySelector(where).dispatchEvent(event);
  return event.defaultPrevented;
}"""


@pytest.fixture
def page(client):
    client.open().run(PAGE)
    return client.page


def drag(page, kind, *names, where="main", size=1):
    """Whether the page takes the files, in place of the browser."""
    return page.evaluate(DRAG, [kind, where, names, size])


def test_a_file_dropped_anywhere_goes_to_the_uploader_and_the_page_says_what_may_be_dropped(page):
    target = page.locator(".tsk-drop")
    assert drag(page, "dragover", "a.csv")
    expect(target).to_be_visible()
    expect(target).to_have_text("Drop your table hereOne file: CSV or Excel.")
    assert drag(page, "drop", "a.csv")
    expect(target).to_be_hidden()
    assert page.evaluate("taken") == [["a.csv"]]
    expect(page.get_by_role("alert")).to_have_text("")


@pytest.mark.parametrize(
    ("names", "size", "said"),
    [
        (("a.csv", "b.csv"), 1, "These are 2 files; drop one, or a zip archive with one."),
        (("a.csv",), 2**20 + 1, "This file has 2 MB. At most 1 MB; zip it."),
    ],
)
def test_what_may_not_be_dropped_is_refused_in_a_sentence(page, names, size, said):
    assert drag(page, "drop", *names, size=size)
    expect(page.get_by_role("alert")).to_have_text(said)
    drag(page, "drop", "good.csv")
    expect(page.get_by_role("alert")).to_have_text("")
    assert page.evaluate("taken") == [["good.csv"]]


def test_text_and_files_for_another_uploader_are_left_to_others(page):
    assert not drag(page, "dragover")
    assert not drag(page, "dragover", "rows.csv", where=".st-key-predict_file section")
    expect(page.locator(".tsk-drop")).to_be_hidden()
    assert not drag(page, "drop", "rows.csv", where=".st-key-predict_file section")
    assert page.evaluate("taken") == []


def test_an_upload_button_opens_the_file_chooser_and_closes_the_dialog_around_it(page):
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Upload").click()
    chooser.value.set_files({"name": "mine.csv", "mimeType": "text/csv", "buffer": b"a,b"})
    assert page.evaluate("taken") == [["mine.csv"]] and page.evaluate("closings") == 1
    page.evaluate("leave()")  # which leaves the page as it was
    assert not drag(page, "drop", "a.csv")
    assert page.locator(".tsk-drop, .tsk-refusal").count() == 0 and len(page.evaluate("taken")) == 1

"""Presenter mode on a projector: steered by keys, and measured by what the back row of a hall can read."""

from playwright.sync_api import Page, expect

PROJECTOR = {"width": 1280, "height": 720}
LEAST_LETTER = 18  # pixels
SMALL_LETTERS = """least => {
  const seen = (node) => {
    const box = node.getBoundingClientRect(), style = getComputedStyle(node);
    return box.width > 1 && box.height > 1 && style.visibility !== "hidden";
  };
  const small = [...document.querySelectorAll("body *")].filter((node) => !/^(STYLE|SCRIPT|OPTION)$/.test(node.tagName)
    && [...node.childNodes].some((part) => part.nodeType === 3 && part.textContent.trim())
    && parseFloat(getComputedStyle(node).fontSize) < least && seen(node));
  const size = (node) => parseFloat(getComputedStyle(node).fontSize);
  return [...new Set(small.map((node) => `${size(node)} px: ${node.textContent.trim().slice(0, 40)}`))];
}"""
BOXES = """() => [...document.querySelectorAll(".tsk-chart, .tsk-caption")].filter((node) => node.offsetParent).map((node) => {
  const { top, bottom } = node.getBoundingClientRect();
  return { chart: node.matches(".tsk-chart"), top, bottom };
})"""


def train_by(page: Page, key: str) -> None:
    """Press a key that starts a run, and wait for the run's end."""
    before = page.url.partition("run=")[2][:32]
    page.keyboard.press(key)
    page.wait_for_function("(before) => ![null, before].includes(new URLSearchParams(location.search).get('run'))", arg=before)
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")  # else it is that of before
    expect(page.get_by_test_id("stProgress")).to_contain_text("Finished")
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def lowest_chrome(page: Page) -> tuple[float, float]:
    """Where the first chart begins, and where the captions and charts of its row end, in pixels from the top."""
    boxes = page.evaluate(BOXES)
    top = min(box["top"] for box in boxes if box["chart"])
    row = [box for box in boxes if box["chart"] and box["top"] < top + 40]
    captions = [box for box in boxes if not box["chart"] and box["top"] < max(chart["bottom"] for chart in row) + 60]
    return top, max(box["bottom"] for box in [*row, *captions])

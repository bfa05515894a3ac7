"""The five-minute demo of presenter mode as pictures of 1280×720: ``python -m tests.demo FOLDER``.

Starts the app, goes through it by keys as a lecturer does, and writes a picture of each step: every preset, then UR and BN on
Vehicle and Satellite where TSK_DATA_DIR has them, then batch sizes. Prints what nobody could read from the back row of a hall.
"""

import argparse
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.chromium import running
from tests.load.server import Server
from tsk_core.data import load_dataset
from tsk_core.errors import TSKError
from ui.charts import TABS
from ui.presets import PRESETS

__all__ = ["LEAST_LETTER", "PROJECTOR", "SMALL_LETTERS", "lowest_chrome", "present", "train_by"]

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


@dataclass(frozen=True)
class Step:
    """A picture: the keys that lead to it, the last of which trains where ``trains``. link: opened before."""

    name: str
    keys: tuple[str, ...]
    trains: bool = True
    link: str = ""


def steps() -> list[Step]:
    """The whole demo."""
    found = [Step(preset.name, ("n",)) for preset in PRESETS]
    for data in ("vehicle", "satellite"):
        try:
            load_dataset(data)
        except TSKError as error:
            print(f"Without {data}: {error}")
            continue
        link = f"data={data}&ur=0&bn=none&epochs=60&seed=0"
        found += [
            Step(f"{data}-plain", ("t",), link=link),
            Step(f"{data}-ur", ("l", "t")),
            Step(f"{data}-ur-firing", ("2",), trains=False),
            Step(f"{data}-bn", ("1", "k", "b", "t")),
            Step(f"{data}-ur-bn", ("l", "t")),
        ]
    found += [Step("batch-32", ("t",), link="data=iris&epochs=100&seed=0&batch=32"), Step("batch-128", ("d", "d", "t"))]
    return [*found, Step("batch-next", ("d",), trains=False)]


def present(page: Page, link: str = "") -> None:
    """Open presenter mode, and wait until its keys work."""
    page.goto(f"/?present=1&{link}")
    page.wait_for_selector("html[data-tsk-keys]", state="attached")
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


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


def demo(address: str, folder: Path, chosen: str = "", scheme: str = "light") -> None:
    """Go through the steps whose names begin with ``chosen`` and write a picture of each."""
    with running() as browser:
        page = browser.new_context(viewport=PROJECTOR, base_url=address, color_scheme=scheme).new_page()
        expect.set_options(timeout=180_000)
        page.set_default_timeout(180_000)
        present(page)
        page.screenshot(path=folder / "00-start.png")
        for number, step in enumerate([step for step in steps() if step.name.startswith(chosen)], 1):
            if step.link:
                present(page, step.link)
            for key in step.keys[: -1 if step.trains else None]:
                page.keyboard.press(key)
            if step.trains:
                train_by(page, step.keys[-1])
            page.wait_for_timeout(1200)  # the figures move to their places
            page.screenshot(path=folder / f"{number:02}-{step.name}.png")
            top, bottom = lowest_chrome(page)
            small = page.evaluate(SMALL_LETTERS, LEAST_LETTER)
            print(f"{step.name}: the chart begins at {top:.0f}, its caption ends at {bottom:.0f}; small: {small or 'nothing'}")
        for number, tab in enumerate(TABS, 1):
            page.keyboard.press(str(number))
            page.wait_for_timeout(2500)
            page.screenshot(path=folder / f"tab-{number}-{tab.lower()}.png")
            print(f"{tab}: small: {page.evaluate(SMALL_LETTERS, LEAST_LETTER) or 'nothing'}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.demo", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="where the pictures are written")
    parser.add_argument("--only", default="", help="only steps whose names begin so")
    parser.add_argument("--scheme", choices=["light", "dark"], default="light")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place, Server(Path(place), TSK_WORKERS="1") as server:
        demo(server.address, options.folder, options.only, options.scheme)
    print(f"{len(list(options.folder.glob('*.png')))} pictures in {options.folder}, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()

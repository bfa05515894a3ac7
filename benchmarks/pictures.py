"""The documentation's pictures of the app, taken anew in a browser: ``python -m benchmarks.pictures [NAME …]``.

Writes ``docs/pictures/<name>.png``; look at each before it is committed.
"""

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

from tests.chromium import running
from tests.load.server import Server

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"


def trained(page: Page) -> None:
    """Train, and wait for the end."""
    page.get_by_role("button", name="Train", exact=True).click()
    page.get_by_text("Finished in").wait_for(timeout=120_000)
    page.wait_for_timeout(4000)


def preset(page: Page, name: str) -> None:
    """Choose a preset, which trains, and wait for the end."""
    page.get_by_role("button", name="Presets").click()
    page.get_by_role("button", name=name).click()
    page.wait_for_timeout(3000)
    page.get_by_text("Finished in").wait_for(timeout=120_000)
    page.wait_for_timeout(4000)


def tab(page: Page, name: str) -> None:
    """Open a tab of Explore."""
    page.get_by_role("tab", name=name, exact=True).click()
    page.wait_for_timeout(4000)


def explore(page: Page, address: str) -> None:
    """The stage with UR, the run without it in outline."""
    page.goto(address)
    preset(page, "Rich get richer")
    preset(page, "UR evens out the firing")
    tab(page, "Stage")


def samples(page: Page, address: str) -> None:
    """A row of Iris, and the reasons for its prediction."""
    page.goto(f"{address}/?data=iris&from=recommended")
    trained(page)
    tab(page, "Samples")
    row = page.get_by_label("Row", exact=True)
    row.fill("71")
    row.press("Enter")
    page.wait_for_timeout(2000)


def rules(page: Page, address: str) -> None:
    """The rules of Iris, with how often each way to predict agrees with the model."""
    page.goto(f"{address}/?data=iris&from=recommended")
    trained(page)
    tab(page, "Rules")


def present(page: Page, address: str) -> None:
    """UR on a projector."""
    page.goto(f"{address}/?present=1")
    page.get_by_role("button", name="Train", exact=True).wait_for()
    for _ in ("Rich get richer", "UR evens out the firing"):
        page.wait_for_timeout(3000)
        page.keyboard.press("n")
        page.wait_for_timeout(3000)
        page.get_by_text("Finished in").wait_for(timeout=120_000)
    page.wait_for_timeout(4000)


def paper(page: Page, address: str) -> None:
    """The paper's accuracies beside ours."""
    page.goto(f"{address}/paper")
    page.get_by_role("heading", name="Reproduced").or_(page.get_by_text("MBGD-UR-BN").first).first.wait_for(timeout=60_000)
    page.wait_for_timeout(5000)


PICTURES: dict[str, tuple[Callable[[Page, str], None], int, int]] = {
    "explore": (explore, 1400, 720),
    "samples": (samples, 1400, 1000),
    "rules": (rules, 1400, 1000),
    "present": (present, 1280, 720),
    "paper": (paper, 1400, 900),
}


def main() -> None:
    """Take the pictures named, or all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[[], *PICTURES])
    names = parser.parse_args().names or list(PICTURES)
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server, running() as browser:
        for name in names:
            draw, width, height = PICTURES[name]
            with browser.new_context(viewport={"width": width, "height": height}, color_scheme="light") as context:
                page = context.new_page()
                draw(page, server.address)
                page.screenshot(path=FOLDER / f"{name}.png")


if __name__ == "__main__":
    main()

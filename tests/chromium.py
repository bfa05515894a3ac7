"""The browser of the tests, Chromium: the one that the environment variable CHROMIUM names, else the one on the PATH.

A conftest imports the fixture: ``from tests.chromium import browser``; its folder, a package, shares one browser.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

PATIENCE = 150_000  # milliseconds; a slow machine may take its time, a broken app fails in the end
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium, running."""
    with running() as browser:
        yield browser


@contextmanager
def running() -> Iterator[Browser]:
    """Chromium, until the end of the block."""
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_path(), args=FLAGS)
        yield browser
        browser.close()


def _path() -> str:
    """Where the browser is."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if found is None:
        pytest.fail("These tests need Chromium: install the package 'chromium', or set CHROMIUM to the path of one.")
    return found

"""A browser of its own; see tests/chromium.py."""

from tests.browser.conftest import visit
from tests.chromium import browser

__all__ = ["browser", "visit"]

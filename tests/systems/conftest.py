"""A browser of its own; see tests/chromium.py."""

from tests.browser.conftest import returning, trouble, visit
from tests.chromium import browser

__all__ = ["browser", "returning", "trouble", "visit"]

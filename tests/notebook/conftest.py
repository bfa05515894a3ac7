"""A browser of its own; see tests/chromium.py."""

from tests.chromium import browser

__all__ = ["browser"]

"""A browser of its own; see tests/chromium.py."""

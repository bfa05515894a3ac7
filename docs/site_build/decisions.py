"""Decisions are named by their number in pages and code, so their titles have it."""

import re

from sphinx.application import Sphinx


def number_the_title(app: Sphinx, page: str, source: list[str]) -> None:
    """Put the number of the file's name before the first heading."""
    if number := re.match(r"decisions/(\d{4})-", page):
        source[0] = source[0].replace("# ", f"# {number[1]} ", 1)

"""Names from tables inside a line of text: they neither break the line nor change the direction in which it is read."""

import re

__all__ = ["one_line", "undirected"]

# The embeddings, overrides and isolates of Unicode, with which "nekorb" is shown as "broken" (CVE-2021-42574).
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")


def one_line(text: str) -> str:
    """The text on one line, with single spaces."""
    return " ".join(undirected(text).split())


def undirected(text: str) -> str:
    """The text with "\ufffd" in the place of each character that changes the direction of those after it."""
    return _DIRECTIONS.sub("\ufffd", text)

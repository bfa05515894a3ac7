"""Names from tables inside a line of text: they neither break the line nor change the direction in which it is read."""

import re

__all__ = ["in_sentence", "one_line", "undirected"]

# The embeddings, overrides and isolates of Unicode, with which "nekorb" is shown as "broken" (CVE-2021-42574).
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")

_WORDS = re.compile(r"(?<!\w)(?:IF|AND|OR|THEN)(?!\w)")


def in_sentence(name: object) -> str:
    """A name inside of a rule's sentence: in quotes where it has a word of which the sentence is made, such as "R AND D"."""
    text = str(name)
    return f"'{text}'" if _WORDS.search(text) else text


def one_line(text: str) -> str:
    """The text on one line, with single spaces."""
    return " ".join(undirected(text).split())


def undirected(text: str) -> str:
    """The text with "\ufffd" in the place of each character that changes the direction of those after it."""
    return _DIRECTIONS.sub("\ufffd", text)

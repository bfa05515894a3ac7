"""Names of columns and classes in files of other languages: as identifiers, and in comments. They come from users' tables."""

import re
from collections.abc import Iterable

__all__ = ["identifiers", "in_comment"]

_OTHER = re.compile(r"[^a-z0-9]+")
_LONGEST = 40  # characters of an identifier, before a number that tells it from another one
_WORDS = (  # that mean something in C or MATLAB, or in a language to which somebody may translate the file
    "and as assert async auto await bool break case catch char class const continue def default del delete do double elif else"
    " end enum except export extends extern false finally float for from function global goto if import in inline int is lambda"
    " long new none nonlocal not null or pass raise register restrict return short signed sizeof static struct switch this"
    " throw true try typedef typeof union unsigned var void volatile while with yield"
)
_RESERVED = frozenset(_WORDS.split())


def identifiers(names: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """A valid identifier for each name, in small ASCII letters, digits and underscores: distinct, and none of ``taken``."""
    chosen: list[str] = []
    used = {*taken, *_RESERVED}
    for name in names:
        stem = _OTHER.sub("_", name.lower())[:_LONGEST].strip("_") or "x"
        stem = stem if stem[0].isalpha() else f"x_{stem}"
        identifier, number = stem, 1
        while identifier in used:
            number += 1
            identifier = f"{stem}_{number}"
        used.add(identifier)
        chosen.append(identifier)
    return chosen


def in_comment(text: str, forbidden: str = "") -> str:
    """Text on one line of printable ASCII for a comment; other characters, and each of ``forbidden``, become "?"."""
    return "".join(c if " " <= c <= "~" and c not in forbidden else "?" for c in " ".join(text.split()))

"""Names of columns and classes in files of other languages: as identifiers, and in comments. They come from users' tables."""

from collections.abc import Iterable

from tsk_core.data.naming import identifier as stem_of

__all__ = ["identifiers", "in_comment"]

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
        stem = stem_of(name)
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

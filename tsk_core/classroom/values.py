"""What comes from browsers, checked: answers, names of lessons, codes of classes."""

import math
import re
import secrets
from collections.abc import Sequence

from tsk_core.errors import ClassError

__all__ = ["ITEMS", "MOST_NUMBERS", "checked_answer", "checked_code", "checked_place", "new_code"]

ITEMS = ("predict", "see")  # of a lesson, that are answered
MOST_NUMBERS = 600  # of one answer; the finest raster has 24 × 24
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # without I, O, 0 and 1, which look alike
LENGTH = 5
_CODE = re.compile(f"[{LETTERS}]{{{LENGTH}}}")
_LESSON = re.compile(r"[a-z][a-z0-9-]{0,30}")
_LARGEST = 1e12


def new_code() -> str:
    """A random code of a class: 32⁵ are possible, some 33 million."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def checked_code(text: object) -> str:
    """A code as it was typed: small letters, spaces and hyphens are forgiven. ClassError for what can be none."""
    code = re.sub(r"[\s-]+", "", str(text)[:40]).upper()
    if not _CODE.fullmatch(code):
        raise ClassError("A class code has five letters or digits, such as AB3CD, without I, O, 0 and 1; check what you typed.")
    return code


def checked_place(lesson: object, item: object) -> tuple[str, str]:
    """A lesson's name and an item of it. ClassError for what can be none."""
    if not isinstance(lesson, str) or not _LESSON.fullmatch(lesson):
        raise ClassError("The name of a lesson has lower-case letters, digits and hyphens; open it from the page Learn.")
    if item not in ITEMS:
        raise ClassError(f"Only {' or '.join(ITEMS)} can be answered in a lesson.")
    return lesson, str(item)


def checked_answer(value: object) -> list[float]:
    """An answer's numbers. ClassError unless they are 1 to 600 finite numbers of ordinary size."""
    numbers = value if isinstance(value, Sequence) and not isinstance(value, str | bytes) else ()
    if not 1 <= len(numbers) <= MOST_NUMBERS or not all(map(_is_ordinary, numbers)):
        raise ClassError(f"An answer is a list of 1 to {MOST_NUMBERS} finite numbers; predict again on the page of the lesson.")
    return [float(number) for number in numbers]


def _is_ordinary(number: object) -> bool:
    if isinstance(number, bool) or not isinstance(number, int | float):
        return False
    return abs(number) <= _LARGEST and math.isfinite(number)

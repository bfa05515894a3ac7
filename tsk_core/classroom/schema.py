"""The file and the tables of the classroom, and what comes from browsers, checked.

A person is a random id (persons.person_of), the same for a learner and a teacher. No table has a name, an address of a person who
learns, or anything that was typed in.
"""

import contextlib
import hashlib
import math
import re
import secrets
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tsk_core.errors import ClassError
from tsk_core.runs.files import TablesFile

VERSION = 1
STATEMENTS = (
    # address: of the teacher, hashed, for the quota alone. revealed: names of lessons, parted by spaces.
    "CREATE TABLE classes (code TEXT PRIMARY KEY, teacher TEXT NOT NULL, address TEXT NOT NULL, created REAL NOT NULL,"
    " used REAL NOT NULL, lesson TEXT NOT NULL DEFAULT '', step INTEGER NOT NULL DEFAULT 0, revealed TEXT NOT NULL DEFAULT '',"
    " moves INTEGER NOT NULL DEFAULT 0)",
    "CREATE INDEX classes_by_use ON classes (used)",
    "CREATE TABLE learners (code TEXT NOT NULL, person TEXT NOT NULL, seen REAL NOT NULL, PRIMARY KEY (code, person))"
    " WITHOUT ROWID",
    # code: of a class, or "" for who learns alone.
    "CREATE TABLE answers (code TEXT NOT NULL, person TEXT NOT NULL, lesson TEXT NOT NULL, item TEXT NOT NULL,"
    " value TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (code, person, lesson, item)) WITHOUT ROWID",
    "CREATE INDEX answers_by_lesson ON answers (code, lesson, item)",
    "CREATE INDEX answers_by_age ON answers (at)",
    # A browser whose person continues as another one, by a resume link.
    "CREATE TABLE continued (person TEXT PRIMARY KEY, other TEXT NOT NULL, at REAL NOT NULL)",
    "CREATE TABLE secret (only INTEGER PRIMARY KEY CHECK (only = 1), key BLOB NOT NULL)",
)


@dataclass(frozen=True)
class ClassState:
    """A class as everybody in it may know it.

    code: how people join. teacher: the person who started it. lesson, step: where the teacher moved everybody to; "" and 0
    before. moves: how often that was. revealed: lessons whose predictions everybody may see. here: learners seen within the
    last 30 seconds. answered: lesson and item -> how many learners' answers are in.
    """

    code: str
    teacher: str
    lesson: str = ""
    step: int = 0
    moves: int = 0
    revealed: frozenset[str] = frozenset()
    here: int = 0
    answered: dict[tuple[str, str], int] = field(default_factory=dict)


# What comes from browsers, checked: answers, names of lessons, codes of classes.


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


# The ids of persons.


def person_of(owner: str) -> str:
    """The id of a person, 32 hex digits: the owner's id, hashed, since who knows an owner's id can change its runs."""
    return hashlib.sha256(f"person:{owner}".encode("utf-8", "replace")).hexdigest()[:32]


# The file of the classroom, in the folder of runs.


NAME = "classroom.sqlite"


def open_tables(folder: Path) -> TablesFile:
    """``folder / NAME``, created if missing. Its use raises ClassError where it cannot be used, or a newer version wrote it."""
    with contextlib.suppress(OSError):  # SQLite says in a sentence what is wrong
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return TablesFile(folder / NAME, make=_make, check=_check, unusable=_unusable)


def _make(table: sqlite3.Connection) -> None:
    for statement in STATEMENTS:
        table.execute(statement)
    table.execute("INSERT INTO secret VALUES (1, ?)", (secrets.token_bytes(32),))
    table.execute(f"PRAGMA user_version = {VERSION}")


def _check(version: int) -> None:
    if version > VERSION:
        raise ClassError(f"{NAME} was written by a newer version of this program; update it to teach with this.")


def _unusable(error: sqlite3.Error) -> ClassError:
    return ClassError(f"The list of classes cannot be used ({error}); the administrator of this server has to check it.")

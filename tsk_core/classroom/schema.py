"""The tables of the classroom, and a class as a value.

A person is a random id (persons.person_of), the same for a learner and a teacher. No table has a name, an address of a person who
learns, or anything that was typed in.
"""

from dataclasses import dataclass, field

__all__ = ["STATEMENTS", "VERSION", "ClassState"]

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

"""Classroom: answers and classes in one database. Each change is one transaction; who may make it is checked where it is made."""

import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tsk_core import limits
from tsk_core.classroom.completion import Secret
from tsk_core.classroom.schema import NAME, ClassState, checked_answer, checked_code, checked_place, new_code, open_tables
from tsk_core.errors import ClassError, LimitError

CLASS_SECONDS = 24 * 3600  # that a class is kept after somebody used it last
ANSWER_SECONDS = 30 * 24 * 3600  # that an answer is kept
HERE_SECONDS = 30  # after which a learner who was not seen counts as gone
MOST_STEPS = 7
UNKNOWN = "There is no class with this code here; it may have ended, so ask your teacher for the code."
FOREIGN = "Only the teacher who started this class can do that."


def delete_expired(folder: Path) -> None:
    """Delete what is kept no longer in a folder of runs; nothing happens where there was never a class or an answer."""
    if (folder / NAME).exists():
        Classroom(folder).delete_expired()


class Classroom:
    """What learners answered and classes, in the folder of runs. Any thread and several processes may use it.

    folder: None takes TSK_RUNS_DIR, else ``runs``. now: the clock, in seconds since 1970. Persons are ids of
    ``persons.person_of``. Each failure is a ClassError or LimitError of one sentence.
    """

    def __init__(self, folder: Path | str | None = None, now: Callable[[], float] = time.time) -> None:
        self._database = open_tables(Path(folder or os.environ.get("TSK_RUNS_DIR") or "runs").absolute())
        self._now = now
        with self._database.transaction() as table:
            self.secret = Secret(table.execute("SELECT key FROM secret").fetchone()[0])

    # Classes.

    def start(self, teacher: str, address: str) -> str:
        """A new class; returns its code. LimitError where the teacher, or the network address, has too many."""
        with self._database.transaction(at_once=True) as table:
            self._delete_expired(table)
            address = self.secret.signature(f"address:{address}")  # with a key, since addresses are few enough to try all
            for quota, column, value in (("classes_per_owner", "teacher", teacher), ("classes_per_address", "address", address)):
                count = table.execute(f"SELECT COUNT(*) FROM classes WHERE {column} = ?", (value,)).fetchone()[0]
                if count >= limits.value(quota):
                    raise LimitError(
                        f"{'You have' if column == 'teacher' else 'Your network has'} {count} classes, as many as this server"
                        f" allows ({limits.LIMITS[quota].variable}); end one, or wait until one has not been used for a day."
                    )
            code = new_code()
            while table.execute("SELECT 1 FROM classes WHERE code = ?", (code,)).fetchone():
                code = new_code()
            row = (code, teacher, address, self._now(), self._now())
            table.execute("INSERT INTO classes (code, teacher, address, created, used) VALUES (?, ?, ?, ?, ?)", row)
        return code

    def join(self, code: str, person: str) -> str:
        """Join a class by its code as it was typed; returns the code. ClassError for an unknown one, LimitError for a full class.

        Who is in it may join again. The teacher does not count as a learner.
        """
        code = checked_code(code)
        with self._database.transaction(at_once=True) as table:
            if self._teacher(table, code) != person:
                self._add_learner(table, code, person)
        return code

    def leave(self, code: str, person: str) -> None:
        """Leave a class; the answers that were given there stay in its pictures."""
        with self._database.transaction() as table:
            table.execute("DELETE FROM learners WHERE code = ? AND person = ?", (code, person))

    def end(self, code: str, teacher: str) -> None:
        """End a class: its code and all answers that were given in it are deleted."""
        with self._database.transaction(at_once=True) as table:
            self._check_teacher(table, code, teacher)
            self._delete_classes(table, [code])

    def reveal(self, code: str, lesson: str, teacher: str, revealed: bool = True) -> None:
        """Let everybody see the outcome of a lesson and what the class predicted, or hide it again."""
        lesson, _ = checked_place(lesson, "predict")
        with self._database.transaction(at_once=True) as table:
            self._check_teacher(table, code, teacher)
            known = set(table.execute("SELECT revealed FROM classes WHERE code = ?", (code,)).fetchone()[0].split())
            known = known | {lesson} if revealed else known - {lesson}
            table.execute(
                "UPDATE classes SET revealed = ?, used = ? WHERE code = ?", (" ".join(sorted(known)), self._now(), code)
            )

    def move(self, code: str, lesson: str, step: int, teacher: str) -> None:
        """Move everybody to a screen: step 1 to 7 of a lesson."""
        lesson, _ = checked_place(lesson, "predict")
        step = min(max(int(step), 1), MOST_STEPS)
        with self._database.transaction(at_once=True) as table:
            self._check_teacher(table, code, teacher)
            change = "UPDATE classes SET lesson = ?, step = ?, moves = moves + 1, used = ? WHERE code = ?"
            table.execute(change, (lesson, step, self._now(), code))

    def state(self, code: str) -> ClassState | None:
        """The class as it is now; None where it has ended. One read, which may serve everybody who follows the class."""
        with self._database.transaction() as table:
            row = table.execute(
                "SELECT teacher, lesson, step, moves, revealed FROM classes WHERE code = ? AND used >= ?",
                (code, self._now() - CLASS_SECONDS),
            ).fetchone()
            if row is None:
                return None
            since = self._now() - HERE_SECONDS
            here = table.execute("SELECT COUNT(*) FROM learners WHERE code = ? AND seen >= ?", (code, since)).fetchone()[0]
            counts = table.execute(
                "SELECT lesson, item, COUNT(*) FROM answers WHERE code = ? AND person != ? GROUP BY lesson, item", (code, row[0])
            )
            answered = {(lesson, item): count for lesson, item, count in counts}
        teacher, lesson, step, moves, revealed = row
        return ClassState(code, teacher, lesson, step, moves, frozenset(revealed.split()), here, answered)

    def classes_of(self, teacher: str) -> list[str]:
        """The codes of the classes that a teacher started and that have not ended, the newest first."""
        query = "SELECT code FROM classes WHERE teacher = ? AND used >= ? ORDER BY created DESC, rowid DESC"
        with self._database.transaction() as table:
            return [code for (code,) in table.execute(query, (teacher, self._now() - CLASS_SECONDS))]

    def seen(self, code: str, persons: Iterable[str]) -> None:
        """These learners have the class open; those that are not in it stay out."""
        now = self._now()
        with self._database.transaction() as table:
            rows = [(now, code, person) for person in persons]
            table.executemany("UPDATE learners SET seen = ? WHERE code = ? AND person = ?", rows)
            table.execute("UPDATE classes SET used = ? WHERE code = ? AND used < ?", (now, code, now - 60))

    # Persons.

    def resume(self, person: str, token: object) -> str:
        """Let a browser's person continue as that of a resume link, for 30 days; returns it. ClassError for a forged link."""
        other = self.secret.person(token)
        with self._database.transaction(at_once=True) as table:
            self._delete_expired(table)
            count = table.execute("SELECT COUNT(*) FROM continued").fetchone()[0]
            limits.check("answers", count + 1, "Resume links in use on this server")
            table.execute("INSERT OR REPLACE INTO continued VALUES (?, ?, ?)", (person, other, self._now()))
        return other

    def stop_continuing(self, person: str) -> None:
        """Let a browser's person be itself again, whatever resume link it opened."""
        with self._database.transaction() as table:
            table.execute("DELETE FROM continued WHERE person = ?", (person,))

    def continued(self, person: str) -> str:
        """The person that a browser's person continues as; itself where it opened no resume link."""
        with self._database.transaction() as table:
            query = "SELECT other FROM continued WHERE person = ? AND at >= ?"
            row = table.execute(query, (person, self._now() - ANSWER_SECONDS)).fetchone()
        return person if row is None else row[0]

    # Answers.

    def lock(self, code: str, person: str, lesson: str, item: str, value: object) -> list[float]:
        """Keep an answer; returns the one that counts, which is the first. code: of a class that was joined, or "".

        Who answers in a class keeps a copy without it, for after the class has ended. ClassError for a value that is no answer,
        or a class that the person is not in; LimitError where there is no room.
        """
        lesson, item = checked_place(lesson, item)
        text = json.dumps(checked_answer(value), separators=(",", ":"))
        with self._database.transaction(at_once=True) as table:
            if code and self._teacher(table, code) != person and not self._is_in(table, code, person):
                raise ClassError(UNKNOWN)
            if self._get(table, code, person, lesson, item) is None:
                self._make_room(table)
                rows = [(where, person, lesson, item, text, self._now()) for where in dict.fromkeys((code, ""))]
                table.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)", rows)
            kept = self._get(table, code, person, lesson, item)
        assert kept is not None
        return kept

    def get(self, code: str, person: str, lesson: str, item: str) -> list[float] | None:
        """What a person locked; None before, and once it has expired."""
        with self._database.transaction() as table:
            return self._get(table, code, person, lesson, item)

    def forget(self, person: str, lesson: str) -> None:
        """Delete what a person answered in a lesson without a class."""
        with self._database.transaction() as table:
            table.execute("DELETE FROM answers WHERE code = '' AND person = ? AND lesson = ?", (person, lesson))

    def kept_of(self, person: str) -> tuple[int, int]:
        """How many answers of a person are kept, and how many classes that they started."""
        given, used = self._oldest()
        counts = (
            "SELECT (SELECT COUNT(*) FROM answers WHERE person = ? AND at >= ?),"
            " (SELECT COUNT(*) FROM classes WHERE teacher = ? AND used >= ?)"
        )
        with self._database.transaction() as table:
            answers, classes = table.execute(counts, (person, given, person, used)).fetchone()
        return answers, classes

    def forget_person(self, person: str) -> None:
        """Delete all answers of a person, in classes too, the classes that they started, and their resume link."""
        with self._database.transaction(at_once=True) as table:
            started = [code for (code,) in table.execute("SELECT code FROM classes WHERE teacher = ?", (person,))]
            self._delete_classes(table, started)
            for name in ("answers", "learners", "continued"):
                table.execute(f"DELETE FROM {name} WHERE person = ?", (person,))

    def of_class(self, code: str, lesson: str, item: str, person: str) -> list[list[float]]:
        """The answers of a class without names, in an order that tells nothing: for its teacher at once.

        Learners have them after the reveal and once they have answered themselves; anybody else never: an empty list.
        """
        lesson, item = checked_place(lesson, item)
        with self._database.transaction() as table:
            row = table.execute("SELECT teacher, revealed FROM classes WHERE code = ?", (code,)).fetchone()
            if row is None:
                return []
            if row[0] != person and (
                lesson not in row[1].split()
                or not self._is_in(table, code, person)
                or self._get(table, code, person, lesson, item) is None
            ):
                return []
            rows = table.execute(
                "SELECT value FROM answers WHERE code = ? AND lesson = ? AND item = ? AND person != ?"
                " ORDER BY value", (code, lesson, item, row[0]),
            ).fetchall()  # fmt: skip
        return [json.loads(text) for (text,) in rows]

    def delete_expired(self) -> None:
        """Delete classes that nobody used for a day, with their answers, and answers of 30 days ago."""
        with self._database.transaction(at_once=True) as table:
            self._delete_expired(table)

    # Inside a transaction.

    def _teacher(self, table: sqlite3.Connection, code: str) -> str:
        query = "SELECT teacher FROM classes WHERE code = ? AND used >= ?"
        row = table.execute(query, (code, self._now() - CLASS_SECONDS)).fetchone()
        if row is None:
            raise ClassError(UNKNOWN)
        teacher: str = row[0]
        return teacher

    def _check_teacher(self, table: sqlite3.Connection, code: str, teacher: str) -> None:
        if self._teacher(table, code) != teacher:
            raise ClassError(FOREIGN)

    @staticmethod
    def _is_in(table: sqlite3.Connection, code: str, person: str) -> bool:
        return table.execute("SELECT 1 FROM learners WHERE code = ? AND person = ?", (code, person)).fetchone() is not None

    def _add_learner(self, table: sqlite3.Connection, code: str, person: str) -> None:
        if not self._is_in(table, code, person):
            count = table.execute("SELECT COUNT(*) FROM learners WHERE code = ?", (code,)).fetchone()[0]
            if count >= limits.value("learners_per_class"):
                raise LimitError(f"This class is full: {count:,} learners are in it; ask your teacher to start another.")
        table.execute("INSERT OR REPLACE INTO learners VALUES (?, ?, ?)", (code, person, self._now()))
        table.execute("UPDATE classes SET used = ? WHERE code = ?", (self._now(), code))

    def _get(self, table: sqlite3.Connection, code: str, person: str, lesson: str, item: str) -> list[float] | None:
        query = "SELECT value FROM answers WHERE code = ? AND person = ? AND lesson = ? AND item = ? AND at >= ?"
        row = table.execute(query, (code, person, lesson, item, self._oldest()[0])).fetchone()
        return None if row is None else json.loads(row[0])

    def _make_room(self, table: sqlite3.Connection) -> None:
        """For one more answer: expired ones go, then the oldest of those who learn alone. LimitError where that is not enough."""
        most, count = limits.value("answers"), "SELECT COUNT(*) FROM answers"
        if table.execute(count).fetchone()[0] < most:
            return
        self._delete_expired(table)
        over = table.execute(count).fetchone()[0] - most + 1 + most // 100
        table.execute(
            "DELETE FROM answers WHERE (code, person, lesson, item) IN"
            " (SELECT code, person, lesson, item FROM answers WHERE code = '' ORDER BY at LIMIT ?)", (max(over, 0),),
        )  # fmt: skip
        limits.check("answers", table.execute(count).fetchone()[0] + 1, "Answers kept on this server")

    def _oldest(self) -> tuple[float, float]:
        """When an answer that still counts was given at the earliest, and a class that still exists was used."""
        return self._now() - ANSWER_SECONDS, self._now() - CLASS_SECONDS

    def _delete_expired(self, table: sqlite3.Connection) -> None:
        old, unused = self._oldest()
        gone = [code for (code,) in table.execute("SELECT code FROM classes WHERE used < ?", (unused,))]
        self._delete_classes(table, gone)
        for name in ("answers", "continued"):
            table.execute(f"DELETE FROM {name} WHERE at < ?", (old,))

    @staticmethod
    def _delete_classes(table: sqlite3.Connection, codes: list[str]) -> None:
        for name in ("classes", "learners", "answers"):
            table.executemany(f"DELETE FROM {name} WHERE code = ?", [(code,) for code in codes])


# The answers of a class as one picture without names: counts of options, medians with a band, shares of cells.


BAND = (10, 90)  # percentiles of the band around a median


@dataclass(frozen=True)
class Summary:
    """n: how many answers count. counts: of each option. median, low, high: of each bar or point. share: of answers by cell."""

    n: int
    counts: tuple[int, ...] = ()
    median: tuple[float, ...] = ()
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    share: tuple[float, ...] = ()


def summary(kind: str, values: Sequence[Sequence[float]], size: int, low: float = 0.0, high: float = 1.0) -> Summary:
    """kind: as of ``Prediction``. size: how many numbers an answer has; of a choice, how many options there are.

    Answers that do not fit are left out; numbers outside of low to high count as the nearest end.
    """
    if kind == "choice":
        chosen = [int(value[0]) for value in values if len(value) == 1 and value[0] in range(size)]
        return Summary(len(chosen), counts=tuple(chosen.count(option) for option in range(size)))
    fitting = [value for value in values if len(value) == size]
    if not fitting:
        return Summary(0)
    table = np.clip(np.asarray(fitting, float), low, high)  # (answers, numbers)
    if kind == "region":
        return Summary(len(table), share=tuple((table >= 0.5).mean(axis=0).tolist()))
    bottom, middle, top = np.percentile(table, (BAND[0], 50, BAND[1]), axis=0).tolist()
    return Summary(len(table), median=tuple(middle), low=tuple(bottom), high=tuple(top))

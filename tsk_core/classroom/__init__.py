"""What learners answered, and classes that answer together: kept on the server, under random ids, for a limited time.

schema.py      the tables, and a class as a value
values.py      answers, lessons and codes, checked
persons.py     the ids of persons
database.py    the file: SQLite in the folder of runs
store.py       Classroom: what may be done, and by whom
secret.py      resume tokens and signatures of completions
completion.py  the file that a learner hands in
summary.py     the answers of a class as one picture
"""

from tsk_core.classroom.completion import Completion, Secret, read_completion
from tsk_core.classroom.schema import ClassState, person_of
from tsk_core.classroom.store import ANSWER_SECONDS, BAND, Classroom, Summary, delete_expired, summary

__all__ = [
    "ANSWER_SECONDS", "BAND", "ClassState", "Classroom", "Completion", "Secret", "Summary", "delete_expired", "person_of",
    "read_completion", "summary",
]  # fmt: skip

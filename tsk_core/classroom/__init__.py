"""What learners answered, and classes that answer together: kept on the server, under random ids, for a limited time."""

from tsk_core.classroom.completion import Completion, Secret, read_completion
from tsk_core.classroom.schema import ClassState, person_of
from tsk_core.classroom.store import ANSWER_SECONDS, BAND, Classroom, Summary, delete_expired, summary

__all__ = [
    "ANSWER_SECONDS", "BAND", "ClassState", "Classroom", "Completion", "Secret", "Summary", "delete_expired", "person_of",
    "read_completion", "summary",
]  # fmt: skip

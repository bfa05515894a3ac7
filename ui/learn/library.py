"""The lessons of this server, read again where a file of theirs changed."""

from tsk_core.lessons import Lesson, lessons
from ui.platform.caches import once_per_server
from ui.platform.lesson_files import Versions, lesson_files

__all__ = ["known_lessons"]


def known_lessons() -> tuple[dict[str, Lesson], list[str]]:
    """The lessons by name, and a sentence for each file that is none."""
    return _read(*lesson_files())


@once_per_server(entries=2)
def _read(folder: str, versions: Versions) -> tuple[dict[str, Lesson], list[str]]:
    """Read them. versions: of their files; not used, but others make the lessons others."""
    return lessons(folder or None)

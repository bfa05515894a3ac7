"""What this visitor predicted and answered, and what a class did. It lies on the server, under a random id (membership.py)."""

from tsk_core.errors import TSKError
from ui.learn import membership

OUTCOME = 4  # the first step that shows what happens


def get(lesson: str, item: str) -> list[float] | None:
    """What was locked for an item, "predict" or "see"; None before. In a class, what was locked there."""
    return membership.classroom().get(membership.code(), membership.person(), lesson, item)


def lock(lesson: str, item: str, value: list[float]) -> None:
    """Keep an answer. The first one is final. In a callback: why it could not be kept is noted for the panel."""
    code = membership.code()
    try:
        membership.classroom().lock(code, membership.person(), lesson, item, value)
    except TSKError as error:
        membership.note(str(error))
    membership.look_again(code)


def forget(lesson: str) -> None:
    """Let the visitor predict again; does nothing in a class."""
    if not membership.code():
        membership.classroom().forget(membership.person(), lesson)


def may_see(lesson: str, step: int) -> bool:
    """Whether a screen may be shown: not those of the outcome while a class waits for its teacher."""
    state = membership.state() if membership.code() else None
    return step < OUTCOME or state is None or membership.teaches() or lesson in state.revealed


def of_class(lesson: str, item: str) -> list[list[float]]:
    """The answers of the class that was joined, without names; empty before the reveal, but for its teacher."""
    code = membership.code()
    return membership.classroom().of_class(code, lesson, item, membership.person()) if code else []

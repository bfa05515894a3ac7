"""Who this visitor is among learners and teachers, the class that is joined, and what was predicted and answered.

All sessions of a process share one look at each class within ``FRESH`` seconds, so that thirty students who follow their class
cost as much as one. Who follows is noted in the same breath, so that the teacher knows how many are here.
"""

import threading
import time
from pathlib import Path

import streamlit as st

from tsk_core.classroom import Classroom, ClassState, person_of
from tsk_core.errors import TSKError
from ui.platform.engine import get_engine
from ui.platform.session import Key
from ui.platform.visitor import owner

CLASS_PERSON = Key[str]("class_person")  # the id of this visitor among learners and teachers
CLASS_CODE = Key[str]("class_code", "")  # of the class that was joined, or that this visitor teaches
CLASS_LINK = Key[tuple[str, str]]("class_link", ("", ""))  # class and resume token of the link, as they were last taken over
CLASS_RESUME = Key[str]("class_resume", "")  # token of a resume link that has to be confirmed
CLASS_NOTE = Key[tuple[str, float]]("class_note", ("", 0.0))  # why something about a class did not work, and when
CLASS_MOVES = Key[int]("class_moves", 0)  # number of the teacher's last move that this visitor followed


CLASS, RESUME = "class", "resume"  # keys in links
FRESH = 0.1
PRESENCE = 10.0  # seconds between two notes of who is here
NOTE_SECONDS = 15.0
ENDED = "The class {} has ended. Your own answers are kept."

_lock = threading.Lock()
_classrooms: dict[Path, Classroom] = {}
_looks: dict[str, tuple[float, ClassState | None]] = {}  # code -> when somebody looked, and what it was
_followers: dict[str, dict[str, None]] = {}  # code -> who followed since the last note
_noted: dict[str, float] = {}  # code -> when followers were last noted


def classroom() -> Classroom:
    """The classroom of this server."""
    folder = get_engine().store.folder
    with _lock:
        if folder not in _classrooms:
            _classrooms.clear()  # tests change the folder; a server has one
            _looks.clear()
            _classrooms[folder] = Classroom(folder)
        return _classrooms[folder]


def person() -> str:
    """The id of this visitor: of the browser, or of the one where a resume link was made."""
    if not CLASS_PERSON.is_set():
        CLASS_PERSON.set(classroom().continued(person_of(owner())))
    _take_link()
    return CLASS_PERSON.get()


def own_person() -> str:
    """The id of this browser itself, which it has again from now on: who starts a class does not do so as somebody else."""
    own = person_of(owner())
    if CLASS_PERSON.get() != own:
        classroom().stop_continuing(own)
        CLASS_PERSON.set(own)
    return own


def answer_resume_link(yes: bool) -> None:
    """Continue as the person of the resume link that was opened, or stay; a callback."""
    token = CLASS_RESUME.pop()
    if yes and token:
        _resume(token)


def class_code() -> str:
    """The code of the class that is joined or taught; "" without one, and once it has ended."""
    _take_link()
    known = CLASS_CODE.get()
    if known and class_state() is None:
        leave()
        note_failure(ENDED.format(known))
    return CLASS_CODE.get()


def join(typed: str) -> None:
    """Join the class with this code, or note why not; a callback, or before the page is drawn."""
    try:
        joined = classroom().join(typed, person())
    except TSKError as error:
        note_failure(str(error))
        st.query_params.pop(CLASS, None)
        return
    CLASS_NOTE.pop()  # such as that no class has the code before
    CLASS_CODE.set(joined)
    CLASS_MOVES.set(0)  # who comes late goes to where the class is
    CLASS_LINK.set((joined, CLASS_LINK.get()[1]))
    st.query_params[CLASS] = joined
    look_again(joined)


def leave() -> None:
    """Learn alone again; a class that this visitor teaches goes on."""
    known = CLASS_CODE.get()
    if known:
        classroom().leave(known, CLASS_PERSON.get() or person_of(owner()))
    CLASS_CODE.set("")
    CLASS_LINK.set(("", CLASS_LINK.get()[1]))
    st.query_params.pop(CLASS, None)


def class_state() -> ClassState | None:
    """The joined class as it was at most ``FRESH`` seconds ago; None without one."""
    known = CLASS_CODE.get()
    return look(known, CLASS_PERSON.get()) if known else None


def teaches() -> bool:
    """Whether this visitor started the class that is joined."""
    now = class_state()
    return now is not None and now.teacher == CLASS_PERSON.get()


def note_failure(sentence: str) -> None:
    """Say this above the page for a while."""
    CLASS_NOTE.set((sentence, time.monotonic()))


def noted() -> str:
    """What is to be said above the page; "" for nothing. Not only once: a chart that ends draws the page again at any moment."""
    sentence, when = CLASS_NOTE.get()
    return sentence if time.monotonic() - when < NOTE_SECONDS else ""


def look_again(known: str) -> None:
    """Forget what was seen of a class, since it was changed just now."""
    with _lock:
        _looks.pop(known, None)


def look(known: str, who: str) -> ClassState | None:
    """The class as it was at most ``FRESH`` seconds ago, where this person is noted to be here."""
    rooms = classroom()
    with _lock:
        _followers.setdefault(known, {})[who] = None
        now, (when, seen) = time.monotonic(), _looks.get(known, (-FRESH, None))
        if now - when < FRESH and known in _looks:
            return seen
        if now - _noted.get(known, -PRESENCE) >= PRESENCE:
            _noted[known] = now
            rooms.seen(known, _followers.pop(known, {}))
        seen = rooms.state(known)
        _looks[known] = (now, seen)
        if seen is None:
            for kept in (_followers, _noted, _looks):
                kept.pop(known, None)
        return seen


def _resume(token: str) -> None:
    try:
        CLASS_PERSON.set(classroom().resume(person_of(owner()), token))
    except TSKError as error:
        note_failure(str(error))


def _is_of(known: str, token: str) -> bool:
    """Whether a resume link leads to this person, or to nobody, which ``_resume`` says."""
    try:
        return classroom().secret.person(token) == known
    except TSKError:
        return True


def _take_link() -> None:
    """Take over ``resume`` and ``class`` of the link, each once. The token leaves the address, so that nobody passes it on."""
    linked = st.query_params.get(CLASS, ""), st.query_params.get(RESUME, "")
    if linked == CLASS_LINK.get() or not any(linked):
        return
    CLASS_LINK.set(linked)
    if linked[1]:
        st.query_params.pop(RESUME, None)
        CLASS_LINK.set((linked[0], ""))
        known = CLASS_PERSON.get()
        if any(classroom().kept_of(known)) and not _is_of(known, linked[1]):
            CLASS_RESUME.set(linked[1])  # the page asks: a link must not replace somebody unnoticed
        else:
            _resume(linked[1])
    if linked[0] and linked[0] != CLASS_CODE.get():
        join(linked[0])


# What this visitor predicted and answered, and what a class did. It lies on the server, under a random id (membership.py).


OUTCOME = 4  # the first step that shows what happens


def answer_of(lesson: str, item: str) -> list[float] | None:
    """What was locked for an item, "predict" or "see"; None before. In a class, what was locked there."""
    return classroom().get(class_code(), person(), lesson, item)


def lock_answer(lesson: str, item: str, value: list[float]) -> None:
    """Keep an answer. The first one is final. In a callback: why it could not be kept is noted for the panel."""
    code = class_code()
    try:
        classroom().lock(code, person(), lesson, item, value)
    except TSKError as error:
        note_failure(str(error))
    look_again(code)


def forget_answers(lesson: str) -> None:
    """Let the visitor predict again; does nothing in a class."""
    if not class_code():
        classroom().forget(person(), lesson)


def may_see(lesson: str, step: int) -> bool:
    """Whether a screen may be shown: not those of the outcome while a class waits for its teacher."""
    state = class_state() if class_code() else None
    return step < OUTCOME or state is None or teaches() or lesson in state.revealed


def answers_of_class(lesson: str, item: str) -> list[list[float]]:
    """The answers of the class that was joined, without names; empty before the reveal, but for its teacher."""
    code = class_code()
    return classroom().of_class(code, lesson, item, person()) if code else []

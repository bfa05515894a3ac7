"""The classroom: against a plain model of it, with several processes, with hostile values, and with a clock."""

import multiprocessing
import sqlite3
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.classroom import Classroom
from tsk_core.classroom.schema import LETTERS, checked_answer, checked_code, new_code, person_of
from tsk_core.errors import ClassError, LimitError

TEACHER, ANN, BEN, STRANGER = (person_of(name) for name in ("teacher", "ann", "ben", "stranger"))
DAY = 24 * 3600


class Clock:
    """A clock that stands still until it is set."""

    seconds = 1e9

    def __call__(self):
        return self.seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def classroom(tmp_path, clock):
    return Classroom(tmp_path, clock)


@pytest.fixture
def code(classroom):
    """A class with Ann and Ben."""
    code = classroom.start(TEACHER, "10.0.0.1")
    for learner in (ANN, BEN):
        classroom.join(code, learner)
    return code


def test_the_teachers_own_answer_is_not_counted_and_learners_are_here_for_half_a_minute(classroom, code, clock):
    classroom.join(code, TEACHER)
    classroom.lock(code, TEACHER, "ur", "predict", [7])
    classroom.lock(code, ANN, "ur", "predict", [1])
    state = classroom.state(code)
    assert (state.here, state.answered) == (2, {("ur", "predict"): 1})
    assert classroom.of_class(code, "ur", "predict", TEACHER) == [[1]]
    clock.seconds += 31
    assert classroom.state(code).here == 0
    classroom.seen(code, [ANN, STRANGER])
    assert classroom.state(code).here == 1


def test_only_its_teacher_moves_reveals_or_ends_a_class(classroom, code):
    for change in (
        lambda person: classroom.reveal(code, "ur", person), lambda person: classroom.move(code, "ur", 3, person),
        lambda person: classroom.end(code, person),
    ):  # fmt: skip
        with pytest.raises(ClassError, match="Only the teacher"):
            change(ANN)
    classroom.move(code, "ur", 99, TEACHER)
    state = classroom.state(code)
    assert (state.lesson, state.step, state.moves, state.revealed) == ("ur", 7, 1, frozenset())
    classroom.end(code, TEACHER)
    assert classroom.state(code) is None


def test_a_browser_continues_as_another_for_thirty_days(classroom, clock):
    assert classroom.continued(BEN) == BEN
    assert classroom.resume(BEN, classroom.secret.token(ANN)) == ANN
    assert classroom.continued(BEN) == ANN
    with pytest.raises(ClassError, match="resume link"):
        classroom.resume(BEN, "0" * 64)
    clock.seconds += 30 * DAY + 1
    assert classroom.continued(BEN) == BEN


def test_who_is_not_in_a_class_cannot_answer_there_and_what_was_answered_goes_with_it(classroom, code):
    with pytest.raises(ClassError):
        classroom.lock(code, STRANGER, "ur", "predict", [1])
    classroom.lock(code, BEN, "ur", "predict", [1])
    classroom.leave(code, ANN)
    with pytest.raises(ClassError):
        classroom.lock(code, ANN, "ur", "predict", [1])
    classroom.end(code, TEACHER)
    assert classroom.get(code, BEN, "ur", "predict") is None
    with pytest.raises(ClassError, match="no class with this code"):
        classroom.lock(code, BEN, "ur", "predict", [1])


def test_a_class_ends_a_day_after_its_last_use_and_answers_after_thirty_days(classroom, code, clock):
    classroom.lock(code, ANN, "ur", "predict", [1])
    clock.seconds += DAY - 1
    classroom.seen(code, [ANN])
    clock.seconds += DAY - 1
    assert classroom.state(code) is not None
    clock.seconds += DAY
    assert classroom.state(code) is None
    assert classroom.classes_of(TEACHER) == []
    classroom.delete_expired()
    assert classroom.get(code, ANN, "ur", "predict") is None
    assert classroom.get("", ANN, "ur", "predict") == [1]  # the learner's own copy
    assert classroom.kept_of(ANN) == (1, 0)
    clock.seconds += 30 * DAY
    assert classroom.get("", ANN, "ur", "predict") is None and classroom.kept_of(ANN) == (0, 0)
    assert classroom.lock("", ANN, "ur", "predict", [0]) == [0]


def test_quotas_hold_at_their_edges(classroom, code, monkeypatch, clock):
    monkeypatch.setenv("TSK_MAX_LEARNERS_PER_CLASS", "2")
    classroom.join(code, ANN)  # again
    with pytest.raises(LimitError, match="full"):
        classroom.join(code, person_of("cid"))
    monkeypatch.setenv("TSK_MAX_CLASSES_PER_OWNER", "1")
    with pytest.raises(LimitError, match="You have 1"):
        classroom.start(TEACHER, "10.0.0.2")
    monkeypatch.setenv("TSK_MAX_CLASSES_PER_ADDRESS", "1")
    with pytest.raises(LimitError, match="Your network has 1"):
        classroom.start(ANN, "10.0.0.1")
    clock.seconds += DAY + 1
    assert classroom.start(TEACHER, "10.0.0.1") != code


def test_where_answers_are_too_many_the_oldest_without_a_class_go(classroom, code, monkeypatch, clock):
    classroom.lock(code, ANN, "ur", "predict", [1])
    classroom.forget(ANN, "ur")
    monkeypatch.setenv("TSK_MAX_ANSWERS", "3")
    for lesson in ("a", "b", "c"):
        clock.seconds += 1
        classroom.lock("", ANN, lesson, "predict", [1])
    assert [classroom.get("", ANN, lesson, "predict") for lesson in ("a", "b", "c")] == [None, [1], [1]]
    assert classroom.get(code, ANN, "ur", "predict") == [1]
    monkeypatch.setenv("TSK_MAX_ANSWERS", "1")
    with pytest.raises(LimitError, match="TSK_MAX_ANSWERS"):
        classroom.lock(code, BEN, "ur", "predict", [1])


@pytest.mark.parametrize(
    "typed",
    ["", "ABCD", "ABCDEF", "AB0CD", "ABICD", "'; --", "ÄBCDE", "A" * 10**6, "\x00\x00\x00\x00\x00", None, 5, "../..", "%25%25"],
)
def test_what_can_be_no_code_is_refused_in_a_sentence(classroom, typed):
    with pytest.raises(ClassError, match=r"five letters or digits, such as AB3CD"):
        classroom.join(typed, ANN)


def test_a_code_is_read_as_people_type_it_and_has_no_letters_that_look_alike(classroom, code):
    assert classroom.join(f" {code[:2].lower()}-{code[2:].lower()} ", ANN) == code
    with pytest.raises(ClassError, match="no class"):
        classroom.join("22222" if code != "22222" else "33333", ANN)
    codes = {new_code() for _ in range(300)}
    assert len(codes) > 290
    assert set("".join(codes)) <= set(LETTERS)
    assert not set(LETTERS) & set("IO01")
    assert all(checked_code(code) == code for code in codes)


@pytest.mark.parametrize(
    "value",
    [
        None, [], "123", b"12", {"value": [1]}, [None], ["1"], [True], [[1]], [float("nan")], [float("inf")], [1e300], [10**400],
        [0] * 601, 5, {1, 2},
    ],
)  # fmt: skip
def test_what_is_no_answer_is_refused_in_a_sentence(classroom, value):
    with pytest.raises(ClassError, match="1 to 600 finite numbers"):
        classroom.lock("", ANN, "ur", "predict", value)
    assert classroom.get("", ANN, "ur", "predict") is None


@pytest.mark.parametrize(
    "place", [("", "see"), ("UR", "see"), ("a b", "see"), ("ur", "x"), ("ur", None), (None, "see"), ("a" * 32, "see")]
)
def test_answers_are_of_lessons_and_their_items(classroom, place):
    with pytest.raises(ClassError):
        classroom.lock("", ANN, *place, [1])


@given(st.lists(st.floats(-1e12, 1e12) | st.integers(-(10**12), 10**12), min_size=1, max_size=600))
def test_any_ordinary_numbers_are_an_answer(value):
    assert checked_answer(value) == value


ACTIONS = st.tuples(
    st.sampled_from(["lock", "lock", "lock", "forget", "reveal", "hide", "leave", "join", "join"]), st.sampled_from([ANN, BEN]),
    st.sampled_from(["ur", "bn"]), st.integers(0, 3), st.booleans(),
)  # fmt: skip


@given(st.lists(ACTIONS, min_size=10, max_size=30))
def test_any_sequence_of_actions_leaves_what_a_plain_model_has(tmp_path_factory, actions):
    classroom = Classroom(tmp_path_factory.mktemp("class"), Clock())
    code = classroom.start(TEACHER, "here")
    answers, joined, revealed = {}, set(), set()
    for action, person, lesson, number, in_class in actions:
        where = code if in_class and person in joined else ""
        if action == "lock":
            classroom.lock(where, person, lesson, "predict", [number])
            if (where, person, lesson) not in answers:
                answers[where, person, lesson] = answers["", person, lesson] = [float(number)]
        elif action == "forget":
            classroom.forget(person, lesson)
            answers.pop(("", person, lesson), None)
        elif action in ("reveal", "hide"):
            classroom.reveal(code, lesson, TEACHER, action == "reveal")
            (revealed.add if action == "reveal" else revealed.discard)(lesson)
        else:
            getattr(classroom, action)(code, person)
            (joined.add if action == "join" else joined.discard)(person)
    for lesson in ("ur", "bn"):
        everybody = sorted(value for (where, _, of), value in answers.items() if (where, of) == (code, lesson))
        assert sorted(classroom.of_class(code, lesson, "predict", TEACHER)) == everybody
        for person in (ANN, BEN, STRANGER):
            may = lesson in revealed and person in joined and (code, person, lesson) in answers
            assert sorted(classroom.of_class(code, lesson, "predict", person)) == (everybody if may else [])
            for where in ("", code):
                assert classroom.get(where, person, lesson, "predict") == answers.get((where, person, lesson))


def _write(folder, code, name, count):
    classroom = Classroom(folder)
    person = person_of(name)
    classroom.join(code, person)
    for k in range(count):
        classroom.lock(code, person, f"l{k}", "predict", [k])
        classroom.lock(code, person_of("ann"), f"l{k}", "predict", [hash(name) % 7])


def test_several_processes_write_at_once_and_nothing_is_lost(tmp_path):
    classroom = Classroom(tmp_path)
    code = classroom.start(TEACHER, "here")
    classroom.join(code, ANN)
    spawn = multiprocessing.get_context("spawn")
    with spawn.Pool(3) as pool:
        pool.starmap(_write, [(tmp_path, code, f"writer {k}", 20) for k in range(3)])
    state = Classroom(tmp_path).state(code)
    assert state.answered == {(f"l{k}", "predict"): 4 for k in range(20)}  # one each, and one of Ann's, whoever was first


def test_nobody_else_of_the_machine_can_read_it_and_no_owner_and_no_address_is_kept(classroom, code, tmp_path):
    files = [path for path in tmp_path.iterdir() if path.name.startswith("classroom")]
    assert {path.name for path in files} >= {"classroom.sqlite", "classroom.sqlite-wal"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    code = classroom.start(person_of("the owner's id"), "192.0.2.77")
    classroom.join(code, person_of("another owner's id"))
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert code.encode() in content
    assert not any(text in content for text in (b"owner's id", b"192.0.2.77"))


def test_a_newer_or_a_broken_file_gives_a_sentence(tmp_path):
    Classroom(tmp_path)
    with sqlite3.connect(tmp_path / "classroom.sqlite") as table:
        table.execute("PRAGMA user_version = 99")
    table.close()
    with pytest.raises(ClassError, match="newer version"):
        Classroom(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    (other / "classroom.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(ClassError, match="cannot be used"):
        Classroom(other)


def test_a_person_is_forgotten_whole_and_nobody_else(classroom, code):
    classroom.join(code, ANN)
    classroom.join(code, BEN)
    for person in (ANN, BEN):
        classroom.lock(code, person, "one", "predict", [1.0, 2.0])
    own = classroom.start(ANN, "10.0.0.1")
    assert classroom.kept_of(ANN) == (2, 1) and classroom.kept_of(BEN) == (2, 0)
    classroom.forget_person(ANN)
    assert classroom.kept_of(ANN) == (0, 0) and classroom.kept_of(BEN) == (2, 0)
    assert classroom.state(own) is None and classroom.state(code) is not None
    assert classroom.get(code, ANN, "one", "predict") is None and classroom.get(code, BEN, "one", "predict") == [1.0, 2.0]

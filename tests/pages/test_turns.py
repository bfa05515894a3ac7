"""Pages are drawn one at a time, but none waits for one that waits itself."""

import threading

import pytest

from ui import turns


def in_a_thread(work):
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_one_page_is_drawn_after_another():
    inside, most = [], []

    def draw():
        for _ in range(50):
            with turns.turn():
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    for thread in [in_a_thread(draw) for _ in range(8)]:
        thread.join()
    assert len(most) == 400 and max(most) == 1


def test_a_page_that_waits_lets_others_go():
    drawn = threading.Event()

    def other():
        with turns.turn():
            drawn.set()

    with turns.turn():
        with turns.others_first():
            in_a_thread(other).join()
        assert drawn.is_set()
        drawn.clear()
        late = in_a_thread(other)
        assert not drawn.wait(0.2)  # it is this page's turn again
    late.join()
    assert drawn.is_set()


def test_nobody_waits_for_ever(monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 0.05)
    drawn = []

    def other():
        with turns.turn():
            drawn.append(1)

    with turns.turn():
        in_a_thread(other).join()
    assert drawn
    with pytest.raises(KeyError), turns.turn():
        raise KeyError
    monkeypatch.setattr(turns, "PATIENCE", 30.0)
    with turns.turn(), turns.others_first(), turns.others_first():
        in_a_thread(other).join(10)
    assert len(drawn) == 2


def test_without_a_turn_nothing_is_given_back():
    with turns.others_first():
        pass
    with turns.turn(), turns.others_first():
        pass

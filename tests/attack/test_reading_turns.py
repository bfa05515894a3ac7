"""Forty hostile tabs upload files that take long to read, and somebody else uploads one. Turns are counted, not seconds."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.data import ReadOptions
from tsk_core.errors import LimitError
from ui.data import source
from ui.platform import turns
from ui.platform.turns import ReadingTurns, reading_turn

HOSTILE, ELSEWHERE = "192.0.2.1", "198.51.100.7"
TABS = 40


def turns_until(turns, asked, mine):
    """How many files end before this one has a reader. asked: the files asked for before, in any state."""
    ended = 0
    while not mine.turn.is_set():
        reading = next(one for one in asked if one.turn.is_set())
        turns.leave(reading)
        asked.remove(reading)
        ended += 1
    return ended


@pytest.mark.parametrize("cookies", [1, TABS])
def test_forty_tabs_of_one_address_leave_a_reader_to_another(cookies):
    turns = ReadingTurns()
    asked = [turns.ask(f"cookie {tab % cookies}", HOSTILE) for tab in range(TABS)]
    assert sum(one.turn.is_set() for one in asked) == 1
    assert turns_until(turns, asked, turns.ask("honest", ELSEWHERE)) == 0


def test_forty_tabs_of_many_addresses_delay_another_by_one_file():
    turns = ReadingTurns()
    asked = [turns.ask("hostile", f"192.0.2.{tab % 10}") for tab in range(TABS)]
    for _ in range(12):  # each address has had a turn
        ended = next(one for one in asked if one.turn.is_set())
        turns.leave(ended)
        asked.remove(ended)
    assert turns_until(turns, asked, turns.ask("honest", ELSEWHERE)) <= 1


def test_the_visitors_of_one_address_take_turns():
    turns = ReadingTurns()
    asked = [turns.ask("hostile", HOSTILE) for _ in range(TABS)]
    assert turns_until(turns, asked, turns.ask("in the same room", HOSTILE)) == 1


def test_a_tab_that_gives_up_is_passed_over():
    turns = ReadingTurns(readers=1)
    first, second, third = (turns.ask("a", address) for address in (HOSTILE, HOSTILE, ELSEWHERE))
    turns.leave(third)
    turns.leave(first)
    assert second.turn.is_set() and not third.turn.is_set()
    turns.leave(second)
    assert turns.ask("b", HOSTILE).turn.is_set()


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.booleans()), max_size=60))
def test_an_address_never_has_more_than_its_share_and_no_reader_idles(moves):
    turns, asked = ReadingTurns(), []
    for visitor, address, leaves in moves:
        if leaves and asked:
            turns.leave(asked.pop(visitor % len(asked)))
        else:
            asked.append(turns.ask(str(visitor), str(address)))
        reading = [one.address for one in asked if one.turn.is_set()]
        assert len(reading) == len(set(reading)) == min(2, len({one.address for one in asked}))


def test_an_uploaded_file_is_read_in_its_turn_and_one_that_waits_in_vain_is_told(monkeypatch):
    monkeypatch.setattr(turns, "READING_PATIENCE", 0.01)
    monkeypatch.setattr(source, "address", lambda: HOSTILE)
    content = b"a,b,c\n1,2,x\n3,4,y\n"
    assert source._read(content, "own.csv", ReadOptions()).frame.shape == (2, 3)
    with reading_turn("hostile", HOSTILE):
        assert "reading many files at the moment" in source._read(content, "own.csv", ReadOptions())
        monkeypatch.setattr(source, "address", lambda: ELSEWHERE)
        assert source._read(content, "own.csv", ReadOptions()).frame.shape == (2, 3)


def test_threads_get_their_turns_and_leave_no_reader_taken():
    done = []

    def read(number):
        with reading_turn(str(number % 7), str(number % 5)):
            done.append(number)
        if number % 3 == 0:
            with pytest.raises(LimitError), reading_turn(str(number), "9"):
                raise LimitError("this file is too large")

    threads = [threading.Thread(target=read, args=(number,)) for number in range(TABS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == list(range(TABS))
    with reading_turn("a", "1"), reading_turn("b", "2"):
        pass

"""Pages are drawn one at a time, but none waits for one that waits itself."""

import threading

import numpy as np
import pandas as pd
import pytest

from tests.waiting import wait_until
from ui.platform import memory, turns
from ui.platform.caches import once_per_server
from ui.runs.run_view import SharedRun


def in_a_thread(work, *args):
    thread = threading.Thread(target=work, args=args)
    thread.start()
    return thread


def draw(drawn, visitor="", place=""):
    """Draw a page, and note whose."""
    with turns.page_lock(visitor, place):
        drawn.append(visitor)


def test_one_page_is_drawn_after_another():
    inside, most = [], []

    def draw():
        for _ in range(10):
            with turns.page_lock():
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    for thread in [in_a_thread(draw) for _ in range(8)]:
        thread.join()
    assert len(most) == 80 and max(most) == 1


def test_a_page_that_waits_lets_others_go_and_goes_on_beside_them():
    drawn, both = [], threading.Barrier(2, timeout=60)

    def other():
        with turns.page_lock():
            both.wait()  # while the first one is still drawn
            drawn.append(1)

    with turns.page_lock():
        late = in_a_thread(other)
        late.join(0.2)
        assert late.is_alive() and not drawn
        turns.release_page_lock()
        turns.release_page_lock()  # once is enough
        both.wait()
        late.join()
    assert drawn == [1]
    draw(drawn)


def test_a_part_of_a_page_has_the_turn_of_the_page():
    drawn = []
    with turns.page_lock():
        with turns.page_lock():  # a fragment that is drawn with its page
            pass
        late = in_a_thread(draw, drawn, "late")
        late.join(0.2)
        assert not drawn
    late.join(60)
    assert drawn == ["late"]


def order_of(*visitors):
    """The pages of these visitors, each with its address, in the order in which they are drawn; all wait together."""
    order, threads = [], []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(turns, "_lock", turns._FairLock())
        with turns.page_lock("somebody", "elsewhere"):
            for visitor, place in visitors:
                threads.append(in_a_thread(draw, order, visitor, place))
                threads[-1].join(0.02)  # it waits in line
        for thread in threads:
            thread.join()
    return order


def test_turns_come_in_the_order_of_asking_where_thirty_tabs_are_one_visitor_and_thirty_visitors_one_address():
    assert order_of(*((name, "campus") for name in "abcde")) == [*"abcde"]  # in the order of asking
    assert order_of(*[("tabs", "campus")] * 30, ("honest", "campus")).index("honest") == 1
    assert order_of(*[(f"cookie {n}", "campus") for n in range(30)], ("honest", "home")).index("honest") == 1


def test_a_visitor_whose_pages_go_on_beside_others_waits_with_the_next_one(monkeypatch):
    monkeypatch.setattr(turns, "_lock", turns._FairLock())
    free, beside, drawn = threading.Event(), threading.Semaphore(0), []

    def waits():
        with turns.page_lock("tabs"):
            turns.release_page_lock()
            beside.release()
            free.wait(60)

    threads = [in_a_thread(waits) for _ in range(turns.MOST_UNLOCKED)]
    for _ in threads:
        assert beside.acquire(timeout=60)
    third = in_a_thread(draw, drawn, "tabs")
    in_a_thread(draw, drawn, "honest").join(60)
    assert drawn == ["honest"]
    free.set()
    for thread in (*threads, third):
        thread.join(60)
    assert drawn == ["honest", "tabs"]


def test_nobody_waits_for_ever(monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 0.05)
    drawn = []
    with turns.page_lock():
        in_a_thread(draw, drawn, "first").join()
        assert drawn == ["first"]
    with pytest.raises(KeyError), turns.page_lock():
        raise KeyError
    monkeypatch.setattr(turns, "PATIENCE", 30.0)
    in_a_thread(draw, drawn, "second").join(10)
    assert drawn == ["first", "second"]


def test_few_pages_of_one_visitor_go_on_beside_a_page_that_takes_very_long(monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 0.02)
    inside, most, free = [], [], threading.Event()

    def draw():
        with turns.page_lock("one visitor"):
            inside.append(1)
            most.append(len(inside))
            free.wait(60)
            inside.pop()

    with turns.page_lock("another"):
        threads = [in_a_thread(draw) for _ in range(6)]
        wait_until(lambda: len(inside) >= turns.MOST_UNLOCKED)
        for thread in threads:
            thread.join(0.1)  # five times as long as each waits
        assert len(inside) == turns.MOST_UNLOCKED
        free.set()
        for thread in threads:
            thread.join(60)
    assert len(most) == 6 and max(most) == turns.MOST_UNLOCKED
    with turns.page_lock("one visitor"):  # nothing is taken any more
        pass


def of_a_run(name):
    """What reads a run's table, or its dataset, for all sessions."""

    def reads(wait):
        shared = SharedRun()
        return lambda: getattr(shared, name)(wait)

    return reads


def of_the_server(wait):
    return once_per_server(entries=1)(wait)


def on_a_table(table):
    """What works on a table, one session at a time."""

    def reads(wait):
        def work():
            with memory.one_at_a_time(table):
                wait()

        return work

    return reads


LARGE = pd.DataFrame(np.zeros((600_000, 1)))
READERS = {
    "rows": of_a_run("rows"), "dataset": of_a_run("dataset"), "server": of_the_server,
    "small table": on_a_table(LARGE[:30_000]), "large table": on_a_table(LARGE),
}  # fmt: skip


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_pages_are_drawn_while_others_wait_for_a_reader_that_is_stuck(reader, monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 600.0)  # so that none is drawn because it waited long
    reading, asked, free = (threading.Event() for _ in range(3))

    def wait():
        reading.set()
        free.wait(120)

    read = reader(wait)

    def first():
        with turns.page_lock():
            read()

    def second():
        with turns.page_lock():
            asked.set()
            read()  # waits for the first one

    threads = [in_a_thread(first)]
    try:
        assert reading.wait(60)
        threads.append(in_a_thread(second))
        assert asked.wait(60)
        drawn = []
        in_a_thread(draw, drawn, "somebody else").join(60)
        assert drawn == ["somebody else"]
    finally:
        free.set()
        for thread in threads:
            thread.join()


def test_pages_are_drawn_while_others_wait_for_the_rules_of_a_run():
    lock, asked, drawn = SharedRun().lock, threading.Event(), []

    def waits():
        with turns.page_lock():
            asked.set()
            with lock:
                pass

    with lock:
        waiting = in_a_thread(waits)
        assert asked.wait(60)
        in_a_thread(draw, drawn, "other").join(20)  # before ``PATIENCE``
        assert drawn == ["other"]
    waiting.join()

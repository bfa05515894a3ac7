"""The fair queue."""

from tsk_core.jobs.queue import FairQueue


def fill(*runs):
    queue = FairQueue()
    for run in runs:
        queue.put(run, owner=run[0])
    return queue


def drain(queue):
    return [queue.take() for _ in range(len(queue))]


def test_owners_take_turns():
    assert drain(fill("a1", "a2", "a3", "b1", "c1", "b2")) == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_position_is_the_order_in_which_runs_are_taken():
    queue = fill("a1", "a2", "a3", "b1", "c1", "b2")
    positions = {run: queue.position(run) for run in ("a1", "a2", "a3", "b1", "c1", "b2")}
    assert drain(queue) == sorted(positions, key=positions.get)
    assert sorted(positions.values()) == [1, 2, 3, 4, 5, 6]


def test_an_owner_who_had_a_turn_goes_behind_all_others():
    queue = fill("a1", "a2", "b1")
    assert queue.take() == "a1"
    queue.put("c1", "c")
    assert drain(queue) == ["b1", "a2", "c1"]


def test_busy_owners_are_passed_over():
    queue = fill("a1", "b1")
    assert queue.take(busy={"a"}) == "b1"
    assert queue.take(busy={"a"}) is None
    assert queue.position("a1") == 1


def test_a_removed_run_is_not_taken():
    queue = fill("a1", "a2")
    assert queue.remove("a1")
    assert not queue.remove("a1")
    assert (queue.position("a1"), queue.waiting("a"), drain(queue)) == (0, 1, ["a2"])


def test_a_run_that_lost_its_worker_is_first_in_line():
    queue = fill("a1", "b1")
    queue.put("b0", "b", first=True)
    assert drain(queue) == ["b0", "a1", "b1"]

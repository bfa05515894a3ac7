"""The fair queue, what an owner may have in it, and which run a free worker gets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.errors import LimitError
from tsk_core.jobs.control import Control
from tsk_core.jobs.open_run import OpenRun
from tsk_core.jobs.queue import FairQueue
from tsk_core.jobs.quota import Quota
from tsk_core.jobs.workers import Workers


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


def test_an_owner_who_had_a_turn_goes_behind_all_others_also_those_who_come_later():
    queue = fill("a1", "a2", "b1")
    assert queue.take() == "a1"
    queue.put("c1", "c")
    assert drain(queue) == ["b1", "c1", "a2"]


def test_an_owner_whose_line_was_empty_meanwhile_has_had_a_turn_all_the_same():
    queue = fill("a1", "b1", "b2")
    assert [queue.take(), queue.take()] == ["a1", "b1"]
    queue.put("a2", "a")
    queue.put("c1", "c")
    assert drain(queue) == ["c1", "a2", "b2"]


def test_nobody_is_passed_by_newcomers_for_ever():
    queue = fill("a1", "b1")
    assert queue.take() == "a1"
    queue.put("a2", "a")
    taken = []
    for newcomer in range(60):
        queue.put(f"n{newcomer}", f"owner {newcomer}")
        taken.append(queue.take())
    assert 10 < taken.index("a2") < 60


def test_leaving_the_queue_and_coming_back_gains_nothing():
    queue = fill("a1", "a2", "b1", "b2")
    assert [queue.take(), queue.take()] == ["a1", "b1"]
    queue.remove("b2")
    queue.put("b3", "b")
    queue.put("c1", "c")
    assert drain(queue) == ["c1", "a2", "b3"]


def crowd(size):
    """A queue with the runs of a client that took a new cookie for each."""
    queue = FairQueue()
    for number in range(size):
        queue.put(f"x{number}", f"cookie {number}", address="192.0.2.1")
    return queue


def test_a_client_with_150_cookies_has_the_turns_of_one_address():
    queue = crowd(150)
    assert queue.ahead("honest", address="198.51.100.7") == 1
    queue.put("h1", "honest", address="198.51.100.7")
    queue.put("h2", "honest", address="198.51.100.7")
    assert drain(queue)[:5] == ["x0", "h1", "x1", "h2", "x2"]


def test_an_address_that_had_turns_lets_a_new_one_go_first():
    queue = crowd(150)
    assert [queue.take() for _ in range(3)] == ["x0", "x1", "x2"]
    assert queue.ahead("honest", address="198.51.100.7") == 0


def test_owners_of_one_address_take_turns():
    queue = FairQueue()
    for run in ("a1", "a2", "a3", "b1", "c1", "b2"):
        queue.put(run, run[0], address="campus")
    queue.put("d1", "d", address="elsewhere")
    assert drain(queue) == ["a1", "d1", "b1", "c1", "a2", "b2", "a3"]


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


def test_a_run_that_lost_its_worker_is_first_in_the_queue():
    queue = fill("a1", "b1")
    queue.put("b0", "b", first=True)
    assert [queue.position(run) for run in ("b0", "a1", "b1")] == [1, 2, 3]
    assert queue.waiting("b") == 2
    assert drain(queue) == ["b0", "a1", "b1"]


def test_a_run_that_lost_its_worker_can_be_removed():
    queue = fill("a1")
    queue.put("b0", "b", first=True)
    assert queue.remove("b0") and drain(queue) == ["a1"]


def test_background_runs_wait_until_no_watched_one_can_begin():
    queue = FairQueue()
    queue.put("s1", "s", background=True)
    queue.put("t1", "t", background=True)
    queue.put("a1", "a")
    assert [queue.position(run) for run in ("a1", "s1", "t1")] == [1, 2, 3]
    assert (queue.count(), queue.count(background=True), len(queue)) == (1, 2, 3)
    assert queue.take(busy={"a"}) == "s1"  # the only watched run has to wait for its owner's other one
    assert drain(queue) == ["a1", "t1"]


def test_background_runs_of_an_owner_do_not_make_the_owners_watched_runs_wait():
    queue = FairQueue()
    queue.put("a1", "a")
    assert queue.take(busy=(), busy_background={"a"}) == "a1"


added = st.tuples(st.sampled_from("abcd"), st.booleans(), st.booleans(), st.sampled_from(("", "campus", "elsewhere")))
steps = st.lists(st.one_of(st.just("take"), added), max_size=40)


@given(steps)
def test_positions_always_foretell_the_order(moves):
    queue, runs = FairQueue(), []
    for number, move in enumerate(moves):
        if move == "take":
            taken = queue.take()
            assert (taken is None) == (not runs)
            runs = [run for run in runs if run != taken]
        else:
            owner, background, first, address = move
            ahead = queue.ahead(owner, background, address)
            run = f"{owner}{number}"
            queue.put(run, owner, first=first, background=background, address=address)
            runs.append(run)
            assert first or queue.position(run) == ahead + 1
    foretold = sorted(runs, key=queue.position)
    assert sorted(map(queue.position, runs)) == list(range(1, len(runs) + 1))
    assert drain(queue) == foretold


@given(st.integers(1, 4), st.integers(0, 10), st.integers(1, 3))
def test_one_owner_with_200_runs_at_most_doubles_the_time_of_another(workers, tick, length):
    """All runs take ``length``; b comes at ``tick``, alone and beside a, who has 200 queued. No quota holds."""

    def time_of_b(crowd):
        queue, going = fill(*(f"a{n}" for n in range(crowd))), []
        for now in range(tick + 10 * length):
            going = [(run, end) for run, end in going if end > now]
            if now == tick:
                queue.put("b", "b")
            while len(going) < workers and (run := queue.take()):
                if run == "b":
                    return now + length - tick
                going.append((run, now + length))
        raise AssertionError("b never began")

    assert time_of_b(200) <= 2 * time_of_b(0)


def test_an_owner_may_have_one_run_and_three_queued():
    quota = Quota(FairQueue())
    for _ in range(4):
        quota.reserve("ada", background=False)
    with pytest.raises(LimitError, match=r"1 run running and 3 queued.*TSK_MAX_QUEUED_PER_OWNER"):
        quota.reserve("ada", background=False)
    assert quota.refusal("bob") == ""
    quota.release("ada", background=False)
    assert quota.refusal("ada") == ""


def test_the_number_at_a_time_is_said(monkeypatch):
    monkeypatch.setenv("TSK_MAX_RUNNING_PER_OWNER", "2")
    quota = Quota(FairQueue())
    for _ in range(5):
        quota.reserve("ada", background=False)
    assert quota.refusal("ada").startswith("One person may have at most 2 runs running and 3 queued here")


def test_a_sweep_has_a_quota_of_its_own(monkeypatch):
    monkeypatch.setenv("TSK_MAX_BACKGROUND_PER_OWNER", "5")
    quota = Quota(FairQueue())
    for _ in range(5):
        quota.reserve("ada", background=True)
    assert "at most 5 experiments, tunings and cells of the study" in quota.refusal("ada", background=True)
    assert quota.refusal("ada") == ""


def test_an_address_has_a_quota_of_experiments_beside_that_of_trainings(monkeypatch):
    monkeypatch.setenv("TSK_MAX_BACKGROUND_PER_ADDRESS", "3")
    quota = Quota(FairQueue())
    for number in range(3):
        quota.reserve(f"cookie {number}", background=True, address="192.0.2.1")
    refusal = quota.refusal("cookie 3", True, "192.0.2.1")
    assert refusal.startswith("3 experiments, tunings and cells of the study of your network") and "PER_ADDRESS" in refusal
    assert quota.refusal("cookie 3", False, "192.0.2.1") == quota.refusal("ada", True, "198.51.100.7") == ""
    quota.release("cookie 0", True, "192.0.2.1")
    assert quota.refusal("cookie 3", True, "192.0.2.1") == ""


def test_a_full_line_of_sweeps_leaves_room_for_those_who_watch(monkeypatch):
    monkeypatch.setenv("TSK_MAX_QUEUED", "1")
    queue = FairQueue()
    quota = Quota(queue)
    queue.put("s", "s", background=True)
    assert "TSK_MAX_QUEUED" in quota.refusal("bob", background=True)
    assert quota.refusal("bob") == ""


def test_experiments_wait_where_the_last_worker_is_kept_for_others():
    queue = FairQueue()
    queue.put("sweep", "s", background=True)
    assert queue.take(background=False) is None
    queue.put("watched", "w")
    assert queue.take(background=False) == "watched" and queue.take() == "sweep"


# Workers.


@pytest.fixture
def workers():
    workers = Workers()
    workers.addresses = ["first", "second", "third"]
    return workers


def assigned(workers, tmp_path, owner, worker, resumed=False):
    """A run that was given a worker; resumed: after it was parked there."""
    run = OpenRun(f"{owner}{len(workers.runs())}", owner, None, 1, Control(tmp_path))
    workers.assign(run, worker)
    if resumed:
        run.pause.begin()
        run.pause.parked = True
        run.pause.grant(0)
    return run


def test_who_has_enough_runs_going_waits_for_them_with_one_that_was_resumed(workers, tmp_path, monkeypatch):
    resumed = assigned(workers, tmp_path, "ada", "first", resumed=True)
    going = assigned(workers, tmp_path, "ada", "second")
    assert workers.first_resumed() is None
    of_another = assigned(workers, tmp_path, "bob", "first", resumed=True)
    assert workers.first_resumed() is of_another
    workers.release(of_another)
    monkeypatch.setenv("TSK_MAX_RUNNING_PER_OWNER", "2")
    assert workers.first_resumed() is resumed
    monkeypatch.delenv("TSK_MAX_RUNNING_PER_OWNER")
    workers.release(going)
    assert workers.first_resumed() is resumed


def test_a_resumed_run_waits_while_no_worker_is_free(workers, tmp_path):
    resumed = assigned(workers, tmp_path, "ada", "first", resumed=True)
    for name, worker in (("bob", "first"), ("cem", "second"), ("dan", "third")):
        assigned(workers, tmp_path, name, worker)
    assert workers.first_resumed() is None
    workers.release(workers.runs()[-1])
    assert workers.first_resumed() is resumed

"""The fair queue, what an owner may have in it, and which run a free worker gets."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsk_core.errors import LimitError
from tsk_core.jobs.control import Control
from tsk_core.jobs.open_run import OpenRun, Workers
from tsk_core.jobs.queue import FairQueue, Quota


def fill(queue, runs, **options):
    for run in runs.split():
        queue.put(run, owner=run[0], **options)
    return queue


def take(queue, n=None):
    return " ".join(filter(None, (queue.take() for _ in range(len(queue) if n is None else n))))


@pytest.mark.parametrize(
    ("first", "taken", "then", "order"),
    [
        ("a1 a2 a3 b1 c1 b2", "", "", "a1 b1 c1 a2 b2 a3"),  # owners take turns
        ("a1 a2 b1", "a1", "c1", "b1 c1 a2"),  # who had a turn goes behind all others, also those who come later
        ("a1 b1 b2", "a1 b1", "a2 c1", "c1 a2 b2"),  # also one whose line was empty meanwhile
    ],
)
def test_owners_take_turns(first, taken, then, order):
    queue = fill(FairQueue(), first)
    assert take(queue, len(taken.split())) == taken
    fill(queue, then)
    positions = {run: queue.position(run) for run in order.split()}
    assert sorted(positions.values()) == list(range(1, len(positions) + 1))
    assert take(queue) == order == " ".join(sorted(positions, key=positions.get))


def test_nobody_is_passed_by_newcomers_for_ever():
    queue = fill(FairQueue(), "a1 b1")
    assert take(queue, 1) == "a1"
    queue.put("a2", "a")
    taken = []
    for newcomer in range(60):
        queue.put(f"n{newcomer}", f"owner {newcomer}")
        taken.append(queue.take())
    assert 10 < taken.index("a2") < 60


def test_leaving_the_queue_and_coming_back_gains_nothing():
    queue = fill(FairQueue(), "a1 a2 b1 b2")
    assert take(queue, 2) == "a1 b1"
    assert queue.remove("b2") and not queue.remove("b2")
    assert (queue.position("b2"), queue.waiting("b")) == (0, 0)
    assert take(fill(queue, "b3 c1")) == "c1 a2 b3"


def test_owners_of_one_address_take_turns_and_150_cookies_have_those_of_one_address():
    queue = fill(FairQueue(), "a1 a2 a3 b1 c1 b2", address="campus")
    assert take(fill(queue, "d1", address="elsewhere")) == "a1 d1 b1 c1 a2 b2 a3"
    queue = FairQueue()
    for number in range(150):
        queue.put(f"x{number}", f"cookie {number}", address="192.0.2.1")
    assert queue.ahead("honest", address="198.51.100.7") == 1
    fill(queue, "h1 h2", address="198.51.100.7")
    assert take(queue, 5) == "x0 h1 x1 h2 x2"
    assert queue.ahead("another", address="203.0.113.5") == 0  # an address that had turns lets a new one go first


def test_busy_owners_are_passed_over_and_a_run_that_lost_its_worker_is_first_and_can_be_removed():
    queue = fill(FairQueue(), "a1 b1")
    assert queue.may_take(busy={"a"}) and queue.take(busy={"a"}) == "b1"
    assert not queue.may_take(busy={"a"}) and queue.take(busy={"a"}) is None
    assert queue.position("a1") == 1
    queue = fill(fill(FairQueue(), "a1 b1"), "b0 c0", first=True)
    assert [queue.position(run) for run in ("b0", "c0", "a1", "b1")] == [1, 2, 3, 4] and queue.waiting("b") == 2
    assert queue.remove("c0") and take(queue) == "b0 a1 b1"


def test_background_runs_wait_until_no_watched_one_can_begin():
    queue = fill(fill(FairQueue(), "s1 t1", background=True), "a1")
    assert [queue.position(run) for run in ("a1", "s1", "t1")] == [1, 2, 3]
    assert (queue.count(), queue.count(background=True), len(queue)) == (1, 2, 3)
    assert queue.take(busy={"a"}) == "s1"  # the only watched run has to wait for its owner's other one
    assert queue.take(busy=(), busy_background={"a"}) == "a1"  # for which its background runs do not count
    assert queue.take(background=False) is None  # where the last worker is kept for others
    assert take(queue) == "t1"


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
    assert take(queue) == " ".join(foretold)


@given(st.integers(1, 4), st.integers(0, 10), st.integers(1, 3))
def test_one_owner_with_200_runs_at_most_doubles_the_time_of_another(workers, tick, length):
    """All runs take ``length``; b comes at ``tick``, alone and beside a, who has 200 queued. No quota holds."""

    def time_of_b(crowd):
        queue, going = fill(FairQueue(), " ".join(f"a{n}" for n in range(crowd))), []
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


# Quotas.


@pytest.mark.parametrize(
    ("variable", "number", "background", "refused"),
    [
        ("TSK_MAX_RUNNING_PER_OWNER", 1, False, "One person may have at most 1 run running and 3 queued here"),
        ("TSK_MAX_RUNNING_PER_OWNER", 2, False, "One person may have at most 2 runs running and 3 queued here"),
        ("TSK_MAX_BACKGROUND_PER_OWNER", 5, True, "at most 5 experiments, tunings and cells of the study"),
    ],
)
def test_an_owner_may_have_so_many_runs(monkeypatch, variable, number, background, refused):
    monkeypatch.setenv(variable, str(number))
    quota = Quota(FairQueue())
    for _ in range(number if background else number + 3):
        quota.reserve("ada", background=background)
    with pytest.raises(LimitError, match=refused):
        quota.reserve("ada", background=background)
    assert quota.refusal("ada", not background) == quota.refusal("bob", background) == ""
    quota.release("ada", background=background)
    assert quota.refusal("ada", background) == ""


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


@pytest.mark.parametrize("background", [True, False])
def test_the_queue_has_a_limit_in_all_for_sweeps_and_for_those_who_watch(monkeypatch, background):
    monkeypatch.setenv("TSK_MAX_QUEUED", "1")
    queue = fill(FairQueue(), "s", background=background)
    assert "TSK_MAX_QUEUED" in Quota(queue).refusal("bob", background=background)
    assert Quota(queue).refusal("bob", background=not background) == ""


# Workers.


@pytest.fixture
def workers():
    workers = Workers()
    workers.addresses = ["first", "second", "third"]
    return workers


def assigned(workers, tmp_path, owner, worker):
    run = OpenRun(f"{owner}{len(workers.runs())}", owner, None, 1, Control(tmp_path))
    workers.assign(run, worker)
    return run


def test_a_run_that_waits_for_long_counts_no_more_and_keeps_its_worker_until_it_is_needed(workers, tmp_path):
    runs = [assigned(workers, tmp_path, owner, owner) for owner in ("first", "second", "third")]
    assert not workers.has_free() and workers.waiting_long() == [] and "first" in workers.busy_owners(False)
    for run, seconds in zip(runs, (20, 30, 5), strict=True):
        run.waits_since = time.monotonic() - seconds
    assert workers.has_free() and workers.choose() is None and workers.waiting_long() == [runs[1], runs[0]]
    assert workers.busy_owners(False) == {"third"}
    workers.release(runs[1])
    assert workers.choose() == "second"

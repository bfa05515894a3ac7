"""What the pages Compare and Sweep share: records merged by number, what the browser lacks of them, and how far it is."""

import pytest
import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset
from tsk_core.experiments.plan import COMPARISON, Plan
from tsk_core.experiments.variants import parse_variants
from tsk_core.jobs import Status
from ui.experiments import Collected, message, send_all_again
from ui.experiments.progress import duration, ended_text, expected_seconds, seconds_left, standing


def epoch(at, t, value=0.5):
    names = ("ce", "rca", "bca", "grad_antecedents", "grad_consequents")
    return {"at": at, "epoch": t, **{name: [value] * len(at) for name in names}}


def point(number, **changes):
    return {"point": number, "variant": 0, "seed": number, "split": 0, "scores": {"last": [0.9, 0.8]}, **changes}


@pytest.fixture
def session(monkeypatch):
    """The state of a session, without a page."""
    state = {}
    monkeypatch.setattr(st, "session_state", state)
    return state


def test_records_that_come_again_are_not_counted_twice_and_nothing_known_is_lost():
    known, lines = Collected(), [epoch([0, 1], 0), epoch([0, 1], 1), point(0), epoch([1], 2)]
    assert [known.add(line) for line in lines] == [True] * 4
    assert set(known.points) == {0} and known.live[1]["epoch"] == [0, 1, 2]
    assert not any(known.add(line) for line in lines)  # a new attempt
    assert known.add(epoch([0, 1], 3)) and known.live[1]["epoch"] == [0, 1, 2, 3] and 0 not in known.live
    assert known.add(point(1)) and known.live == {}


def test_a_line_of_trainings_that_were_skipped_is_not_taken_out_of_order():
    known = Collected()
    assert known.add(epoch([0], 0)) and not known.add(epoch([0], 2)) and known.live[0]["epoch"] == [0]


def test_the_compact_lines_say_the_same():
    known, again = Collected(), Collected()
    for line in [epoch([0, 1, 2], t, t / 10) for t in range(3)] + [point(1), {"baselines": {"majority": {"rca": [0.5]}}}]:
        known.add(line)
    for line in known.compact():
        again.add(line)
    assert (again.points, again.live, again.baselines) == (known.points, known.live, known.baselines)


@pytest.mark.usefixtures("session")
def test_each_message_repeats_the_lines_of_the_last_ones_until_all_are_sent_again():
    known = Collected()
    for number in range(4):
        known.add(point(number))
    first = message("a", known)
    assert (first["since"], first["upto"], len(first["lines"])) == (0, 4, 4)
    known.add(point(4))
    assert [message("a", known)["since"] for _ in range(5)] == [0, 0, 4, 5, 5]
    assert message("b", known)["since"] == 0  # another experiment
    message("b", known), message("b", known), message("b", known)
    assert message("b", known)["since"] == 5
    send_all_again()
    assert message("b", known)["since"] == 0


def test_progress_is_said_in_trainings_epochs_and_time_left():
    running = Status("r", "running", epoch=900, max_epochs=2400)
    assert standing(running, 40, 12, 6.2) == "12 of 40 trainings done, 900 of 2,400 epochs, about 6 s left."
    assert standing(running, 40, 12, None) == "12 of 40 trainings done, 900 of 2,400 epochs."
    queued = Status("r", "queued", position=3, max_epochs=2400, wait=20.0)
    assert standing(queued, 40, 0, None) == "Waiting: number 3 in the queue, about 20 s."
    assert standing(Status("r", "running", max_epochs=2400), 40, 0, None) == "Starting 40 trainings…"


def test_the_time_left_follows_from_the_pace():
    assert seconds_left([(0.0, 0), (2.0, 100)], 400) == 6.0
    assert seconds_left([(0.0, 50)], 400) is None and seconds_left([(0.0, 50), (1.0, 50)], 400) is None
    assert [duration(seconds) for seconds in (0.2, 12.4, 200, 7200)] == ["1 s", "12 s", "3 min", "2.0 h"]


def test_an_experiment_that_ended_early_says_what_is_missing():
    assert ended_text(Status("r", "finished"), 40, 40) == ""
    assert ended_text(Status("r", "stopped"), 40, 7) == "Stopped after 7 of 40 trainings; Continue computes the others."
    assert ended_text(Status("r", "failed", message="The disk is full."), 40, 7).endswith("The disk is full.")


def test_more_trainings_are_expected_to_take_longer():
    base, iris = TrainConfig.paper(max_epochs=10), load_dataset("iris")
    few, many = (Plan(COMPARISON, parse_variants(["none", "ur"], base), seeds=seeds) for seeds in (2, 20))
    assert expected_seconds(few, iris) < expected_seconds(many, iris)

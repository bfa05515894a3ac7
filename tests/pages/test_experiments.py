"""What the pages Compare and Sweep share: records merged by number, and how far it is."""

from dataclasses import replace

from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset
from tsk_core.experiments.plan import COMPARISON, Plan
from tsk_core.experiments.variants import parse_variants
from tsk_core.jobs import Status
from ui.experiments import Collected
from ui.experiments.panel import duration, ended_text, expected_seconds, seconds_left, standing


def epoch(at, t, value=0.5):
    names = ("ce", "rca", "bca", "grad_antecedents", "grad_consequents")
    return {"at": at, "epoch": t, **{name: [value] * len(at) for name in names}}


def point(number, **changes):
    return {"point": number, "variant": 0, "seed": number, "split": 0, "scores": {"last": [0.9, 0.8]}, **changes}


def log_of(known):
    """The log without the values: the trainings and the epoch of each entry, or the number of a point."""
    return [entry["point"] if "point" in entry else (entry["at"], entry["epoch"]) for entry in known.log]


def added(*records):
    known = Collected()
    for record in records:
        known.add(record)
    return known


def test_records_that_come_again_are_not_counted_twice_and_nothing_known_is_lost():
    records = [epoch([0, 1], 0), epoch([0, 1], 1), point(0), epoch([1], 2)]
    known = added(*records)
    assert set(known.points) == {0} and log_of(known) == [([0, 1], 0), ([0, 1], 1), 0, ([1], 2)]
    for record in records:  # of a new attempt
        known.add(record)
    assert len(known.log) == 4
    known.add(epoch([0, 1], 3))
    assert log_of(known)[4:] == [([1], 3)] and known.log[4]["bca"] == [0.5]
    assert log_of(added(epoch([0], 0), epoch([0], 2))) == [([0], 0)]


def test_a_browser_that_knows_nothing_is_not_sent_what_points_say_too():
    known = added(*[epoch([0, 1, 2], t, t / 10) for t in range(3)], point(1), {"baselines": {"majority": {"rca": [0.5]}}})
    assert [known.entry(entry) and known.entry(entry).get("at") for entry in known.log] == [[0, 2]] * 3 + [None]
    known = added(epoch([0], 0), point(0))
    assert [known.entry(entry) for entry in known.log] == [None, point(0)]
    assert known.baselines == {} and known.version != Collected().version


def test_progress_is_said_in_trainings_epochs_and_time_left_and_the_end_says_what_is_missing():
    running = Status("r", "running", epoch=900, max_epochs=2400)
    assert standing(running, 40, 12, 6.2) == "12 of 40 trainings done, 900 of 2,400 epochs, about 6 s left."
    trained = replace(running, epoch=2400)
    assert standing(trained, 40, 12, 6.2) == "12 of 40 trainings done, all 2,400 epochs; evaluating them…"
    assert standing(trained, 40, 40, None) == "40 of 40 trainings done, all 2,400 epochs; finishing…"
    assert standing(running, 40, 12, None) == "12 of 40 trainings done, 900 of 2,400 epochs."
    queued = Status("r", "queued", position=3, max_epochs=2400, wait=20.0)
    assert standing(queued, 40, 0, None) == "Waiting: number 3 in the queue, about 20 s."
    assert standing(Status("r", "running", max_epochs=2400), 40, 0, None) == "Starting 40 trainings…"
    assert seconds_left([(0.0, 0), (2.0, 100)], 400) == 6.0
    assert seconds_left([(0.0, 50)], 400) is None and seconds_left([(0.0, 50), (1.0, 50)], 400) is None
    assert [duration(seconds) for seconds in (0.2, 12.4, 200, 7200)] == ["1 s", "12 s", "3 min", "2.0 h"]
    assert ended_text(Status("r", "finished"), 40, 40) == ""
    assert ended_text(Status("r", "stopped"), 40, 7) == "Stopped after 7 of 40 trainings; Continue computes the others."
    assert "no page" in ended_text(Status("r", "stopped", message="It was stopped since no page showed it for 120 s."), 40, 7)
    assert "hand" not in ended_text(Status("r", "stopped", message="Stopped by hand."), 40, 7)
    assert ended_text(Status("r", "failed", message="The disk is full."), 40, 7).endswith("The disk is full.")


def test_more_trainings_are_expected_to_take_longer():
    base, iris = TrainConfig.paper(max_epochs=10), load_dataset("iris")
    few, many = (Plan(COMPARISON, parse_variants(["none", "ur"], base), seeds=seeds) for seeds in (2, 20))
    searched = Plan(COMPARISON, parse_variants(["none", "ur-val"], base), seeds=2)
    assert expected_seconds(few, iris) < expected_seconds(many, iris)
    assert expected_seconds(few, iris) < expected_seconds(searched, iris)

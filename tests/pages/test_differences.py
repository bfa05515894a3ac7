"""The table of differences: each number against a slow, obvious way to get it."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tsk_core.config import TrainConfig
from tsk_core.epoch import ENTROPY_BINS, Epoch
from ui.runs.differences import Side, changed_settings, differences, entropy_share, numbers

CONFIG = TrainConfig(n_rules=4, random_state=0)


def epoch(number, bca=0.5, rules=4, stage="training", seed=0):
    noise = np.random.default_rng([number, seed])
    firing = noise.dirichlet(np.full(rules, 0.3))
    return Epoch(
        epoch=number, loss_ce=1.0, loss_l2=0.1, loss_ur=0.2, ur_floor=0.1, rca_train=0.75, bca_train=0.7, rca_validation=None,
        bca_validation=None, rca_test=bca + 0.125, bca_test=bca, firing=firing, entropy=noise.integers(0, 50, ENTROPY_BINS),
        grad_antecedents=1.0, grad_consequents=2.0, seconds=0.5 * number, stage=stage,
    )  # fmt: skip


def side(bcas=(0.5,), metrics=None, **settings):
    return Side(replace(CONFIG, **settings), 0.3, [epoch(k, bca) for k, bca in enumerate(bcas, 1)], metrics or {})


def line(before, now, what):
    (found,) = (line for line in differences(before, now) if line.what == what)
    return found[1:]


def test_settings_that_differ_come_first_with_old_and_new():
    before, now = side(ur_weight=1.0), side(ur_weight=10.0, class_weight="balanced")._replace(test_size=0.25)
    assert [change[1:] for change in changed_settings(before, now)] == [
        ("test share", "0.3", "0.25"), ("λ", "1", "10"), ("Class weights", "none", "balanced"),
    ]  # fmt: skip
    lines = differences(before, now)
    assert [line[:3] for line in lines[:3]] == [
        ("Test share", "0.3", "0.25"), ("Uniform regularisation λ", "1", "10"), ("Class weights", "none", "balanced"),
    ]  # fmt: skip
    assert changed_settings(now, now) == []


def test_numbers_of_a_run_in_training_are_those_of_its_newest_epoch():
    run = side(bcas=(0.5, 0.75, 0.625, 0.75))
    found, last = numbers(run), run.history[-1]
    assert found["Test BCA"] == 0.75 and found["Test RCA"] == 0.875 and found["Training RCA"] == 0.75
    assert found["Epochs"] == 4 and found["Epoch of highest test BCA ★"] == 2  # the first of the best
    assert found["Seconds"] == 2.0
    assert found["Rules that never fire"] == sum(1 for share in last.firing if share < 0.1 / 4)
    assert found["Largest average firing level"] == sorted(last.firing)[-1]


def test_numbers_at_the_end_go_before_those_of_an_epoch():
    found = numbers(side(metrics={"rca": 0.9, "bca": 0.8, "seconds": 7.0, "ece": 0.05}))
    assert (found["Test RCA"], found["Test BCA"], found["Seconds"], found["ECE"]) == (0.9, 0.8, 7.0, 0.05)


@pytest.mark.parametrize("rules", [2, 5, 40])
def test_the_entropy_is_the_mean_of_all_rows_over_log_r(rules):
    last = epoch(3, rules=rules)
    width = math.log(rules) / ENTROPY_BINS
    rows = [(k + 0.5) * width for k, count in enumerate(last.entropy) for _ in range(count)]
    assert entropy_share(last) == pytest.approx(sum(rows) / len(rows) / math.log(rules))


def test_a_single_rule_has_no_entropy():
    assert entropy_share(epoch(1, rules=1)) is None


def test_what_a_run_does_not_have_is_a_dash():
    nothing = side(bcas=())
    searching = Side(CONFIG, 0.3, [epoch(1, stage="hold-out")], {})
    for before in (nothing, searching):
        assert all(line[1:] == ("–", line.now, "", "") and line.now != "–" for line in differences(before, side()))


def test_the_words_say_which_way_is_better():
    low, high = side(bcas=(0.5,)), side(bcas=(0.75,))
    assert line(low, high, "Test BCA") == ("0.500", "0.750", "+0.250", "better")
    assert line(high, low, "Test BCA") == ("0.750", "0.500", "−0.250", "worse")
    assert line(low, low, "Test BCA") == ("0.500", "0.500", "±0.000", "")
    assert line(low, side(metrics={"bca": 0.5001}), "Test BCA")[2:] == ("±0.000", "")  # not by less than is shown
    quick, slow = side(metrics={"seconds": 1.0, "ece": 0.25}), side(metrics={"seconds": 3.0, "ece": 0.5})
    assert line(quick, slow, "Seconds") == ("1.0", "3.0", "+2.0", "slower")
    assert line(quick, slow, "ECE") == ("0.250", "0.500", "+0.250", "worse")
    assert line(low, side(bcas=(0.5, 0.5)), "Epochs") == ("1", "2", "+1", "")  # neither is better


def test_each_line_adds_up_as_it_is_shown():
    before, now = side(bcas=(0.7644,)), side(bcas=(0.8576,))  # 0.0932 apart, and 0.094 as shown
    assert line(before, now, "Test BCA") == ("0.764", "0.858", "+0.094", "better")
    assert line(now, before, "Test BCA") == ("0.858", "0.764", "−0.094", "worse")


def test_fewer_rules_that_never_fire_are_better_and_shares_compare_for_as_many_rules_only():
    even = side()._replace(history=[replace(epoch(1), firing=np.full(4, 0.25))])
    lonely = side()._replace(history=[replace(epoch(1), firing=np.array([1.0, 0.0, 0.0, 0.0]))])
    assert line(lonely, even, "Rules that never fire") == ("3", "0", "−3", "better")
    assert line(even, lonely, "Rules that never fire") == ("0", "3", "+3", "worse")
    assert line(lonely, even, "Largest average firing level") == ("100.0%", "25.0%", "−75.0 points", "more even")
    other = even._replace(config=replace(CONFIG, n_rules=5), history=[replace(epoch(1), firing=np.full(5, 0.2))])
    assert line(even, other, "Largest average firing level")[2:] == ("−5.0 points", "")


def test_the_calibration_error_is_there_where_both_runs_have_it():
    with_it, without = side(metrics={"ece": 0.1}), side()
    assert "ECE" in [line.what for line in differences(with_it, with_it)]
    for pair in ((with_it, without), (without, with_it)):
        assert "ECE" not in [line.what for line in differences(*pair)]

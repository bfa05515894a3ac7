"""The table of differences: each number against a slow, obvious way to get it."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tsk_core.config import TrainConfig
from tsk_core.epoch import ENTROPY_BINS, Epoch
from tsk_core.evaluate import Paired
from tsk_core.runs import PairedRuns
from ui.runs.differences import Side, changed_settings, differences, numbers

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
    assert [change[1:4] for change in changed_settings(before, now)] == [
        ("test share", "0.3", "0.25"), ("λ", "1", "10"), ("Class weights", "none", "balanced"),
    ]  # fmt: skip
    lines = differences(before, now)
    assert [line[:3] for line in lines[:3]] == [
        ("Test share", "0.3", "0.25"), ("Uniform regularisation λ", "1", "10"), ("Class weights", "none", "balanced"),
    ]  # fmt: skip
    assert changed_settings(now, now) == []


def test_numbers_are_those_of_the_newest_epoch_until_those_at_the_end_are_there():
    run = side(bcas=(0.5, 0.75, 0.625, 0.75))
    found, last = numbers(run), run.history[-1]
    assert found["Test BCA"] == 0.75 and found["Test RCA"] == 0.875 and found["Training RCA"] == 0.75
    assert found["Epochs"] == 4 and found["Epoch of highest test BCA ★"] == 2  # the first of the best
    assert found["Seconds"] == 2.0
    assert found["Rules that hardly or never fire"] == sum(1 for share in last.firing if share < 0.2 / 4)
    assert found["Largest average firing level"] == sorted(last.firing)[-1]
    found = numbers(side(metrics={"rca": 0.9, "bca": 0.8, "seconds": 7.0, "ece": 0.05}))
    assert (found["Test RCA"], found["Test BCA"], found["Seconds"], found["ECE"]) == (0.9, 0.8, 7.0, 0.05)


@pytest.mark.parametrize("rules", [2, 5, 40])
def test_the_entropy_is_the_mean_of_all_rows_over_log_r(rules):
    last = epoch(3, rules=rules)
    width = math.log(rules) / ENTROPY_BINS
    rows = [(k + 0.5) * width for k, count in enumerate(last.entropy) for _ in range(count)]
    assert last.entropy_share == pytest.approx(sum(rows) / len(rows) / math.log(rules))
    assert epoch(1, rules=1).entropy_share is None


def test_what_a_run_does_not_have_is_a_dash():
    nothing = side(bcas=())
    searching = Side(CONFIG, 0.3, [epoch(1, stage="hold-out")], {})
    for before in (nothing, searching):
        assert all(line[1:] == ("–", line.now, "", "") and line.now != "–" for line in differences(before, side()))


def paired(low, high, rows=1931, differing=90):
    score = Paired((low + high) / 2, low, high)
    return PairedRuns(rows, differing, rows, differing, {"rca": score, "bca": score})


def score(before, now, found, what="Test BCA"):
    (line,) = (line for line in differences(before, now, found) if line.what == what)
    return line[1:]


def test_a_test_score_is_better_only_outside_of_chance():
    low, high = side(bcas=(0.5,)), side(bcas=(0.75,))
    assert line(low, high, "Test BCA") == ("0.500", "0.750", "+0.250", "")  # nobody compared the rows
    assert score(low, high, paired(0.21, 0.29)) == ("0.500", "0.750", "+0.250", "better, 95% interval +0.210 to +0.290")
    assert score(high, low, paired(-0.29, -0.21))[2:] == ("−0.250", "worse, 95% interval −0.290 to −0.210")
    assert score(low, high, paired(-0.003, 0.013))[3] == "no clear difference, 95% interval −0.003 to +0.013"
    assert score(low, high, paired(0.21, 0.29, differing=5))[3].startswith("no clear difference")
    assert score(low, high, paired(0.21, 0.29), "Training RCA")[3] == ""
    assert score(low, low, paired(0.0, 0.0, differing=0))[2:] == ("0.000", "on the same rows")


def test_seconds_and_calibration_have_no_verdict_and_ece_is_there_where_both_runs_have_it():
    quick, slow = side(metrics={"seconds": 1.0, "ece": 0.25}), side(metrics={"seconds": 3.0, "ece": 0.5})
    assert line(quick, slow, "Seconds") == ("1.0", "3.0", "+2.0", "")
    assert line(quick, slow, "ECE") == ("0.250", "0.500", "+0.250", "")
    assert line(side(), side(bcas=(0.5, 0.5)), "Epochs") == ("1", "2", "+1", "")
    with_it, without = side(metrics={"ece": 0.1}), side()
    assert "ECE" in [line.what for line in differences(with_it, with_it)]
    for pair in ((with_it, without), (without, with_it)):
        assert "ECE" not in [line.what for line in differences(*pair)]


def test_the_mean_of_the_last_epochs_hangs_less_on_the_last_one_and_each_line_adds_up_as_it_is_shown():
    jittering = side(bcas=[0.5, 0.7] * 49 + [0.5, 0.75])
    assert line(side(), jittering, "Test RCA, mean of the last epochs")[1] == f"{0.6 + 0.05 / 20 + 0.125:.3f}"
    before, now = side(bcas=(0.7644,)), side(bcas=(0.8576,))  # 0.0932 apart, and 0.094 as shown
    assert line(before, now, "Test BCA") == ("0.764", "0.858", "+0.094", "")
    assert line(now, before, "Test BCA") == ("0.858", "0.764", "−0.094", "")


def test_rules_that_hardly_fire_are_counted_and_shares_compare_for_as_many_rules_only():
    even = side()._replace(history=[replace(epoch(1), firing=np.full(4, 0.25))])
    lonely = side()._replace(history=[replace(epoch(1), firing=np.array([1.0, 0.0, 0.0, 0.0]))])
    assert line(lonely, even, "Rules that hardly or never fire") == ("3", "0", "−3", "")
    assert line(even, lonely, "Rules that hardly or never fire") == ("0", "3", "+3", "")
    assert line(lonely, even, "Largest average firing level") == ("100.0%", "25.0%", "−75.0 points", "more even")
    other = even._replace(config=replace(CONFIG, n_rules=5), history=[replace(epoch(1), firing=np.full(5, 0.2))])
    assert line(even, other, "Largest average firing level")[2:] == ("−5.0 points", "")

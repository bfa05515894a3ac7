"""JRip and PART by Weka in a process of its own: its answers, their size, and that nothing of it is left behind."""

import os
import re
import signal
import subprocess
import sys

import numpy as np
import psutil
import pytest

from tests.tables import make_table
from tests.waiting import wait_until
from tsk_core.errors import TrainingError
from tsk_core.evaluate.same_size import Peer
from tsk_study.parts import split_data
from tsk_study.weka import jrip, missing, part
from tsk_study.weka.client import LEAST_ROWS, Weka, conditions_and_rules, most_within, trained, within

needs_weka = pytest.mark.skipif(bool(missing()), reason=missing())
SPLIT = split_data(make_table(rows=300), 0)
NEVER_DONE = """
import numpy as np
from tsk_study.weka.client import Weka, arff
rng = np.random.default_rng(0)
table = arff(rng.normal(size=(5_000, 20)), rng.integers(9, size=5_000), 9)  # noise in nine classes keeps JRip busy
print("asking", flush=True)
Weka().ask({"classifier": "weka.classifiers.rules.JRip", "train": table, "test": table})
"""
DIRECTLY = """
import logging, sys
import numpy as np
from weka.core import jvm
jvm.start(logging_level=logging.ERROR)
from weka.classifiers import Classifier
from weka.core.dataset import create_instances_from_matrices
from weka.filters import Filter
numbers = np.load(sys.argv[1])
tables = [create_instances_from_matrices(numbers[part][:, :-1], numbers[part][:, -1]) for part in ("train", "test")]
nominal = Filter(classname="weka.filters.unsupervised.attribute.NumericToNominal", options=["-R", "last"])
nominal.inputformat(tables[0])
train, test = (nominal.filter(table) for table in tables)
train.class_is_last(), test.class_is_last()
model = Classifier(sys.argv[2])
model.build_classifier(train)
print(*(train.class_attribute.value(int(model.classify_instance(row))) for row in test))
"""


@pytest.fixture
def weka():
    weka = Weka()
    yield weka
    weka.stop()


def javas(parent: int | None = None) -> list[psutil.Process]:
    """The processes with a virtual machine that ``parent``, or this process, has started."""
    return [child for child in psutil.Process(parent).children() if "tsk_study.weka.process" in child.cmdline()]


@needs_weka
@pytest.mark.slow
@pytest.mark.parametrize(("algorithm", "name"), [(jrip, "JRip"), (part, "PART")])
def test_the_answer_is_wekas_own(algorithm, name, tmp_path):
    tables = {"train": np.column_stack([SPLIT.X_train, SPLIT.y_train]), "test": np.column_stack([SPLIT.X_test, SPLIT.y_test])}
    np.savez(tmp_path / "tables.npz", **tables)
    command = [sys.executable, "-c", DIRECTLY, tmp_path / "tables.npz", f"weka.classifiers.rules.{name}"]
    direct = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert algorithm(SPLIT).predicted.tolist() == [int(float(value)) for value in direct]


@needs_weka
@pytest.mark.slow
def test_one_process_serves_all_splits_and_this_one_loads_nothing_of_it():
    jrip(SPLIT)
    [before] = javas()
    part(split_data(SPLIT.dataset, 1))
    assert javas() == [before]
    assert not {"weka", "jpype"} & set(sys.modules)


@needs_weka
@pytest.mark.slow
def test_what_weka_refuses_is_told_and_it_is_started_again_after_its_time_and_where_it_died(weka):
    others = set(javas())
    request = {"classifier": "weka.classifiers.rules.PART", "train": "@relation empty\n", "test": ""}
    with pytest.raises(TrainingError, match="longer than 0 s"):
        weka.ask(request, seconds=0)
    assert set(javas()) == others
    for _ in range(2):
        with pytest.raises(TrainingError, match=r"^Weka could not train: .*premature end of file"):
            weka.ask(request)
    [process] = set(javas()) - others
    process.kill()
    with pytest.raises(TrainingError, match="premature|SIGKILL"):
        weka.ask(request)


@needs_weka
@pytest.mark.slow
def test_a_killed_parent_leaves_no_virtual_machine_behind():
    asking = subprocess.Popen([sys.executable, "-c", NEVER_DONE], stdout=subprocess.PIPE)
    try:
        assert asking.stdout.readline() == b"asking\n"
        wait_until(lambda: any(sum(java.cpu_times()[:2]) > 2 for java in javas(asking.pid)))  # it works
        left = javas(asking.pid)
    finally:
        os.kill(asking.pid, signal.SIGKILL)
        asking.communicate()
    wait_until(lambda: not any(java.is_running() and java.status() != psutil.STATUS_ZOMBIE for java in left))


# The number of conditions.

JRIP = """JRIP rules:
===========

(x0 <= -0.953463) and (x2 <= -0.307996) and (x2 >= -0.848495) => class=0 (15.0/3.0)
(x3 <= -8.9E-4) and (x4 >= 0.417793) => class=0 (7.0/1.0)
 => class=1 (253.0/18.0)

Number of Rules : 3
"""
PART = """PART decision list
------------------

x0 > -0.953463: 1 (230.0/17.0)

x3 <= -0.514196 AND
x3 > -0.700529 AND
x1 <= 4: 1 (49.0/22.0)

: 0 (47.0/12.0)

Number of Rules  : \t3
"""


@pytest.fixture(scope="module")
def overlapping():
    """A split of 210 training rows whose classes overlap, so that longer rules can be had."""
    dataset = make_table(rows=300, columns=4, seed=3)
    frame = dataset.frame.copy()
    frame["x1"] = frame["x1"] * 0.5 + np.random.default_rng(0).normal(size=len(frame))
    return split_data(type(dataset)(frame=frame, target="kind", name="overlapping", source="", licence="", findings=()), 0)


@pytest.mark.parametrize(("text", "apart", "together"), [(JRIP, 4, 3), (PART, 3, 3)])
def test_a_rule_has_a_condition_for_each_feature_that_it_compares(text, apart, together):
    assert conditions_and_rules(text, [0, 1, 2, 3, 4]) == (apart, 3)
    assert conditions_and_rules(text, [0, 1, 2, 3, 3]) == (together, 3)  # x3 and x4 are categories of one feature


@needs_weka
@pytest.mark.slow
@pytest.mark.parametrize("name", list(LEAST_ROWS))
def test_they_are_within_the_number_of_conditions_and_longer_where_more_may_be(name, overlapping):
    found = {wanted: within(name, overlapping, wanted) for wanted in (3, 8, 40)}
    for wanted, peer in found.items():
        assert peer.name == name and peer.conditions <= wanted
        assert 0 < peer.bca <= 1 and peer.rules <= peer.conditions + 1
    assert found[3].conditions < found[40].conditions
    assert within(name, overlapping, 8) == found[8]


@needs_weka
@pytest.mark.slow
@pytest.mark.parametrize("name", list(LEAST_ROWS))
def test_weka_weighs_the_rows(name, overlapping):
    train, test = (overlapping.X_train, overlapping.y_train), (overlapping.X_test, overlapping.y_test)
    weights = np.where(train[1] == 1, 2.5, 1.0)
    _, text = trained(name, train, test, weights=weights)
    covered = [float(rows) for rows in re.findall(r"\((\d+\.\d+)(?:/\d+\.\d+)?\)$", text, re.MULTILINE)]
    assert sum(covered) == pytest.approx(weights.sum(), abs=0.1)  # of each rule, two decimals


@pytest.mark.parametrize(("count_of_all", "chosen", "asked"), [(30, 15, 1), (900, 30, 5), (10_000, 33, 5)])
def test_the_search_by_halves_finds_the_most_conditions_within(count_of_all, chosen, asked):
    """Rules that hold for r rows have count_of_all / r conditions; Weka can make none that hold for more than 300."""
    done = []

    def peer(rows):
        done.append(rows)
        if rows > 300:
            raise TrainingError("Weka could not train.")
        return Peer("JRip", count_of_all // rows, 2, 0.5, 0.5)

    assert most_within(peer, 30).conditions == chosen  # 33 conditions are the fewest that can be had of the last
    assert len(done) == asked and done[0] == 2


def test_what_weka_cannot_make_at_all_is_an_error():
    def peer(rows):
        raise TrainingError("Weka could not train.")

    with pytest.raises(TrainingError, match="could not train"):
        most_within(peer, 30)


def test_without_weka_they_say_how_to_get_it(overlapping, monkeypatch):
    monkeypatch.setattr("tsk_study.weka.client.missing", lambda: "It needs Weka.")
    with pytest.raises(TrainingError, match="needs Weka"):
        within("JRip", overlapping, 8)

"""JRip and PART by Weka in a process of its own: what it answers, and that nothing of it is left behind."""

import os
import signal
import subprocess
import sys

import numpy as np
import psutil
import pytest

from tests.tables import make_table
from tests.waiting import wait_until
from tsk_core.errors import TrainingError
from tsk_core.study.parts import split_data
from tsk_core.study.weka import jrip, missing, part
from tsk_core.study.weka.client import Weka

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]

SPLIT = split_data(make_table(rows=300), 0)
NEVER_DONE = """
import numpy as np
from tsk_core.study.weka.client import Weka, arff
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
    return [child for child in psutil.Process(parent).children() if "tsk_core.study.weka.process" in child.cmdline()]


@pytest.mark.parametrize(("algorithm", "name"), [(jrip, "JRip"), (part, "PART")])
def test_the_answer_is_wekas_own(algorithm, name, tmp_path):
    tables = {"train": np.column_stack([SPLIT.X_train, SPLIT.y_train]), "test": np.column_stack([SPLIT.X_test, SPLIT.y_test])}
    np.savez(tmp_path / "tables.npz", **tables)
    command = [sys.executable, "-c", DIRECTLY, tmp_path / "tables.npz", f"weka.classifiers.rules.{name}"]
    direct = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert algorithm(SPLIT).predicted.tolist() == [int(float(value)) for value in direct]


def test_one_process_serves_all_splits_and_this_one_loads_nothing_of_it():
    jrip(SPLIT)
    [before] = javas()
    part(split_data(SPLIT.dataset, 1))
    assert javas() == [before]
    assert not {"weka", "jpype"} & set(sys.modules)


def test_what_weka_refuses_is_told_and_the_process_goes_on(weka):
    request = {"classifier": "weka.classifiers.rules.PART", "train": "@relation empty\n", "test": ""}
    for _ in range(2):
        with pytest.raises(TrainingError, match=r"^Weka could not train: .*premature end of file"):
            weka.ask(request)


def test_weka_is_ended_after_its_time_and_started_again(weka):
    others = set(javas())
    request = {"classifier": "weka.classifiers.rules.PART", "train": "", "test": ""}
    with pytest.raises(TrainingError, match="longer than 0 s"):
        weka.ask(request, seconds=0)
    assert set(javas()) == others
    with pytest.raises(TrainingError, match="premature"):
        weka.ask(request)


def test_a_process_that_dies_is_told_or_started_again(weka):
    others = set(javas())
    request = {"classifier": "weka.classifiers.rules.PART", "train": "", "test": ""}
    with pytest.raises(TrainingError, match="premature"):
        weka.ask(request)
    [process] = set(javas()) - others
    process.kill()
    with pytest.raises(TrainingError, match="premature|SIGKILL"):
        weka.ask(request)


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

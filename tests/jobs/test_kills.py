"""Kill −9 at random moments: what finished is whole, nothing is stuck, nothing half-written stays."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import tsk_core
from tests.tables import make_table
from tsk_core.errors import RunError
from tsk_core.runs import RunStore
from tsk_core.runs.files import ASIDE

ROOT = str(Path(tsk_core.__file__).parents[1])
# Loads the libraries once, most of them by a first training; then trains in a child for each line that it reads, until somebody
# kills that.
TRAIN = """
import os, sys, tempfile
from tests.tables import make_table
from tsk_core.config import TrainConfig
from tsk_core.runs import RunStore
from tests.training import train_run
from tsk_core.runtime.torch_settings import torch_threads

def train_one(store, keep):
    table = make_table(rows=60)
    run = store.create(TrainConfig(n_rules=2, max_epochs=2), table, owner="ada", keep_data=keep)
    with torch_threads(1):
        record = train_run(store.folder, run, store.open(run).config(), table)
    assert record.state == "finished", record
    return run

def train():
    store = RunStore(sys.argv[1])
    print("ready", os.getpid(), flush=True)
    while True:
        for keep in (False, True):
            run = train_one(store, keep)
            print(run, flush=True)  # from here on, somebody counts on it
        store.housekeeping.free_disk_space(spare=0)
        store.housekeeping.remove(run, "ada")
        print("-" + run, flush=True)

with tempfile.TemporaryDirectory() as folder:
    train_one(RunStore(folder), True)
for _ in sys.stdin:
    child = os.fork()
    if not child:
        train()
    os.waitpid(child, 0)
    print("\\nkilled", flush=True)  # after what it wrote of a line
"""


@pytest.fixture
def trainer(tmp_path):
    command = [sys.executable, "-c", TRAIN, str(tmp_path / "runs")]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.stdin.close()


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_after_each_of_twenty_kills_every_finished_run_is_whole(trainer, tmp_path, monkeypatch):
    monkeypatch.setenv("TSK_MAX_RUNS_MB", "2")
    monkeypatch.setattr("tsk_core.runs.housekeeping.STALE_SECONDS", -1)
    seed, folder = random.randrange(10**6), tmp_path / "runs"
    print("seed", seed)
    chance, promised, whole = random.Random(seed), set(), set()
    for _ in range(20):  # few moments are bad ones: each of these kills may find one that no other did
        promised |= train_until(chance.randrange(7), chance.uniform(0, 0.1), trainer)
        store = RunStore(folder)
        records = store.ledger.records(removed=True)
        assert {record.state for record in records} <= {"finished", "interrupted"}
        assert promised <= {record.id for record in records if record.state == "finished"}
        for record in records:
            now = (record.id, record.state, record.removed, files(folder / record.id))
            if now not in whole:  # else it has been read as it is
                look(store, record)
                whole.add(now)
        known = {record.id for record in records if not record.removed}
        assert {path.name for path in folder.iterdir() if path.is_dir()} == known
        assert not [path for path in folder.rglob("*") if path.suffix in ASIDE or path.name.startswith(".removed")]
    assert len(promised) > 20 and any(record.removed for record in records)


def train_until(lines, seconds, trainer):
    """Train in another process, kill it some time after so many things were done; returns the runs it said were finished."""
    trainer.stdin.write("train\n")
    trainer.stdin.flush()
    ready, child = trainer.stdout.readline().split()
    assert ready == "ready"
    said = [trainer.stdout.readline() for _ in range(lines)]
    time.sleep(seconds)
    os.kill(int(child), signal.SIGKILL)
    said += iter(trainer.stdout.readline, "killed\n")
    return {run for run in map(str.strip, said) if len(run) == 32}


def files(folder):
    """Names, sizes and times of the files of a run."""
    found = [(str(path.relative_to(folder)), path.stat()) for path in sorted(folder.rglob("*"))]
    return tuple((name, stat.st_size, stat.st_mtime_ns) for name, stat in found)


def look(store, record):
    """Read all of a run."""
    if record.removed:
        with pytest.raises(RunError, match="deleted"):
            store.result(record.id)
    elif record.state == "finished":
        result = store.result(record.id)
        assert len(result.history) == 2 and result.metrics["rca"] == record.rca
        assert len(result.rules(3).rules) == 2
        assert record.size > 0 and record.seconds > 0
        assert (store.dataset(record.id) is not None) == record.data_kept
        assert len(result.classifier.predict(make_table(rows=60).X)) == 60
    else:
        assert store.open(record.id).config().n_rules == 2
        assert len(store.open(record.id).epochs()) <= 2

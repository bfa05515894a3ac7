"""The folder of runs and its ledger."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import psutil
import pytest

import tsk_core
from tsk_core.config import TrainConfig
from tsk_core.epoch import ENTROPY_BINS, Epoch
from tsk_core.errors import DiskFullError, RunError
from tsk_core.runs import RunStore, housekeeping
from tsk_core.runs.files import write_json
from tsk_core.runs.folder import Ending


def make_epoch(number):
    values = dict.fromkeys(Epoch.__dataclass_fields__, 0.5) | {"epoch": number, "stage": "training", "rca_validation": None}
    return Epoch(**values | {"firing": np.array([0.9, 0.05, 0.05]), "entropy": np.arange(ENTROPY_BINS)})


@pytest.fixture
def run(store, small):
    return store.create(TrainConfig(), small)


def test_a_new_run_is_queued_under_an_id_that_cannot_be_guessed(store, small, monkeypatch):
    asked = []
    monkeypatch.setattr("secrets.token_hex", lambda size: asked.append(size) or "ab" * size)
    run = store.create(TrainConfig(), small)
    assert store.record(run).state == "queued"
    assert run == "ab" * 16 and 16 in asked  # 128 bits of the system's randomness


def test_a_run_without_seed_gets_one(store, run, small):
    assert store.open(run).config().random_state is not None
    assert store.open(store.create(TrainConfig(random_state=7), small)).config().random_state == 7


def test_a_run_whose_files_do_not_fit_on_the_disk_is_not_entered(store, small, monkeypatch):
    def write(path, content):
        if path.name == "plan.json":
            raise DiskFullError("The disk of this server is full.")
        write_json(path, content)

    monkeypatch.setattr("tsk_core.runs.store.write_json", write)
    folders = set(store.folder.iterdir())
    with pytest.raises(DiskFullError):
        store.create(TrainConfig(), small, files={"plan.json": {}})
    assert store.ledger.records() == [] and set(store.folder.iterdir()) == folders


@pytest.fixture
def begun(store, run):
    """The folder of a run that just began to train."""
    folder = store.open(run)
    folder.begin()
    return folder


def test_epochs_come_back_as_written_without_a_line_cut_short_by_a_kill(store, run, begun):
    epochs = [make_epoch(1), make_epoch(2)]
    for epoch in epochs:
        append(begun, [epoch])
    assert [e.to_dict() for e in store.open(run).epochs()] == [e.to_dict() for e in epochs]
    with (store.folder / run / "epochs.jsonl").open("a") as file:
        file.write('{"epoch": 3, "loss')
    assert [e.epoch for e in store.open(run).epochs()] == [1, 2]
    lines = store.open(run).lines("epochs")
    assert [json.loads(line) for line in lines] == [e.to_dict() for e in epochs]
    assert store.open(run).lines("epochs", since=1) == lines[1:] and store.open(run).lines("snapshots") == []


def append(folder, epochs):
    folder.append("epochs", [json.dumps(epoch.to_dict()) for epoch in epochs])


def test_a_second_attempt_starts_without_what_the_first_left(store, run, begun):
    append(begun, [make_epoch(1)])
    begun.append("splits", ['{"seed": 0}'])
    begun.write_metrics({"rca": 0.5})
    assert store.open(run).records("splits") == [{"seed": 0}]
    store.open(run).begin()
    assert store.open(run).epochs() == store.open(run).records("splits") == []
    with pytest.raises(RunError, match="no numbers yet"):
        store.open(run).metrics()


def test_an_attempt_that_was_replaced_writes_no_more(store, run, begun):
    """A worker on a machine that was cut off for a while trains on, though its run has begun anew on another."""
    second = store.open(run)
    second.begin()
    with pytest.raises(RunError, match="started again elsewhere"):
        append(begun, [make_epoch(1)])
    begun.end(Ending("failed", "cut off"))
    assert store.open(run).epochs() == [] and second.ending() is None
    append(second, [make_epoch(1)])
    second.end(Ending("stopped", "by hand", 0.5, 0.25))
    assert len(store.open(run).epochs()) == 1 and store.open(run).ending() == Ending("stopped", "by hand", 0.5, 0.25)


def test_the_first_end_of_a_run_is_the_one_that_counts(store, run):
    assert store.housekeeping.end(run, "stopped", "by hand")
    assert not store.housekeeping.end(run, "finished")
    assert not store.ledger.start(run)
    assert (store.record(run).state, store.record(run).message) == ("stopped", "by hand")


@pytest.mark.parametrize("name", ["", "nothing", "../runs", "/etc", "'; DROP TABLE runs; --"])
def test_an_unknown_run_is_refused_in_one_sentence(store, run, name):
    for ask in (store.record, store.open, store.dataset, store.archive, store.result):
        with pytest.raises(RunError, match="no such run"):
            ask(name)


def test_a_run_of_a_dead_process_is_interrupted(store, run, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(tsk_core.__file__).parents[1]))
    code = (
        "import sys; from tsk_core.runs import RunStore; store = RunStore(sys.argv[1]);"
        "store.ledger.add('theirs', 'ada', 'blobs'); store.ledger.start(sys.argv[2])"
    )
    (store.folder / "theirs").mkdir()
    subprocess.run([sys.executable, "-c", code, str(store.folder), run], check=True)
    again = RunStore(store.folder)
    assert again.record("theirs").state == "interrupted"
    assert "start it again" in again.record("theirs").message
    assert again.record(run).state == "running"  # its process, this one, lives


def test_a_run_whose_process_lives_goes_on_when_the_clock_is_set_or_the_system_does_not_name_its_starts(store, run, monkeypatch):
    store.ledger.start(run)
    began = psutil._psplatform.boot_time()
    monkeypatch.setattr(psutil._psplatform, "boot_time", lambda: began + 3600)  # as the system tells it then
    assert RunStore(store.folder).record(run).state == "running"
    monkeypatch.setattr(housekeeping, "boot_id", lambda: "")
    assert RunStore(store.folder).record(run).state == "running"


def test_a_run_from_before_the_machine_was_started_again_is_interrupted(store, run, small, monkeypatch):
    """Its process may have the number of another one, which began as long after the start."""
    store.ledger.start(run)
    assert RunStore(store.folder).record(run).state == "running"
    monkeypatch.setattr(housekeeping, "boot_id", lambda: "another start")
    assert RunStore(store.folder).record(run).state == "interrupted"
    new = store.create(TrainConfig(), small)
    assert RunStore(store.folder).record(new).state == "queued"  # only the first to open the folder ends those of before


def test_the_folder_comes_from_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("TSK_RUNS_DIR", str(tmp_path / "elsewhere"))
    assert RunStore().folder == tmp_path / "elsewhere"

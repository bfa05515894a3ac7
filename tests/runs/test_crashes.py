"""What a process leaves that was killed, and what is written on a full disk."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tsk_core
from tests.tables import make_table
from tsk_core.config import TrainConfig
from tsk_core.runs import RunStore, housekeeping
from tsk_core.runs.files import size_of
from tsk_core.tasks import LiveTraining, perform
from tsk_core.tasks.task import Context

ROOT = str(Path(tsk_core.__file__).parents[1])


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("TSK_MAX_RUNS_MB", "1")
    return RunStore(tmp_path / "runs")


@pytest.fixture
def later(monkeypatch):
    """The machine was started again: no process of before is left."""
    monkeypatch.setattr(housekeeping, "boot_id", lambda: "another start")


def test_files_never_renamed_are_deleted_with_the_end_of_their_run(store, later):
    folder = store.folder / store.create(TrainConfig(), make_table())
    (folder / "model").mkdir()
    for name in ("metrics.json.tmp", "model/model.safetensors.part"):
        (folder / name).write_text("half")
    again = RunStore(store.folder)
    assert again.record(folder.name).state == "interrupted"
    assert sorted(path.name for path in folder.rglob("*") if path.is_file()) == ["config.json"]


@pytest.fixture(scope="module")
def died(tmp_path_factory):
    """A folder of runs with one that was trained to its end, of which the ledger does not know; and the run's id."""
    folder = tmp_path_factory.mktemp("died")
    store, table = RunStore(folder), make_table()
    run = store.create(TrainConfig(n_rules=3, max_epochs=2), table)
    store.ledger.start(run)
    perform(LiveTraining(store.open(run).config(), table), Context(store.open(run)))
    return folder, run


@pytest.fixture
def left_behind(died, tmp_path, later):
    """The folder of that run, in a copy for one test."""
    folder, run = died
    copy = shutil.copytree(folder, tmp_path / "left behind")
    assert RunStore(copy, recover=False).record(run).state == "running"
    return copy / run


def test_a_run_that_left_all_its_files_is_finished_whatever_became_of_its_server(left_behind):
    store, run = RunStore(left_behind.parent), left_behind.name
    record, result = store.record(run), store.result(run)
    assert (record.state, record.message, record.rca) == ("finished", "", result.metrics["rca"])
    assert record.seconds > 0 and record.size == size_of(left_behind)
    assert len(result.history) == 2 and len(result.rules(3).rules) == 3


ENDING = {"version": 2, "state": "finished", "message": "", "rca": 1, "bca": 1}
WRONG = ({"version": 99}, {"state": "running"}, {"message": ["x"]}, {"rca": "1"})


@pytest.mark.parametrize(
    ("name", "content"),
    [
        *(("ended.json", text) for text in ("", "{", "[]", "null", '{"version": 2}', None)),
        *(("ended.json", json.dumps(ENDING | wrong)) for wrong in WRONG),
        ("metrics.json", None),
    ],
)
def test_a_run_whose_ending_is_damaged_newer_or_missing_or_without_its_numbers_is_interrupted(left_behind, name, content):
    if content is None:
        (left_behind / name).unlink()
    else:
        (left_behind / name).write_text(content)
    assert RunStore(left_behind.parent).record(left_behind.name).state == "interrupted"


FULL_DISK = """
import resource, sys
from tests.tables import make_table
from tsk_core.config import TrainConfig
from tsk_core.errors import DiskFullError
from tsk_core.runs import RunStore

store = RunStore(sys.argv[1])
run = store.create(TrainConfig(), make_table())
store.open(run).write_metrics({"rca": 0.5})
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
for write in (
    lambda: store.open(run).write_metrics({"rca": "x" * 200_000}),
    lambda: [store.ledger.add(str(number), "ada", "x" * 1000) for number in range(1000)],
    lambda: store.create(TrainConfig(), make_table()),
):
    try:
        write()
    except DiskFullError as error:
        print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
store.housekeeping.end(run, "failed", "The disk was full.")
print(run)
"""


@pytest.mark.slow
def test_where_the_system_takes_no_more_bytes_it_is_said_and_nothing_is_half_written(tmp_path):
    done = subprocess.run([sys.executable, "-c", FULL_DISK, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True)
    *said, run = done.stdout.splitlines()
    assert len(said) == 3 and all("The disk of this server is full" in line for line in said)
    store = RunStore(tmp_path)
    assert store.record(run).message == "The disk was full." and store.open(run).metrics() == {"rca": 0.5}
    assert {path.name for path in tmp_path.rglob("*") if path.parent.name == run} == {"config.json", "metrics.json"}
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == [run]

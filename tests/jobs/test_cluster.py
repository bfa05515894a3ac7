"""No process outlives the one that started it, and the package is light to import."""

import pickle  # noqa: TID251 - as Dask sends a task
import subprocess
import sys
from functools import partial
from importlib.machinery import PathFinder
from pathlib import Path

import psutil
import pytest

import tsk_core
from tests.waiting import wait_until
from tsk_core.config import TrainConfig
from tsk_core.data import read_csv
from tsk_core.jobs.cluster import worker_megabytes
from tsk_core.runs import RunStore
from tsk_core.tasks import LiveTraining

ROOT = str(Path(tsk_core.__file__).parents[1])
PARENT = """
import sys, time
from tsk_core.jobs import Engine
engine = Engine(sys.argv[1])
while not engine.workers():
    time.sleep(0.05)
print("up", flush=True)
time.sleep(100)
"""


@pytest.mark.slow
def test_killing_the_parent_leaves_no_process(tmp_path, monkeypatch):
    monkeypatch.setenv("TSK_WORKERS", "1")
    monkeypatch.setenv("PYTHONPATH", ROOT)
    with subprocess.Popen([sys.executable, "-c", PARENT, str(tmp_path)], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout.readline() == "up\n"
        family = psutil.Process(parent.pid).children(recursive=True)
        assert len(family) >= 2
        parent.kill()
        wait_until(lambda: not any(process.is_running() for process in family), seconds=10)


def test_a_scheduler_that_does_not_answer_fails_the_run_with_its_address(tmp_path, monkeypatch, small, short):
    from tsk_core.jobs import Engine

    monkeypatch.setenv("TSK_SCHEDULER", "tcp://127.0.0.1:9")
    monkeypatch.setattr("tsk_core.jobs.cluster.CONNECT_SECONDS", 1)
    with Engine(tmp_path) as engine:
        run = engine.submit(short, small)
        wait_until(lambda: engine.status(run).ended)
        assert engine.status(run).state == "failed"
        assert "tcp://127.0.0.1:9" in engine.status(run).message


def test_importing_the_package_loads_neither_dask_nor_torch(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", ROOT)
    code = "import sys, tsk_core.jobs; print(sorted({'torch', 'dask', 'distributed', 'streamlit'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("library", "megabytes"), [("libtorch_cpu.so", 1024), ("libtorch_cuda.so", 2048), ("torch_cuda.dll", 2048)]
)
def test_the_memory_of_a_worker_follows_the_build_of_torch(tmp_path, monkeypatch, library, megabytes):
    (tmp_path / "torch" / "lib").mkdir(parents=True)
    (tmp_path / "torch" / "lib" / library).touch()
    (tmp_path / "torch" / "__init__.py").touch()
    monkeypatch.setattr("tsk_core.jobs.cluster.find_spec", partial(PathFinder.find_spec, path=[str(tmp_path)]))
    assert worker_megabytes() == megabytes


def test_without_torch_a_worker_has_the_usual_memory(monkeypatch):
    monkeypatch.setattr("tsk_core.jobs.cluster.find_spec", lambda name: None)
    assert worker_megabytes() == 1024


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has priority classes instead of numbers.")
@pytest.mark.parametrize(("shares", "behind"), [(False, True), (True, False)])
def test_workers_come_after_the_one_process_that_draws_pages_and_beside_several(monkeypatch, shares, behind):
    from tsk_core.jobs.shared import SOCKET

    monkeypatch.delenv(SOCKET, raising=False)
    if shares:
        monkeypatch.setenv(SOCKET, "engine")
    missing = "import sys; sys.modules |= dict.fromkeys(('pandas', 'sklearn', 'torch'))"  # or it takes seconds
    script = f"{missing}; import psutil, tsk_core.jobs.preload as _; print(psutil.Process().nice())"
    worker = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert (int(worker.stdout) > psutil.Process().nice()) == behind


FIRST_TASK = """
import importlib, pickle, sys
from pathlib import Path
from tsk_core.jobs.cluster import READ_BY_SCHEDULER
path, folder = map(Path, sys.argv[1:])
for name in READ_BY_SCHEDULER:
    importlib.import_module(name)
before = set(sys.modules)
task = pickle.loads(path.read_bytes())
print(sorted(set(sys.modules) - before))
import tsk_core.jobs.preload
from tsk_core.runs.folder import RunFolder
from tsk_core.tasks.context import Context
from tsk_core.tasks.task import perform
nothing = lambda *_, **__: None
context = Context(RunFolder(folder), stop_reason=nothing, waiting=(), time_slice=1.0, on_record=nothing, on_progress=nothing)
before = set(sys.modules)
assert perform(task, context).state == "finished"
heavy = ("pandas", "scipy", "sklearn", "torch", "tsk_core")
print(sorted(name for name in set(sys.modules) - before if name.startswith(heavy)))
"""


def test_the_first_run_waits_for_no_imports(tmp_path):
    """Neither in the scheduler, which reads each task that it passes on, nor in a worker."""
    rows = "\n".join(f"{k},{('red', 'blue')[k % 2]},{k / 7:.2f} kg,{'ab'[k // 30]}" for k in range(60))
    table = read_csv(f"day,colour,weight,class\n{rows}\n".encode())  # with a pipeline that cleans
    store = RunStore(tmp_path / "runs")
    run, task = LiveTraining(TrainConfig(n_rules=2, max_epochs=2), table).create_run(store, "ann")
    (tmp_path / "task").write_bytes(pickle.dumps(task))
    command = [sys.executable, "-c", FIRST_TASK, str(tmp_path / "task"), str(store.folder / run)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["[]", "[]"], done.stderr

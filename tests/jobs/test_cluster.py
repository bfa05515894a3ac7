"""The embedded cluster: real processes, which are killed, hang or fill their memory, and of which none stays behind."""

import os
import pickle  # noqa: TID251 - as Dask sends a task
import resource
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from importlib.machinery import PathFinder
from pathlib import Path

import psutil
import pytest

import tsk_core
from tests.engines import engine as processes
from tests.jobs.test_faults import hog, let_go
from tests.processes import cluster_process, worker_processes
from tests.training import Prepared, process_of
from tests.waiting import wait_until
from tsk_core.config import TrainConfig
from tsk_core.data import read_csv
from tsk_core.jobs import Engine
from tsk_core.jobs.cluster import worker_megabytes
from tsk_core.runs import RunStore
from tsk_core.tasks import LiveTraining

__all__ = ["processes"]


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


def test_a_scheduler_that_does_not_answer_fails_the_run_with_its_address(tmp_path, monkeypatch, small, short):
    monkeypatch.setenv("TSK_SCHEDULER", "tcp://127.0.0.1:9")
    monkeypatch.setattr("tsk_core.jobs.cluster.CONNECT_SECONDS", 0.1)
    with Engine(tmp_path) as engine:
        run = engine.submit(short, small)
        wait_until(lambda: engine.status(run).ended)
        assert engine.status(run).state == "failed"
        assert "tcp://127.0.0.1:9" in engine.status(run).message


@pytest.mark.parametrize(
    ("library", "megabytes"),
    [("libtorch_cpu.so", 1024), ("libtorch_cuda.so", 2048), ("torch_cuda.dll", 2048), (None, 1024)],
)
def test_the_memory_of_a_worker_follows_the_build_of_torch(tmp_path, monkeypatch, library, megabytes):
    if library:
        (tmp_path / "torch" / "lib").mkdir(parents=True)
        (tmp_path / "torch" / "lib" / library).touch()
        (tmp_path / "torch" / "__init__.py").touch()
    monkeypatch.setattr("tsk_core.jobs.cluster.find_spec", partial(PathFinder.find_spec, path=[str(tmp_path)]))
    assert worker_megabytes() == megabytes


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has priority classes instead of numbers.")
@pytest.mark.parametrize("shares", [False, True])
def test_workers_come_after_the_one_process_that_draws_pages_and_beside_several(monkeypatch, shares):
    from tsk_core.jobs.shared import SharedEngine

    set_to = []
    monkeypatch.setattr(SharedEngine, "is_there", lambda: shares)
    monkeypatch.setattr(psutil.Process, "nice", lambda process, value: set_to.append(value))
    monkeypatch.setattr("importlib.import_module", lambda name: None)
    monkeypatch.delitem(sys.modules, "tsk_core.jobs.preload", raising=False)
    import tsk_core.jobs.preload  # noqa: F401 - it acts when it is imported

    monkeypatch.delitem(sys.modules, "tsk_core.jobs.preload")
    assert set_to == ([] if shares else [15])


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
from tsk_core.tasks.task import Context
from tsk_core.tasks.task import perform
nothing = lambda *_, **__: None
context = Context(RunFolder(folder), stop_reason=nothing, waiting=(), time_slice=1.0, on_record=nothing, on_progress=nothing)
before = set(sys.modules)
assert perform(task, context).state == "finished"
heavy = ("pandas", "scipy", "sklearn", "torch", "tsk_core")
print(sorted(name for name in set(sys.modules) - before if name.startswith(heavy)))
"""


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("delay", [0, 0.05, 1])
def test_an_engine_closed_while_its_cluster_comes_up_leaves_no_process(tmp_path, delay):
    before, threads = set(psutil.Process().children(recursive=True)), set(threading.enumerate())
    engine = Engine(tmp_path)
    time.sleep(delay)
    engine.close()
    assert not [thread for thread in set(threading.enumerate()) - threads if thread.name.startswith("tsk-")]
    wait_until(lambda: set(psutil.Process().children(recursive=True)) <= before)


# On two workers.


@pytest.fixture(scope="module")
def engine(processes):
    return processes


@pytest.fixture
def trains(engine, small, endless, nothing_left):
    """Submit a run that goes on for long and tells its process, and wait until it trains."""

    def trains(owner="ada"):
        run = engine.submit_task(Prepared(endless, small), owner)
        wait_until(lambda: len(engine.history(run)) >= 2)
        return run

    return trains


def limit_files(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


@pytest.mark.slow
def test_a_killed_worker_leaves_the_neighbour_untouched_and_a_dead_cluster_is_started_again(engine, trains, short, small):
    run, neighbour = trains(), trains("bob")
    assert [file for file in psutil.Process().open_files() if "runs.sqlite" in file.path]
    place = cluster_process()
    opened = {file.path for process in [place, *worker_processes()] for file in process.open_files()}
    assert not [path for path in opened if "runs.sqlite" in path]  # they may be on other machines, where SQLite's WAL fails
    os.kill(process_of(engine, run), signal.SIGKILL)
    wait_until(lambda: engine.status(run).attempt == 2 and len(engine.history(run)) > 2)
    assert engine.status(neighbour).attempt == 1 and not engine.status(neighbour).ended
    gone = worker_processes()
    place.kill()
    wait_until(lambda: not any(psutil.pid_exists(process.pid) for process in gone), seconds=20)
    wait_until(lambda: engine.status(run).attempt >= 3 and len(engine.history(run)) > 2)
    engine.stop(run)
    assert engine.result(run, timeout=60).state == "stopped"
    assert engine.result(engine.submit(short, small, "cem"), timeout=60).state == "finished"


@pytest.mark.slow
def test_a_full_disk_ends_the_run_with_a_sentence_and_leaves_nothing_half_written(engine, endless, short, small, nothing_left):
    """The worker's files may not grow beyond 64 kB, as the operating system's own limit has it; epochs do within a second."""
    little, any_size = (partial(limit_files, size) for size in (64_000, resource.RLIM_INFINITY))
    run = engine.submit_task(Prepared(endless, small, before=little, after=any_size))
    wait_until(lambda: engine.status(run).ended)
    status = engine.status(run)
    assert status.state == "failed" and status.message.startswith("The disk of this server is full")
    assert engine.history(run)[-1].epoch == len(engine.history(run))  # whole lines only
    assert not [path for path in (engine.store.folder / run).rglob("*") if path.suffix in (".tmp", ".part")]
    assert engine.result(engine.submit(short, small), timeout=60).state == "finished"


@pytest.mark.slow
def test_a_run_over_its_memory_is_stopped_and_keeps_its_weights(engine, trains, endless, small):
    neighbour = trains("bob")
    run = engine.submit_task(Prepared(endless, small, before=hog, after=let_go), "ada")
    wait_until(lambda: engine.status(run).ended)
    assert "the most one run may use here" in engine.status(run).message and engine.status(run).state == "stopped"
    assert len(engine.result(run).classifier.predict(small.X)) == 120
    assert engine.status(neighbour).attempt == 1


@pytest.mark.slow
def test_a_worker_that_hangs_is_ended_with_its_run_and_a_paused_run_is_not_taken_for_one(
    engine, trains, short, small, monkeypatch
):
    run, paused = trains(), trains("bob")
    engine.pause(paused)
    wait_until(lambda: engine.status(paused).waiting)
    process = psutil.Process(process_of(engine, run))
    process.suspend()
    monkeypatch.setenv("TSK_MAX_RUN_SECONDS", "1")  # for the engine; the workers have theirs from before
    monkeypatch.setattr("tsk_core.jobs.supervisor.HANG_SECONDS", 1)
    wait_until(lambda: engine.status(run).ended)
    assert engine.status(run).state == "failed" and "did not respond for 2 s" in engine.status(run).message
    wait_until(lambda: not process.is_running() or process.status() == psutil.STATUS_ZOMBIE)
    assert not engine.status(paused).ended
    monkeypatch.undo()
    assert engine.result(engine.submit(short, small, "cem"), timeout=60).state == "finished"


@pytest.mark.soak
def test_a_worker_that_takes_long_to_come_back_is_waited_for(engine, trains):
    """Dask gives one up that is not back after 15 s, unless told otherwise; then its place stays empty."""
    run = trains()
    place = cluster_process()
    before = set(place.children())
    os.kill(process_of(engine, run), signal.SIGKILL)
    wait_until(lambda: set(place.children()) - before)
    youngest = (set(place.children()) - before).pop()
    youngest.suspend()
    time.sleep(17)
    youngest.resume()
    wait_until(lambda: len(engine.workers()) == 2)
    assert not engine.status(run).ended
